#include "io/problem_rows.h"

#include <limits.h>
#include <math.h>

/* Blocks beside and below that differ by more than this part of the diagonal are no transposes. */
#define UNSYMMETRIC 1e-13

/* ---- what becomes of a set ------------------------------------------------------------------- */

typedef enum shape {
    CONTACT,  /* normal row first                                          */
    FRICTION, /* one row that is the tangential one of a contact           */
    UPSIDE,   /* one row that is the normal one of a contact, with -P       */
    FREE      /* bilateral                                                  */
} shape;

/* What a set is in the file. */
static shape shape_of(const sp_set *s)
{
    if (s->kind != SP_SET_INTERVAL) {
        return s->kind == SP_SET_FREE ? FREE : CONTACT;
    }
    const bool lo = isfinite(s->lo), hi = isfinite(s->hi);
    return lo && hi ? FRICTION : lo ? CONTACT : hi ? UPSIDE : FREE;
}

/* Whether a set can be written in this format. */
static sp_status check_set(const sp_set *s, int i, sp_error *err)
{
    if (sp_set_is_ball(s)) {
        return SP_FAIL(err, SP_E_INPUT,
                       "contact %d: friction with drilling, rolling or an ellipse, expected discs, "
                       "intervals and bilateral rows: FCLIB has no others",
                       i);
    }
    return SP_OK;
}

/* Where row a of a set lies, measured by its middle or its finite end. */
static double shift_of(const sp_set *s, int a)
{
    const double moved = s->shifted ? s->shift[a] : 0.0;
    if (s->kind != SP_SET_INTERVAL) {
        return moved;
    }
    switch (shape_of(s)) {
    case FRICTION:
        return moved + 0.5 * s->lo + 0.5 * s->hi;
    case CONTACT:
        return moved + s->lo;
    case UPSIDE:
        return moved + s->hi;
    default:
        return moved;
    }
}

/* The entry of G in rows of contact i, columns of contact j, 0 where there is no block. */
static double entry(const sp_fc *p, int i, int a, int j, int b)
{
    for (int k = p->G.start[i]; k < p->G.start[i + 1]; k++) {
        if (p->G.column[k] == j) {
            return p->G.value[p->G.at[k] + (size_t)(a * sp_set_dim(&p->set[j]) + b)];
        }
    }
    return 0.0;
}

/* Whether G between contacts i and j is not its own transpose. */
static bool is_unsymmetric(const sp_fc *p, int i, int j)
{
    for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
        for (int b = 0; b < sp_set_dim(&p->set[j]); b++) {
            const double size = sqrt(fabs(entry(p, i, a, i, a) * entry(p, j, b, j, b)));
            if (!(fabs(entry(p, i, a, j, b) - entry(p, j, b, i, a)) <= UNSYMMETRIC * size)) {
                return true;
            }
        }
    }
    return false;
}

