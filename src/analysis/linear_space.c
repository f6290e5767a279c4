/* analysis/linear_space.c - closed contacts of contours in space: what they hold, and the friction
 * of those that slide, which follows their velocities.   theory (24.1), (24.2) */
#include "analysis/linear_parts.h"
#include "contact/coefficient.h"
#include "contact/con3.h"

#include <string.h>

/* ---- friction per normal force --------------------------------------------------------------- */

/* One entry of the slopes of a slide. */
static double *slope_at(sp_slide *s, int i, int j)
{
    return &s->slope[SP_SLIDE_ROWS * i + j];
}

/* Two parts from `first` on with the ellipse of half axes mu at the velocity g, not zero:
 *
 *     lambda_i = -mu_i^2 g_i/phi,   phi^2 = sum mu_i^2 g_i^2                       theory (24.2) */
static void ellipse(const double mu[2], const double *g, int first, sp_slide *s)
{
    const double phi = hypot(mu[0] * g[0], mu[1] * g[1]);
    for (int i = 0; i < 2 && phi > 0.0; i++) {
        s->lambda[first + i] = -mu[i] * mu[i] * g[i] / phi;
    }
    for (int i = 0; i < 2 && phi > 0.0; i++) {
        for (int j = 0; j < 2; j++) {
            const double unit = i == j ? mu[i] * mu[i] : 0.0;
            *slope_at(s, first + i, first + j) =
                (s->lambda[first + i] * s->lambda[first + j] - unit) / phi;
        }
    }
}

/* Sliding without drilling: disc or ellipse, and a coefficient that changes with the speed. */
static void slip(const sp_linear *l, const sp_state *x, int slot, const double *g, sp_slide *s)
{
    const sp_law_numbers *law = &x->numbers->law[l->m->slot[slot].law];
    const double speed = hypot(g[0], g[1]);
    double mu[2] = {law->mu, law->mu_2 > 0.0 ? law->mu_2 : law->mu}, slope = 0.0;
    if (sp_con_by_speed(l->m, slot)) {
        mu[0] = mu[1] = sp_con_mu(l->m, x->numbers, &l->w->con, slot, speed, &slope);
    }
    ellipse(mu, g, 0, s);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            *slope_at(s, i, j) -= slope * g[i] * g[j] / (speed * speed);
        }
    }
}

/* Sliding and drilling of a spot: velocity g (2) and spin. */
static void drill(const sp_law_numbers *law, const double *g, double spin, sp_slide *s)
{
    sp_contensou_law spot = law->spot;
    double D[9];
    spot.mu = law->mu;
    sp_contensou_force(&spot, 1.0, g, spin, s->lambda, &s->lambda[2], D);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            *slope_at(s, i, j) = D[3 * i + j];
        }
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Rows of W behind the normal one: those of sliding (with drilling), then those of rolling. */
typedef struct groups {
    int n_slide, n_roll;
    bool drills;
} groups;

/* What a set has. */
static groups groups_of(const sp_set *set)
{
    const bool drills = sp_set_drills(set);
    const bool rolls = set->kind == SP_SET_ROLLING || set->kind == SP_SET_CONTENSOU_ROLLING;
    return (groups){sp_set_dim(set) < 3 ? 0 : drills ? 3 : 2, rolls ? 2 : 0, drills};
}

