/* Colours, and the contacts of each colour in fours. */
#include "solvers/fc_pile.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { DOF = SP_FC_BODY_DOF, LANES = SP_FC_LANES, COLOURS = 64 };

/* The smallest colour that neither body has yet; masks hold a bit per colour. */
static int free_colour(const sp_fc *p, int i, const unsigned long long *mask)
{
    unsigned long long used = 0;
    for (int k = p->F.start[i]; k < p->F.start[i + 1]; k++) {
        used |= mask[p->F.body[k]];
    }
    int colour = 0;
    while (colour < COLOURS - 1 && (used >> colour & 1u)) {
        colour++;
    }
    return colour;
}

/* Colours of all contacts; those that find none of the first COLOURS - 1 go one by one behind. */
static int colour_contacts(const sp_fc *p, unsigned long long *mask, int *colour_of)
{
    int most = 0;
    memset(mask, 0, (size_t)p->F.n_body * sizeof *mask);
    for (int i = 0; i < p->n_contact; i++) {
        const int c = free_colour(p, i, mask);
        for (int k = p->F.start[i]; c < COLOURS - 1 && k < p->F.start[i + 1]; k++) {
            mask[p->F.body[k]] |= 1ull << c;
        }
        colour_of[i] = c;
        most = c > most ? c : most;
    }
    return most + 1;
}

/* Fours of every colour, colour[c] .. colour[c+1]-1, and how many there are; order: contacts by
 * colour.  Those of the last colour, which may share bodies, have a colour each. */
static int count_fours(sp_fc_pile *q, int n_colour, const int *colour_of, int *order)
{
    int at = 0, fours = 0;
    q->n_colour = 0;
    for (int c = 0; c < n_colour; c++) {
        const int first = at;
        for (int i = 0; i < q->n_contact; i++) {
            if (colour_of[i] == c) {
                order[at++] = i;
            }
        }
        const int alone = c == COLOURS - 1, step = alone ? 1 : at - first;
        for (int k = first; k < at; k += step) {
            q->colour[q->n_colour++] = fours;
            fours += alone ? 1 : (step + LANES - 1) / LANES;
        }
    }
    q->colour[q->n_colour] = fours;
    return fours;
}

/* (H M^-1 H')_ab of lane l of rigid bodies. */
static double rigid_product(const sp_fc_pile *q, const sp_fc_rigid *f, int a, int b, int l)
{
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        const double *J = q->inertia[f->body[side][l]];
        const double r[3] = {f->arm[side][0][l], f->arm[side][1][l], f->arm[side][2][l]};
        const double x[3] = {f->D[a][0][l], f->D[a][1][l], f->D[a][2][l]};
        const double y[3] = {f->D[b][0][l], f->D[b][1][l], f->D[b][2][l]};
        const double m[3] = {r[1] * x[2] - r[2] * x[1], r[2] * x[0] - r[0] * x[2],
                             r[0] * x[1] - r[1] * x[0]};
        const double k[3] = {r[1] * y[2] - r[2] * y[1], r[2] * y[0] - r[0] * y[2],
                             r[0] * y[1] - r[1] * y[0]};
        sum += J[0] * (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) +
               m[0] * (J[1] * k[0] + J[2] * k[1] + J[3] * k[2]) +
               m[1] * (J[2] * k[0] + J[4] * k[1] + J[5] * k[2]) +
               m[2] * (J[3] * k[0] + J[5] * k[1] + J[6] * k[2]);
    }
    return sum;
}

/* Contact i into lane l of a rigid four; i < 0: nothing there.  0: it does not fit. */
static int build_rigid(const sp_fc_pile *q, int i, int l, sp_fc_rigid *f, sp_fc_four_more *more)
{
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    const sp_fc_factors *F = &q->p->F;
    double arm[2][3], largest = 0.0, S[9];
    f->body[0][l] = f->body[1][l] = q->n_body;
    f->G[0][l] = f->G[3][l] = f->G[5][l] = 1.0;
    more->contact[l] = i;
    more->dim[l] = i < 0 ? 0 : 3;
    more->d[l] = 1.0;
    more->set[l] = i < 0 ? sp_set_disc(0.0) : q->p->set[i];
    f->mu[l] = more->set[l].mu;
    if (i < 0) {
        return 1;
    }
    if (!sp_fc_rigid_arms(q->p, i, arm)) {
        return 0;
    }
    for (int side = 0; side < F->start[i + 1] - F->start[i]; side++) {
        f->body[side][l] = F->body[F->start[i] + side];
    }
    for (int e = 0; e < 9; e++) {
        f->D[e / 3][e % 3][l] = F->H[F->at[F->start[i]] + (size_t)(DOF * (e / 3) + e % 3)];
        f->arm[e / 3 % 2][e % 3][l] = arm[e / 3 % 2][e % 3];
    }
    for (int a = 0; a < 3; a++) {
        largest = fmax(largest, rigid_product(q, f, a, a, l));
    }
    more->d[l] = largest > 1e-280 && largest < 1e280 ? 1.0 / sqrt(largest) : 1.0;
    for (int a = 0; a < 3; a++) {
        f->c[a][l] = more->d[l] * q->p->c[q->p->row[i] + a];
        for (int k = 0; k < 3; k++) {
            f->D[a][k][l] *= more->d[l];
        }
    }
    for (int e = 0; e < 6; e++) {
        f->G[e][l] = rigid_product(q, f, row[e], column[e], l);
        S[3 * row[e] + column[e]] = S[3 * column[e] + row[e]] = f->G[e][l];
    }
    return sp_fc_invert(3, S);
}

