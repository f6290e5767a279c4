/* laws/slide.h - friction by groups of rows that rest or slide together: sliding with drilling,
 * rolling.  What a group does while it slides, how far it is from sliding while it rests, and the
 * set of what is left when some of them slide.   theory (23.1)-(23.4) */
#ifndef SP_LAWS_SLIDE_H
#define SP_LAWS_SLIDE_H

#include "laws/set.h"

enum { SP_GROUPS = 2 }; /* of a set at most */

/* Rows of a group, counted from the normal row. */
typedef struct sp_group {
    int first, n;
} sp_group;

/* The groups of a set: none without friction, one, or two with rolling; how many. */
int sp_slide_groups(const sp_set *s, sp_group group[SP_GROUPS]);

/* What the set adds to the normal force before friction is counted from it: adhesion. */
static inline double sp_slide_pull(const sp_set *s)
{
    return s->shifted ? -s->shift[0] : 0.0;
}

/* Friction over the normal force N (with adhesion) of a group that slides with xi, not zero:
 * drag = -d phi / d xi, both rows of the group alone.  N matters where a spot grows with it.
 * theory (23.1) */
void sp_slide_drag(const sp_set *s, int group, double N, const double *xi, double *drag);

/* How far the forces P of a group at rest (its rows alone) are below their limit under N, in units
 * of force: zero on the limit, negative beyond it.  out (rows of the group, NULL: not wanted) is
 * the outward normal of the limit there, so long that the reserve is mu N - out.P and that it is no
 * more than mu N - out.P for any other P.   theory (23.2) */
double sp_slide_reserve(const sp_set *s, int group, double N, const double *P, double *out);

/* The set of the normal row and the groups that do not slide (bit g of sliding: group g slides),
 * with its rows counted from the normal one. */
sp_set sp_slide_rest(const sp_set *s, int sliding, int rows[SP_SET_DIM_MAX]);

#endif
