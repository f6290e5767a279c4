/* integrators/smooth_slide.c - friction that slides, as a share of the normal force: along one line
 * in the plane, in any direction in space, with drilling and rolling.   theory (23.1)-(23.5) */
#include "base/status.h"
#include "contact/coefficient.h"
#include "integrators/smooth.h"

#include <math.h>
#include <string.h>

#define HOLDS SP_SMALL /* of the slip at the beginning of a step: slower slip has no direction */
#define AGREE 1e-15    /* drags that change by less are those of the normal forces */

bool sp_smooth_slide_room(sp_smooth *s, int n_row)
{
    sp_arena *arena = &s->w->arena;
    sp_slip_start *p = &s->start;
    const size_t n = (size_t)(n_row > 0 ? n_row : 1);
    s->drag = sp_arena_alloc(arena, n, sizeof *s->drag);
    if (s->m->dim != 3 || s->m->n_slot == 0) {
        return s->drag != NULL;
    }
    s->slip = sp_arena_alloc(arena, n, sizeof *s->slip);
    s->way = SP_NEW(arena, sp_way, s->m->n_slot);
    s->starting = SP_NEW(arena, unsigned char, s->m->n_slot);
    p->G = SP_NEW(arena, double, n *n);
    p->c = SP_NEW(arena, double, n);
    p->P = SP_NEW(arena, double, n);
    p->set = SP_NEW(arena, sp_set, n);
    p->row = SP_NEW(arena, int, n);
    p->at = SP_NEW(arena, int, n);
    p->who = SP_NEW(arena, int, n);
    p->status = SP_NEW(arena, unsigned char, n);
    p->found = SP_NEW(arena, double, n);
    p->work = sp_arena_alloc(arena, sp_solve_work(n_row, n_row) + 1, 1);
    return s->drag && s->slip && s->way && s->starting && p->G && p->c && p->P && p->set &&
           p->row && p->at && p->who && p->status && p->found && p->work;
}

/* Whether contact a of w->con is one of two contours in space. */
static bool in_space(const sp_smooth *s, int a)
{
    return a < s->closed.n && s->m->slot[s->w->con.active[a]].is.space;
}

bool sp_smooth_row_slides(const sp_smooth *s, int a, int k)
{
    const int sliding = a < s->closed.n ? sp_sliding(s->closed.status[a]) : 0;
    sp_group g[SP_GROUPS];
    if (sliding == 0 || !in_space(s, a)) {
        return sliding != 0;
    }
    const int n = sp_slide_groups(&s->w->con.set[a], g), group = n == 2 && k >= g[1].first ? 1 : 0;
    return (sliding >> group) & 1;
}

/* ---- directions ------------------------------------------------------------------------------ */

/* The way of group g (1: rolling) of contact a in the rows of the contact. */
static void way_in_rows(const sp_smooth *s, int a, sp_group g, bool rolling, double *row)
{
    const sp_contact_frame3 *f = &s->w->con.frame3[a];
    const sp_way *way = &s->way[s->w->con.active[a]];
    const sp_vec3 x = rolling ? way->R : way->T;
    row[0] = sp_inner3(f->t[0], x);
    row[1] = sp_inner3(f->t[1], x);
    if (g.n > 2) {
        row[2] = way->D;
    }
}

/* Velocities of the rows of group g of contact a; their length. */
static double velocity_of(const sp_smooth *s, int a, sp_group g, const double *u, double *gamma)
{
    const sp_con *con = &s->w->con;
    double sum = 0.0;
    for (int k = 0; k < g.n; k++) {
        const int r = con->row[a] + g.first + k;
        gamma[k] = sp_con_dot(con, a, r, u) + con->w_tilde[r];
        sum = hypot(sum, gamma[k]);
    }
    return sum;
}