/* What a pile can be made of, the quickest first. */
typedef enum kind { SPHERES, RIGID, KINDS } kind;

/* Room for n bodies, each in a cache line of its own. */
static sp_fc_bodies *take_bodies(size_t n, sp_fc_stack *stack)
{
    char *block = SP_TAKE(stack, char, (n + 1) * sizeof(sp_fc_bodies));
    const size_t over = (size_t)((uintptr_t)block % sizeof(sp_fc_bodies));
    return (sp_fc_bodies *)(void *)(block + (over ? sizeof(sp_fc_bodies) - over : 0));
}

/* Zeroed memory for the fours of this kind. */
static int place(sp_fc_pile *q, kind k, sp_fc_stack *stack)
{
    const size_t n = (size_t)q->n_four, bodies = (size_t)q->n_body + 1;
    q->spheres = k == SPHERES ? SP_TAKE(stack, sp_fc_spheres, n) : NULL;
    q->rigid = k == RIGID ? SP_TAKE(stack, sp_fc_rigid, n) : NULL;
    q->inertia = k == RIGID ? take_bodies(bodies, stack) : NULL;
    if (stack->failed) {
        return 0;
    }
    memset(q->y, 0, bodies * sizeof *q->y);
    if (k == SPHERES) {
        memset(q->spheres, 0, n * sizeof *q->spheres);
    } else {
        memset(q->rigid, 0, n * sizeof *q->rigid);
        memset(q->inertia, 0, bodies * sizeof *q->inertia);
    }
    return 1;
}

/* Contact i into lane l of four f; 0: it is not of the pile's kind. */
static int fill_lane(sp_fc_pile *q, int i, int f, int l)
{
    const sp_fc_bodies *y = (const sp_fc_bodies *)q->y;
    const int fits = q->spheres ? sp_fc_spheres_fill(q->p, i, l, y, &q->spheres[f], &q->more[f])
                                : build_rigid(q, i, l, &q->rigid[f], &q->more[f]);
    for (int a = 0; a < q->more[f].dim[l]; a++) {
        q->worth = fmax(q->worth, q->more[f].d[l] * fabs(q->p->c[q->p->row[i] + a]));
    }
    return fits;
}

/* Inertia of all bodies; 0: one is not of the pile's kind. */
static int fill_inertia(sp_fc_pile *q)
{
    for (int b = 0; b < q->n_body; b++) {
        if ((q->rigid && !sp_fc_rigid_inertia(q->p, b, q->inertia[b])) ||
            (q->spheres && !sp_fc_spheres_inertia(q->p, b, q->y[b] + DOF))) {
            return 0;
        }
    }
    return 1;
}

/* All lanes of all fours; 0: a contact is not of the pile's kind. */
static int fill_fours(sp_fc_pile *q, const int *order, const int *colour_of)
{
    int at = 0;
    q->worth = 0.0;
    if (!fill_inertia(q)) {
        return 0;
    }
    for (int c = 0; c < q->n_colour; c++) {
        for (int f = q->colour[c], first = at; f < q->colour[c + 1]; f++) {
            memset(q->more[f].tangent, 0, sizeof q->more[f].tangent);
            for (int l = 0; l < LANES; l++) {
                const int alone = l > 0 && colour_of[order[first]] == COLOURS - 1;
                const int more =
                    at < q->n_contact && !alone && colour_of[order[at]] == colour_of[order[first]];
                if (!fill_lane(q, more ? order[at++] : -1, f, l)) {
                    return 0;
                }
            }
        }
    }
    return 1;
}

int sp_fc_pile_build(const sp_fc *p, int threads, sp_fc_stack *stack, sp_fc_pile *q)
{
    const int nc = p->n_contact, nb = p->F.n_body;
    q->p = p;
    q->n_contact = nc;
    q->n_body = nb;
    q->threads = threads;
    q->colour = SP_TAKE(stack, int, nc + 1 + COLOURS);
    int *colour_of = SP_TAKE(stack, int, nc), *order = SP_TAKE(stack, int, nc);
    unsigned long long *mask = SP_TAKE(stack, unsigned long long, nb);
    if (stack->failed) {
        return 0;
    }
    q->n_four = count_fours(q, colour_contacts(p, mask, colour_of), colour_of, order);
    q->more = SP_TAKE(stack, sp_fc_four_more, q->n_four);
    q->y = take_bodies((size_t)nb + 1, stack);
    const sp_fc_mark mark = sp_fc_note(stack);
    for (kind k = SPHERES; k < KINDS && !stack->failed; k++) {
        sp_fc_release(stack, mark);
        if (place(q, k, stack) && fill_fours(q, order, colour_of)) {
            return 1;
        }
    }
    return 0;
}
