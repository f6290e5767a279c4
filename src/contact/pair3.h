/* contact/pair3.h - the gap and the contact frame of two contours in space, by closed forms.
 *
 * Side a is a point or a ball; side b a plane, a ball, a hollow ball, a cylinder or a bore. Further
 * kinds of contours are further cases of sp_pair3_gap and sp_pair3_frame. */
#ifndef SP_CONTACT_PAIR3_H
#define SP_CONTACT_PAIR3_H

#include "contact/frame3.h"

/* Gap of contour a over contour b in the configuration of kin; open > 0.   theory (18.1) */
double sp_pair3_gap(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int a, int b);

/* The whole frame.   theory (18.1)-(18.4) */
void sp_pair3_frame(const sp_model *m, const sp_numbers *num, const sp_kin *kin, int a, int b,
                    sp_contact_frame3 *f);

#endif