double sp_smooth_along(const sp_smooth *s, int a, sp_group g, const double *u, double *gamma,
                       double *across)
{
    sp_group all[SP_GROUPS];
    double way[SP_FRICTION_ROWS], sum = 0.0, rest = 0.0;
    sp_slide_groups(&s->w->con.set[a], all);
    velocity_of(s, a, g, u, gamma);
    way_in_rows(s, a, g, g.first != all[0].first, way);
    for (int k = 0; k < g.n; k++) {
        sum += gamma[k] * way[k];
    }
    for (int k = 0; k < g.n && across; k++) {
        rest = hypot(rest, gamma[k] - sum * way[k]);
        *across = rest;
    }
    return sum;
}

void sp_smooth_face(sp_smooth *s, int a, const double *u)
{
    const sp_contact_frame3 *f = &s->w->con.frame3[a];
    sp_way *way = &s->way[s->w->con.active[a]];
    sp_group g[SP_GROUPS];
    const int n = sp_slide_groups(&s->w->con.set[a], g);
    for (int i = 0; i < n; i++) {
        double gamma[SP_FRICTION_ROWS];
        const double len = way->speed[i] = velocity_of(s, a, g[i], u, gamma);
        if (!(len > s->still)) {
            continue;
        }
        const sp_vec3 x = sp_axpy3(sp_scale3(gamma[0] / len, f->t[0]), gamma[1] / len, f->t[1]);
        *(i == 0 ? &way->T : &way->R) = x;
        if (g[i].n > 2) {
            way->D = gamma[2] / len;
        }
    }
}

/* ---- drags ----------------------------------------------------------------------------------- */

/* Slip of group i of contact a: its velocity, turned round where that points against the way, so
 * that forces go on smoothly where slip passes zero; the way itself where it hardly moves, whose
 * direction there is that of the errors inside a step.   theory (23.6) */
static void slip_of(sp_smooth *s, int a, sp_group g, bool rolling, const double *u)
{
    const double slow = HOLDS * s->way[s->w->con.active[a]].speed[rolling];
    const double still = slow > s->still ? slow : s->still;
    double *slip = s->slip[a] + g.first - 1, way[SP_FRICTION_ROWS], along = 0.0;
    const double len = velocity_of(s, a, g, u, slip);
    way_in_rows(s, a, g, rolling, way);
    for (int k = 0; k < g.n; k++) {
        along += slip[k] * way[k];
    }
    for (int k = 0; k < g.n; k++) {
        slip[k] = !(len > still) ? way[k] : along < 0.0 ? -slip[k] : slip[k];
    }
}

/* The groups of contact a that slide and have a direction of their own. */
static int going(const sp_smooth *s, int a, unsigned char status)
{
    return sp_sliding(status) & ~s->starting[s->w->con.active[a]];
}

/* Drags of contact a under the normal force N, from its slip. */
static void drags_of(sp_smooth *s, int a, unsigned char status, double N, double *drag)
{
    const sp_set *set = &s->w->con.set[a];
    sp_group g[SP_GROUPS];
    const int n = sp_slide_groups(set, g), groups = going(s, a, status);
    for (int i = 0; i < n; i++) {
        if ((groups >> i) & 1) {
            sp_slide_drag(set, i, N, s->slip[a] + g[i].first - 1, drag + g[i].first - 1);
        }
    }
}

/* The same as sp_smooth_slide in space. */
static void slide_in_space(sp_smooth *s, int a, unsigned char status, const double *u)
{
    sp_con *con = &s->w->con;
    sp_group g[SP_GROUPS];
    const int n = sp_slide_groups(&con->set[a], g), groups = going(s, a, status);
    for (int i = 0; i < n; i++) {
        if ((groups >> i) & 1) {
            slip_of(s, a, g[i], i == 1, u);
        }
    }
    if ((sp_sliding(status) & 1) && sp_con_by_speed(s->m, con->active[a])) {
        double gamma[SP_FRICTION_ROWS];
        const double v = velocity_of(s, a, g[0], u, gamma);
        con->set[a].mu = sp_con_mu(s->m, s->num, con, con->active[a], v, NULL);
    }
    drags_of(s, a, status, 0.0, s->drag[a]);
}

