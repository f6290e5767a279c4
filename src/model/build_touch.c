/* model/build_touch.c - which contours can touch, how they are called, and which pairs cannot. */
#include "model/build_touch.h"
#include "model/sides.h"

#include <stdio.h>
#include <string.h>

enum { LEFT_MAX = 64 }; /* kinds of pairs that one contact reports */

/* A curve against a point or a circle, a line, another curve, a polygon or a segment. */
static int curve_halves(sp_contour_kind a, sp_contour_kind b, sp_half h[2])
{
    const bool first = a == SP_CONTOUR_CURVE;
    const sp_contour_kind other = first ? b : a;
    if (other == SP_CONTOUR_CURVE || other == SP_CONTOUR_LINE) {
        h[0] = (sp_half){first, other == SP_CONTOUR_LINE ? SP_SLOT_CURVE_LINE : SP_SLOT_CURVES};
        return 1;
    }
    if (other == SP_CONTOUR_POLYGON || other == SP_CONTOUR_SEGMENT) {
        h[0] = (sp_half){first, SP_SLOT_CURVE_EDGES};
        return 1;
    }
    h[0] = (sp_half){!first, SP_SLOT_CURVE};
    return other == SP_CONTOUR_POINT || other == SP_CONTOUR_CIRCLE;
}

int sp_build_halves(sp_contour_kind a, sp_contour_kind b, sp_half h[2])
{
    const bool round_a = a == SP_CONTOUR_POINT || a == SP_CONTOUR_CIRCLE;
    const bool round_b = b == SP_CONTOUR_POINT || b == SP_CONTOUR_CIRCLE;
    if (sp_sides_is_wedge(a) || sp_sides_is_wedge(b)) {
        h[0] = (sp_half){a == SP_CONTOUR_ROCKER, SP_SLOT_GAP};
        return sp_sides_is_wedge(a) && sp_sides_is_wedge(b) && a != b;
    }
    if (sp_sides_in_space(a) || sp_sides_in_space(b)) {
        const int first = sp_sides_of(a, b);
        h[0] = (sp_half){first > 0, SP_SLOT_SPACE};
        return first != 0;
    }
    if (a == SP_CONTOUR_CURVE || b == SP_CONTOUR_CURVE) {
        return curve_halves(a, b, h);
    }
    if (a == SP_CONTOUR_LINE || b == SP_CONTOUR_LINE) {
        const sp_contour_kind other = a == SP_CONTOUR_LINE ? b : a;
        h[0] = (sp_half){b == SP_CONTOUR_LINE, SP_SLOT_LINE};
        return other != SP_CONTOUR_LINE && other != SP_CONTOUR_HOLLOW;
    }
    if (a == SP_CONTOUR_HOLLOW || b == SP_CONTOUR_HOLLOW) {
        h[0] = (sp_half){b == SP_CONTOUR_HOLLOW, SP_SLOT_HOLLOW};
        return a != b;
    }
    if (round_a && round_b) {
        h[0] = (sp_half){a == SP_CONTOUR_POINT || b == SP_CONTOUR_CIRCLE, SP_SLOT_DISC};
        return a == SP_CONTOUR_CIRCLE || b == SP_CONTOUR_CIRCLE;
    }
    if (round_a || round_b) {
        h[0] = (sp_half){round_a, SP_SLOT_POLYGON};
        return 1;
    }
    h[0] = (sp_half){true, SP_SLOT_POLYGON};
    h[1] = (sp_half){false, SP_SLOT_POLYGON};
    return 2;
}

/* Kinds of contours by what files call them, in the order of lists. */
static const struct kind_word {
    sp_contour_kind kind;
    const char *word;
} kind_word[] = {{SP_CONTOUR_POINT, "a point"},
                 {SP_CONTOUR_LINE, "a line"},
                 {SP_CONTOUR_SEGMENT, "a segment"},
                 {SP_CONTOUR_CIRCLE, "a circle"},
                 {SP_CONTOUR_HOLLOW, "a hole"},
                 {SP_CONTOUR_POLYGON, "a polygon"},
                 {SP_CONTOUR_CURVE, "a curve"},
                 {SP_CONTOUR_GROOVE, "a groove"},
                 {SP_CONTOUR_ROCKER, "a rocker"},
                 {SP_CONTOUR_PLANE, "a plane"},
                 {SP_CONTOUR_SPHERE, "a sphere"},
                 {SP_CONTOUR_HOLLOW_SPHERE, "a hollow sphere"},
                 {SP_CONTOUR_CYLINDER, "a cylinder"},
                 {SP_CONTOUR_BORE, "a bore"},
                 {SP_CONTOUR_SURFACE, "a surface"},
                 {SP_CONTOUR_RULED, "a cone"},
                 {SP_CONTOUR_RULED, "a cylinder with a length"},
                 {SP_CONTOUR_RULED_HOLLOW, "a hollow cone"},
                 {SP_CONTOUR_RULED_HOLLOW, "a bore with a length"},
                 {SP_CONTOUR_EXTRUDED, "an extruded surface"},
                 {SP_CONTOUR_FACE, "a side of an elastic body"},
                 {SP_CONTOUR_CAPSULE, "a capsule"},
                 {SP_CONTOUR_HULL, "a box"},
                 {SP_CONTOUR_HULL, "a polytope"},
                 {SP_CONTOUR_DISC, "a disc"},
                 {SP_CONTOUR_DISC, "a frustum"},
                 {SP_CONTOUR_MESH, "a mesh"}};
