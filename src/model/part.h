/* model/part.h - elastic bodies by shapes of any origin, finite elements above all: numbers alone.
 * theory section 93 */
#ifndef SP_MODEL_PART_H
#define SP_MODEL_PART_H

#include "base/arena.h"
#include "math/space.h"
#include "model/bodies.h"

#include <stdbool.h>

enum {
    SP_PART_MOST = 60, /* functions of a part                                   */
    SP_PART_NEAR = 12, /* nodes that a place between the nodes goes along with  */
    SP_PART_NAME = 64  /* bytes of the name of an interface, zero behind it     */
};

/* Nodes that move a joint or a force together: their mean place and rotation. */
typedef struct sp_part_face {
    char name[SP_PART_NAME];
    double at[3];
    const double *phi, *psi; /* n x 3: displacement, rotation                              */
    const double *phi2;      /* n x n x 3: displacement of second order, d^2/de_k de_l     */
} sp_part_face;

/* Places x = X + sum phi_k e_k + 1/2 sum phi_kl e_k e_l, and what their mass gives in the body's
 * axes about its origin.  Letters are those of Wallrapp's standard input data; tensors are
 * xx, yy, zz, xy, xz, yz.   theory (93.1)-(93.4) */
typedef struct sp_part {
    int n;
    double mass, mdCM[3], J0[6];
    const double *Ct0, *Ct1; /* n x 3, n x n x 3: integral of phi_k, of phi_kl              */
    const double *J1, *J2;   /* n x 6, n x n x 6: derivatives of J                          */
    const double *Cr0, *Cr1; /* n x 3, n x n x 3: integral of x cross dx/de_k, derivatives  */
    const double *Me, *Ke;   /* n x n                                                       */
    const double *De;        /* n x n: damping that the part has of its own, NULL: none     */
    int n_node, n_triangle;
    const double *node, *phi; /* n_node x 3; n_node x n x 3                                  */
    const int *triangle;      /* n_triangle x 3: the surface, for pictures                   */
    int n_face;
    const sp_part_face *face;
    bool stiffens; /* geometric stiffness is in Ct1, J2, Cr1, phi2                */
    double size;   /* m: longest extent                                           */
} sp_part;

/* What the kind of such a body (kinematics/modal.c) knows of it. */
typedef struct sp_modal sp_modal;
struct sp_modal {
    const sp_part *part;
    const double *De, *omega; /* n x n; n: rad/s of the functions, coupled as they are         */
    const void *more;         /* of shapes that are formulas, their numbers ...                */
    void (*shape)(const sp_modal *form, const double *at, double *row); /* ... their rows ...   */
    /* ... and derivatives of the displacement of function k by x, y, z of the place, then by xx,
     * yy, zz, xy, xz, yz; NULL: they are not known */
    void (*slopes)(const sp_modal *form, const double *at, int k, sp_vec3 by[3], sp_vec3 bend[6]);
};

/* What a place needs: displacement and rotation (n x 3 each), 1 if the second order follows, which
 * is n x n x 3 more. */
size_t sp_modal_row_size(const sp_modal *form);
void sp_modal_row(const sp_modal *form, const double *at, double *row);

/* Inertia from the products of the fields 1, x, y, z, then x, y, z of each function, as the mass
 * weighs them: gram is (4 + 3 n)^2.  Second order is left zero.  False: no memory. theory (93.3) */
bool sp_part_inertia(sp_arena *arena, const double *gram, sp_part *part);

/* Add the geometric stiffness by unit accelerations, angular accelerations and products of spins
 * (n x n each, products as in J2); NULL: none.   theory (93.6) */
typedef struct sp_part_load {
    const double *K0t[3], *K0r[3], *K0w[6];
} sp_part_load;
void sp_part_stiffen(const sp_part_load *load, sp_part *part);

/* The functions of a part that move it in the plane (plane: true), or all; how many.  pick:
 * SP_PART_MOST. */
int sp_part_pick(const sp_part *part, bool plane, int *pick);

/* A part of the picked functions alone; NULL: no memory. */
const sp_part *sp_part_of(sp_arena *arena, const sp_part *from, int n, const int *pick);

/* A form with a damping ratio for each mode of the free functions; NULL: no memory. */
sp_modal *sp_modal_of(sp_arena *arena, sp_arena *scratch, const sp_part *part, double damping);

/* Its kind (kinematics/modal.c). */
extern const struct sp_body_kind sp_modal_kind;

#endif