void sp_smooth_slide(sp_smooth *s, int a, unsigned char status, const double *u)
{
    sp_con *con = &s->w->con;
    const int slot = con->active[a], r = con->row[a] + 1;
    memset(s->drag[a], 0, sizeof *s->drag);
    if (status == SP_STICK) {
        return;
    }
    if (con->set[a].kind == SP_SET_PLANAR) {
        if (sp_con_by_speed(s->m, slot)) {
            const double gamma = sp_con_dot(con, a, r, u) + con->w_tilde[r];
            con->set[a].mu = sp_con_mu(s->m, s->num, con, slot, fabs(gamma), NULL);
        }
        s->drag[a][0] = status == SP_SLIP_POS ? -con->set[a].mu : con->set[a].mu;
    } else if (in_space(s, a)) {
        slide_in_space(s, a, status, u);
    }
}

double sp_smooth_dragged(const sp_smooth *s, int r, int a)
{
    const sp_con *con = &s->w->con;
    const double *G = con->G + (size_t)r * (size_t)con->n_row + con->row[a];
    double sum = 0.0;
    for (int k = 1; k < con->row[a + 1] - con->row[a]; k++) {
        sum += s->drag[a][k - 1] != 0.0 ? s->drag[a][k - 1] * G[k] : 0.0;
    }
    return sum;
}

double sp_smooth_slide_again(sp_smooth *s, const double *P)
{
    const sp_con *con = &s->w->con;
    double most = 0.0;
    for (int a = 0; a < s->closed.n; a++) {
        if (!in_space(s, a) || con->set[a].R_N == 0.0 || going(s, a, s->closed.status[a]) == 0) {
            continue;
        }
        const double N = fmax(0.0, P[con->row[a]] + sp_slide_pull(&con->set[a]));
        double drag[SP_FRICTION_ROWS];
        memcpy(drag, s->drag[a], sizeof drag);
        drags_of(s, a, s->closed.status[a], N, drag);
        for (int k = 0; k < SP_FRICTION_ROWS; k++) {
            most = fmax(most, fabs(drag[k] - s->drag[a][k]));
            s->drag[a][k] = drag[k];
        }
    }
    return most > AGREE ? most : 0.0;
}

/* ---- groups that begin to slide
 * ------------------------------------------------------------------------ */

/* The groups of contact a that begin to slide. */
static int starting(const sp_smooth *s, int a)
{
    return in_space(s, a) ? sp_sliding(s->closed.status[a]) & s->starting[s->w->con.active[a]] : 0;
}

/* One more contact of the problem: these rows of contact a. */
static void add_rows(sp_slip_start *p, const sp_con *con, int a, const sp_set *set, const int *rows,
                     int *n_contact, int *n)
{
    p->who[*n_contact] = a;
    p->row[*n_contact] = *n;
    p->set[*n_contact] = *set;
    p->status[(*n_contact)++] = SP_STATUS_UNKNOWN;
    for (int k = 0; k < sp_set_dim(set); k++) {
        p->at[(*n)++] = con->row[a] + rows[k];
    }
}

/* Rows of the problem: contacts that begin to slide as their sets, all others as what they hold. */
static int list_rows(sp_smooth *s, int *n_contact)
{
    const sp_con *con = &s->w->con;
    const sp_set held = sp_set_free();
    int n = 0;
    *n_contact = 0;
    for (int a = 0; a < con->n_active; a++) {
        int rows[SP_SET_DIM_MAX];
        if (starting(s, a)) {
            const sp_set rest = sp_slide_rest(&con->set[a], going(s, a, s->closed.status[a]), rows);
            add_rows(&s->start, con, a, &rest, rows, n_contact, &n);
            continue;
        }
        for (int k = 0; k < con->row[a + 1] - con->row[a] && !sp_smooth_is_known(s, a); k++) {
            if (k == 0 || !sp_smooth_row_slides(s, a, k)) {
                add_rows(&s->start, con, a, &held, &k, n_contact, &n);
            }
        }
    }
    return n;
}