/* Whether bilateral rows can be V, V' and R of the file: they couple symmetrically to contacts. */
static bool free_rows_fit(const sp_fc *p)
{
    for (int i = 0; i < p->n_contact; i++) {
        for (int k = p->G.start[i]; k < p->G.start[i + 1]; k++) {
            const int j = p->G.column[k];
            if ((shape_of(&p->set[i]) == FREE) != (shape_of(&p->set[j]) == FREE) &&
                is_unsymmetric(p, i, j)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

int sp_problem_rows_count(const sp_problem_rows *w)
{
    return w->dim * w->n_contact + w->n_free;
}

/* Count contacts and bilateral rows; opposed: these become two contacts each. */
static sp_status count(sp_problem_rows *w, bool opposed, sp_error *err)
{
    w->dim = 2;
    for (int i = 0; i < w->p->n_contact; i++) {
        const sp_set *s = &w->p->set[i];
        SP_TRY(check_set(s, i, err));
        const bool is_free = shape_of(s) == FREE;
        w->dim = s->kind == SP_SET_DISC ? 3 : w->dim;
        w->n_free += is_free && !opposed;
        w->n_contact += !is_free ? 1 : opposed ? 2 : 0;
    }
    return SP_OK;
}

/* Memory of all lists. */
static sp_status make_room(sp_problem_rows *w, sp_arena *arena, sp_error *err)
{
    const int n = w->p->n, rows = sp_problem_rows_count(w);
    w->place = SP_NEW(arena, int, n);
    w->twin = SP_NEW(arena, int, n);
    w->shift = SP_NEW(arena, double, n);
    w->source = SP_NEW(arena, int, rows);
    w->sign = SP_NEW(arena, double, rows);
    w->diagonal = SP_NEW(arena, double, rows);
    w->fixed = SP_NEW(arena, double, rows);
    w->mu = SP_NEW(arena, double, w->n_contact);
    if (!w->place || !w->twin || !w->shift || !w->source || !w->sign || !w->diagonal || !w->fixed ||
        !w->mu) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for %d rows", n);
    }
    for (int k = 0; k < rows; k++) {
        w->source[k] = -1;
        w->sign[k] = 1.0;
        w->diagonal[k] = 1.0;
    }
    return SP_OK;
}

/* Row k of p is row `at` of the file. */
static void put_row(sp_problem_rows *w, int k, int at, double sign)
{
    w->source[at] = k;
    w->sign[at] = sign;
}

/* Set i as contact number `at` of the file; its empty rows are as stiff as its own ones, so that
 * measures that look at the diagonal see the same. */
static void put_contact(sp_problem_rows *w, int i, int at)
{
    const sp_set *s = &w->p->set[i];
    const shape what = shape_of(s);
    const int first = w->dim * at, row = w->p->row[i], dim = sp_set_dim(s);
    double most = 0.0;
    for (int a = 0; a < dim; a++) {
        most = fmax(most, entry(w->p, i, a, i, a));
    }
    for (int a = 0; a < w->dim; a++) {
        w->diagonal[first + a] = most > 0.0 ? most : 1.0;
    }
    for (int a = 0; a < dim; a++) {
        w->place[row + a] = first + a + (what == FRICTION);
        put_row(w, row + a, w->place[row + a], what == UPSIDE ? -1.0 : 1.0);
    }
    if (what == FRICTION) {
        const double half = 0.5 * s->hi - 0.5 * s->lo;
        w->fixed[first] = half;
        w->mu[at] = half > 0.0 ? 1.0 : 0.0;
    } else {
        w->mu[at] = s->kind == SP_SET_PLANAR || s->kind == SP_SET_DISC ? s->mu : 0.0;
    }
}

/* The free set i as two contacts from number `at` on. */
static void put_opposed(sp_problem_rows *w, int i, int at)
{
    const int row = w->p->row[i];
    put_contact(w, i, at);
    put_contact(w, i, at + 1);
    w->place[row] = w->dim * at;
    w->twin[row] = w->dim * (at + 1);
    put_row(w, row, w->twin[row], -1.0);
}

sp_status sp_problem_rows_find(const sp_fc *p, sp_arena *arena, sp_problem_rows *w, sp_error *err)
{
    const bool opposed = !free_rows_fit(p);
    *w = (sp_problem_rows){.p = p};
    SP_TRY(count(w, opposed, err));
    SP_TRY(make_room(w, arena, err));
    for (int i = 0, contact = 0, free = w->dim * w->n_contact; i < p->n_contact; i++) {
        for (int a = 0; a < sp_set_dim(&p->set[i]); a++) {
            w->shift[p->row[i] + a] = shift_of(&p->set[i], a);
            w->twin[p->row[i] + a] = -1;
        }
        if (shape_of(&p->set[i]) != FREE) {
            put_contact(w, i, contact++);
        } else if (opposed) {
            put_opposed(w, i, contact);
            contact += 2;
        } else {
            w->place[p->row[i]] = free;
            put_row(w, p->row[i], free++, 1.0);
        }
    }
    return SP_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* One more entry. */
static void add_entry(sp_entries *e, int row, int column, double value)
{
    e->row[e->count] = row;
    e->column[e->count] = column;
    e->value[e->count++] = value;
}

/* G(k, l) = value at all places that rows k and l of p have. */
static void add_entries(const sp_problem_rows *w, int k, int l, double value, sp_entries *e)
{
    const int row[2] = {w->place[k], w->twin[k]}, column[2] = {w->place[l], w->twin[l]};
    for (int a = 0; a < 2 && row[a] >= 0; a++) {
        for (int b = 0; b < 2 && column[b] >= 0; b++) {
            add_entry(e, row[a], column[b], w->sign[row[a]] * w->sign[column[b]] * value);
        }
    }
}

sp_status sp_problem_rows_entries(const sp_problem_rows *w, sp_arena *arena, sp_entries *e,
                                  sp_error *err)
{
    const sp_fc *p = w->p;
    const int rows = sp_problem_rows_count(w);
    size_t most = (size_t)rows;
    for (int i = 0; i < p->n_contact; i++) {
        for (int b = p->G.start[i]; b < p->G.start[i + 1]; b++) {
            most += 4 * (size_t)(sp_set_dim(&p->set[i]) * sp_set_dim(&p->set[p->G.column[b]]));
        }
    }
    if (most > INT_MAX) {
        return SP_FAIL(err, SP_E_CAPACITY, "%zu entries, FCLIB counts up to %d", most, INT_MAX);
    }
    SP_TRY(sp_entries_room(e, most, NULL, arena, err));
    e->count = 0;
    for (int i = 0; i < p->n_contact; i++) {
        for (int b = p->G.start[i]; b < p->G.start[i + 1]; b++) {
            const int j = p->G.column[b];
            const int dim_i = sp_set_dim(&p->set[i]), dim_j = sp_set_dim(&p->set[j]);
            for (int k = 0; k < dim_i * dim_j; k++) {
                add_entries(w, p->row[i] + k / dim_j, p->row[j] + k % dim_j,
                            p->G.value[p->G.at[b] + (size_t)k], e);
            }
        }
    }
    for (int k = 0; k < rows; k++) {
        if (w->source[k] < 0) {
            add_entry(e, k, k, w->diagonal[k]);
        }
    }
    return SP_OK;
}

/* G P + c in the rows of the file; empty rows get `empty` times W_kk r_k. */
static double *velocities(const sp_problem_rows *w, const double *P, double empty, sp_arena *arena)
{
    const int rows = sp_problem_rows_count(w);
    double *xi = SP_NEW(arena, double, w->p->n), *y = SP_NEW(arena, double, rows);
    if (!xi || !y) {
        return NULL;
    }
    sp_fc blocks = *w->p;
    blocks.F.start = NULL; /* the blocks say the same without scratch */
    sp_fc_velocity(&blocks, P, xi, NULL);
    for (int k = 0; k < rows; k++) {
        y[k] = w->source[k] >= 0    ? w->sign[k] * xi[w->source[k]]
               : w->fixed[k] != 0.0 ? empty * w->diagonal[k] * w->fixed[k]
                                    : 0.0;
    }
    return y;
}

double *sp_problem_rows_q(const sp_problem_rows *w, sp_arena *arena)
{
    return velocities(w, w->shift, -1.0, arena);
}

double *sp_problem_rows_u(const sp_problem_rows *w, const double *P, sp_arena *arena)
{
    return velocities(w, P, 0.0, arena);
}

double *sp_problem_rows_r(const sp_problem_rows *w, const double *P, sp_arena *arena)
{
    const int rows = sp_problem_rows_count(w);
    double *r = SP_NEW(arena, double, rows);
    for (int k = 0; r && k < rows; k++) {
        const int from = w->source[k];
        const double value = from < 0 ? w->fixed[k] : w->sign[k] * (P[from] - w->shift[from]);
        const bool opposed = from >= 0 && w->twin[from] >= 0;
        r[k] = opposed && value < 0.0 ? 0.0 : value;
    }
    return r;
}