/* Length of n numbers. */
static double length(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

/* Rows from `first` to `end` of W are held; part is what the first of them is. */
static void hold_rows(sp_linear *l, int contact, int first, int end, int part, double lever,
                      const double *bias)
{
    for (int i = first; i < end; i++, part++) {
        sp_linear_row *row = sp_linear_add_row(l, contact, i, 0.0, bias[i]);
        row->part = part;
        row->lever = part >= 3 ? lever : 1.0;
    }
}

/* Friction of a contact that slides or rolls against it goes with its normal force: B of the normal
 * row, and the slopes.   theory (24.1) */
static void follow(sp_linear *l, int contact, int normal, const groups *g, double lever)
{
    const sp_slide *s = &l->unit[l->n_slide];
    double *B = l->B + (size_t)normal * (size_t)l->n;
    const int r = l->w->con.row[contact];
    for (int i = 0; i < g->n_slide; i++) {
        sp_linear_spread(l, contact, r + 1 + i, s->lambda[i] / (i == 2 ? lever : 1.0), B);
    }
    for (int i = 0; i < g->n_roll; i++) {
        sp_linear_spread(l, contact, r + 1 + g->n_slide + i, s->lambda[3 + i] / lever, B);
    }
    l->slide_row[l->n_slide++] = normal;
}

/* What friction by the force itself, not by its share, would need is not there. */
static sp_status check_law(const sp_slot *s, const sp_law_numbers *law, sp_error *err)
{
    if (law->spot.hertz > 0.0 || law->spot.adhesion > 0.0) {
        return SP_FAIL(
            err, SP_E_INPUT,
            "contact '%s': small motions are found for sliding friction in proportion to "
            "the normal force; give its law a constant 'radius' and no 'adhesion'",
            s->name);
    }
    return SP_OK;
}

sp_status sp_linear_space_rows(sp_linear *l, const sp_state *x, int contact, sp_closed_kind kind,
                               sp_error *err)
{
    const sp_con *con = &l->w->con;
    const int slot = con->active[contact], r = con->row[contact], normal = l->n_row;
    const sp_slot *s = &l->m->slot[slot];
    const sp_law_numbers *law = &x->numbers->law[s->law];
    const groups n = groups_of(&con->set[contact]);
    double g[SP_SET_DIM_MAX] = {0.0}, bias[SP_SET_DIM_MAX] = {0.0};
    sp_slide *unit = &l->unit[l->n_slide];
    for (int i = 0; i < con->row[contact + 1] - r; i++) {
        g[i] = sp_con_dot(con, contact, r + i, x->u) + con->w_tilde[r + i];
    }
    sp_con_slot_bias(l->m, x->numbers, con, contact, bias);
    sp_linear_add_row(l, contact, 0, con->g[slot], bias[0])->mu = law->mu;
    *unit = (sp_slide){.slot = slot};

    const bool slips = n.n_slide > 0 && length(n.n_slide, g + 1) > SP_STICKS_BELOW;
    const bool rolls = n.n_roll > 0 && length(2, g + 1 + n.n_slide) > SP_STICKS_BELOW;
    const bool stuck = kind == SP_CLOSED_STICKS;
    if (stuck || (kind == SP_CLOSED_ITSELF && !slips)) {
        hold_rows(l, contact, 1, 1 + n.n_slide, 1, law->lever, bias);
    } else if (slips && n.drills) {
        drill(law, g + 1, g[3] / law->lever, unit);
    } else if (slips) {
        slip(l, x, slot, g + 1, unit);
    }
    if (stuck || !rolls) {
        hold_rows(l, contact, 1 + n.n_slide, 1 + n.n_slide + n.n_roll, 4, law->lever, bias);
    } else {
        const double length_2[2] = {law->spot.rolling, law->spot.rolling};
        const double spin[2] = {g[1 + n.n_slide] / law->lever, g[2 + n.n_slide] / law->lever};
        ellipse(length_2, spin, 3, unit);
    }
    if (!stuck && (slips || rolls)) {
        SP_TRY(check_law(s, law, err));
        follow(l, contact, normal, &n, law->lever);
    }
    return SP_OK;
}

sp_status sp_linear_space_is_there(const sp_linear *l, int slot, sp_error *err)
{
    int a, b;
    if (l->m->slot[slot].is.space &&
        (!sp_con3_pair(l->m, &l->w->con, slot, &a, &b) || isinf(l->w->con.g[slot]))) {
        return SP_FAIL(err, SP_E_INPUT,
                       "contact '%s' does not touch here; close only contacts that touch ('start')",
                       l->m->slot[slot].name);
    }
    return SP_OK;
}

void sp_linear_space_spins(sp_linear *l)
{
    const sp_kin *kin = &l->w->kin;
    for (int i = 0; i < l->n_spin; i++) {
        const int body = l->spin[i].body, axis = l->spin[i].axis, r = l->n_row++;
        const sp_vec3 e = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
        const double lambda = l->row[r].lambda; /* stays from look to look */
        double *A = l->A + (size_t)r * (size_t)l->n;
        const sp_path *p = &kin->path[0];
        const sp_spot s = sp_spot_origin(kin, body);
        const int n = sp_spot_columns(l->m, kin, &s, p->sup, p->v, p->w);
        memset(A, 0, (size_t)l->n * sizeof *A);
        for (int k = 0; k < n; k++) {
            A[p->sup[k]] = sp_inner3(e, p->w[k]);
        }
        memcpy(l->B + (size_t)r * (size_t)l->n, A, (size_t)l->n * sizeof *A);
        l->row[r] = (sp_linear_row){.slot = SP_NONE,
                                    .part = i,
                                    .lever = 1.0,
                                    .bias = sp_inner3(e, sp_spot_spin_bias(kin, &s)),
                                    .lambda = lambda};
        l->spin_row[i] = (sp_spin_row){body, e, 0.0};
    }
}

void sp_linear_space_slides(sp_linear *l)
{
    for (int i = 0; i < l->n_spin; i++) {
        l->spin_row[i].lambda = l->row[l->n_row - l->n_spin + i].lambda;
    }
    for (int i = 0; i < l->n_slide; i++) {
        const double lambda_N = l->row[l->slide_row[i]].lambda;
        const sp_slide *unit = &l->unit[i];
        sp_slide *s = &l->slide[i];
        *s = *unit;
        for (int k = 0; k < SP_SLIDE_ROWS; k++) {
            s->lambda[k] *= lambda_N;
        }
        for (int k = 0; k < SP_SLIDE_ROWS * SP_SLIDE_ROWS; k++) {
            s->slope[k] *= lambda_N;
        }
    }
}

void sp_linear_row_slopes(sp_linear *l, const sp_state *x, double *A_q)
{
    const size_t n = (size_t)l->n;
    const sp_tangent_point at = {.at = {x->t, x->q, x->u, l->a, x->z, &l->w->kin},
                                 .con = &l->w->con,
                                 .n_row = l->n_row - l->n_spin,
                                 .row = l->held_row,
                                 .n_spin = l->n_spin,
                                 .spin = l->spin_row,
                                 .gamma = l->gamma};
    double *one = l->s1, *none = l->s2;
    memset(one, 0, n * sizeof *one);
    memset(none, 0, n * sizeof *none);
    for (int r = 0; r < l->n_row - l->n_spin; r++) {
        l->held_row[r] = (sp_held_row){l->row[r].slot, l->row[r].part, 0.0};
    }
    for (size_t k = 0; k < n; k++) {
        one[k] = 1.0;
        sp_tangent_look(l->m, x->numbers, &at, one, none, &l->tangent);
        for (int r = 0; r < l->n_row; r++) {
            A_q[(size_t)r * n + k] = l->row[r].lever * l->gamma[r].d;
        }
        one[k] = 0.0;
    }
}