/* G and c of the problem. */
static void fill_problem(sp_smooth *s, int n_contact, int n)
{
    const sp_con *con = &s->w->con;
    sp_slip_start *p = &s->start;
    for (int i = 0; i < n; i++) {
        const int r = p->at[i];
        p->c[i] = s->w->sol.c[r];
        p->P[i] = 0.0;
        for (int a = 0; a < s->closed.n; a++) {
            const double *G = con->G + (size_t)r * (size_t)con->n_row + con->row[a];
            p->c[i] += sp_smooth_is_known(s, a) ? G[0] * sp_smooth_known_force(s, a) : 0.0;
            p->c[i] += sp_slide_pull(&con->set[a]) * sp_smooth_dragged(s, r, a);
        }
        for (int j = 0; j < n_contact; j++) {
            const int a = p->who[j], first = p->row[j];
            for (int k = 0; k < sp_set_dim(&p->set[j]); k++) {
                const int column = p->at[first + k];
                p->G[(size_t)i * (size_t)n + (size_t)(first + k)] =
                    con->G[(size_t)r * (size_t)con->n_row + (size_t)column] +
                    (column == con->row[a] && a < s->closed.n ? sp_smooth_dragged(s, r, a) : 0.0);
            }
        }
    }
}

sp_status sp_smooth_start_slip(sp_smooth *s, sp_error *err)
{
    const sp_con *con = &s->w->con;
    sp_slip_start *p = &s->start;
    int n_contact;
    p->any = false;
    for (int a = 0; a < s->closed.n && s->starting; a++) {
        p->any = p->any || starting(s, a);
    }
    if (!p->any) {
        return SP_OK;
    }
    const int n = list_rows(s, &n_contact);
    fill_problem(s, n_contact, n);
    const sp_problem problem = {.n_contact = n_contact,
                                .n = n,
                                .set = p->set,
                                .row = p->row,
                                .G = p->G,
                                .ld = n,
                                .c = p->c,
                                .xi_scale = s->w->sol.xi_scale,
                                .space = &s->w->sol.space};
    sp_solution solution = {.P = p->P, .status = p->status};
    const sp_status status = sp_solve(&problem, &solution, p->work, err);
    sp_watch_show(s->w->watch, SP_WATCH_ACCELERATION, &problem, NULL, &solution);
    SP_TRY(status);
    memset(p->found, 0, (size_t)con->n_row * sizeof(double));
    for (int i = 0; i < n; i++) {
        p->found[p->at[i]] = p->P[i];
    }
    for (int j = 0; j < n_contact; j++) {
        const int a = p->who[j], dim = sp_set_dim(&p->set[j]);
        const double N = p->P[p->row[j]] + sp_slide_pull(&con->set[a]);
        for (int k = 1; k < dim && N > 0.0; k++) {
            const int row = p->at[p->row[j] + k] - con->row[a];
            if (sp_smooth_row_slides(s, a, row)) {
                s->drag[a][row - 1] = p->P[p->row[j] + k] / N;
            }
        }
    }
    return SP_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

void sp_smooth_keep(const sp_smooth *s, int a, const double *P, double dt, sp_contact_memory *c)
{
    const sp_con *con = &s->w->con;
    const int r = con->row[a], n = con->row[a + 1] - r;
    c->P_N = P[r] * dt;
    c->P_T = n > 1 ? P[r + 1] * dt : 0.0;
    c->P_T2 = n > 2 ? P[r + 2] * dt : 0.0;
    for (int k = 0; k < 3; k++) {
        c->P_S[k] = n > 3 + k ? P[r + 3 + k] * dt : 0.0;
    }
}
