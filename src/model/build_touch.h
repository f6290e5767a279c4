/* model/build_touch.h - which contours can touch, how they are called, and which pairs cannot. */
#ifndef SP_MODEL_BUILD_TOUCH_H
#define SP_MODEL_BUILD_TOUCH_H

#include "model/build_parts.h"

enum { SP_BUILD_PAIR_MAX = 20000000 }; /* pairs of two sides that are looked at one by one */

/* Half of a pair: the corners (or the disc) of one contour against the other one. */
typedef struct sp_half {
    bool a_has_corners; /* side A of the file gives the corners, side B the boundary */
    sp_slot_kind kind;
} sp_half;

/* The halves of a pair of contours; how many, 0: the two cannot touch. */
int sp_build_halves(sp_contour_kind a, sp_contour_kind b, sp_half h[2]);

/* Whether both sides are the same contours. */
bool sp_build_is_same(const sp_side *A, const sp_side *B);

/* Whether a pair comes twice, as (a, b) and as (b, a), and this is the second time. */
bool sp_build_is_second(const sp_side *A, const sp_side *B, int a, int b);

/* A contour as the file calls it, "a box". */
const char *sp_build_contour_word(const sp_contour *c);

/* What a kind of contour can touch, as a list: "a point, a plane or a sphere". */
const char *sp_build_partners(const sp_build *b, sp_contour_kind kind, char *buf, size_t size);

/* What to write instead where the side of a body is to touch a plane along a line, or why it cannot
 * touch it; else "". */
const char *sp_build_instead(const sp_contour *first, const sp_contour *second);

/* The kinds of contours of a side, a bit for each. */
unsigned sp_build_kinds(const sp_build *b, const sp_side *s);

/* Note the pairs of two sides that cannot touch with their contact, by what they are. */
void sp_build_left_out(sp_build *b, const sp_side *A, const sp_side *B);

#endif