enum { N_WORD = sizeof kind_word / sizeof *kind_word };

bool sp_build_is_same(const sp_side *A, const sp_side *B)
{
    return A->n == B->n && memcmp(A->contour, B->contour, (size_t)A->n * sizeof *A->contour) == 0;
}

bool sp_build_is_second(const sp_side *A, const sp_side *B, int a, int b)
{
    const int now = A->contact + 1;
    return B->seat[a].contact == now && A->seat[b].contact == now &&
           A->seat[b].position < A->seat[a].position;
}

const char *sp_build_contour_word(const sp_contour *c)
{
    int k = 0;
    while (k < N_WORD - 1 && kind_word[k].kind != c->kind) {
        k++;
    }
    return c->word ? c->word : kind_word[k].word;
}

const char *sp_build_partners(const sp_build *b, sp_contour_kind kind, char *buf, size_t size)
{
    const char *word[N_WORD];
    int n = 0;
    for (int k = 0; k < N_WORD; k++) {
        const sp_contour_kind other = kind_word[k].kind;
        sp_half h[2];
        const bool here = sp_sides_in_both(other) || sp_sides_in_space(other) == (b->dim == 3);
        if (here && sp_build_halves(kind, other, h) > 0) {
            word[n++] = kind_word[k].word;
        }
    }
    size_t used = 0;
    buf[0] = '\0';
    for (int k = 0; k < n && used < size; k++) {
        const int more = snprintf(buf + used, size - used, "%s%s",
                                  k == 0       ? ""
                                  : k == n - 1 ? " or "
                                               : ", ",
                                  word[k]);
        used += more > 0 ? (size_t)more : 0;
    }
    return buf;
}

const char *sp_build_instead(const sp_contour *first, const sp_contour *second)
{
    const bool swap = first->kind == SP_CONTOUR_PLANE;
    const sp_contour *side = swap ? second : first, *plane = swap ? first : second;
    if (sp_sides_is_ruled(first->kind) && sp_sides_is_ruled(second->kind)) {
        return "the material of both is outside of them, nothing of which can touch; ";
    }
    if (!sp_sides_is_ruled(side->kind) || plane->kind != SP_CONTOUR_PLANE) {
        return "";
    }
    return side->kind == SP_CONTOUR_RULED_HOLLOW
               ? "its material is outside of the contour, nothing of which can touch a plane; "
           : strcmp(side->word, "a cone") == 0
               ? "on a plane write 'frustum: [r_0, r_1], length: l' for it; "
               : "on a plane write 'disc: r, length: l' for it; ";
}

/* ---- pairs that are left out ---------------------------------------------------------------- */

unsigned sp_build_kinds(const sp_build *b, const sp_side *s)
{
    unsigned kinds = 0;
    for (int i = 0; i < s->n; i++) {
        kinds |= 1u << b->contour[s->contour[i]].kind;
    }
    return kinds;
}

/* Whether some kinds of two sides cannot touch each other. */
static bool is_partly_senseless(unsigned A, unsigned B)
{
    for (int i = 0; i < 32; i++) {
        for (int j = 0; j < 32; j++) {
            sp_half h[2];
            if ((A >> i & 1u) && (B >> j & 1u) &&
                sp_build_halves((sp_contour_kind)i, (sp_contour_kind)j, h) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Count a pair with those of the same two words, in either order; how many words there are. */
static int count_pair(sp_pairs_left_out *left, int n, const char *a, const char *b)
{
    int k = 0;
    while (k < n && !((strcmp(left[k].a, a) == 0 && strcmp(left[k].b, b) == 0) ||
                      (strcmp(left[k].a, b) == 0 && strcmp(left[k].b, a) == 0))) {
        k++;
    }
    if (k == LEFT_MAX) {
        return n;
    }
    if (k == n) {
        left[n++] = (sp_pairs_left_out){NULL, a, b, 0};
    }
    left[k].n++;
    return n;
}

void sp_build_left_out(sp_build *b, const sp_side *A, const sp_side *B)
{
    sp_pairs_left_out left[LEFT_MAX];
    int n = 0;
    if (!is_partly_senseless(sp_build_kinds(b, A), sp_build_kinds(b, B)) ||
        (long long)A->n * B->n > SP_BUILD_PAIR_MAX) {
        return;
    }
    for (int i = 0; i < A->n; i++) {
        for (int j = 0; j < B->n; j++) {
            const sp_contour *first = &b->contour[A->contour[i]];
            const sp_contour *second = &b->contour[B->contour[j]];
            sp_half h[2];
            if (b->rigid[first->body] != b->rigid[second->body] &&
                sp_build_halves(first->kind, second->kind, h) == 0 &&
                !sp_build_is_second(A, B, A->contour[i], B->contour[j])) {
                n = count_pair(left, n, sp_build_contour_word(first),
                               sp_build_contour_word(second));
            }
        }
    }
    for (int k = 0; k < n && SP_BUILD_ROOM(b, b->left_out, b->n_left_out); k++) {
        left[k].contact = b->contact[A->contact].name;
        b->left_out[b->n_left_out++] = left[k];
    }
}
