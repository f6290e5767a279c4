#include "impact/several.h"

/* The phase, and what normal impulses add to those along. */
typedef struct phase {
    const sp_problem *p;
    const double *lean;
} phase;

/* 1/2 du.M du of impulses P that change the velocities of their rows from c to xi. */
static double jump_of(const void *ctx, const sp_seek_part *part)
{
    const phase *f = (const phase *)ctx;
    double sum = 0.0;
    for (int k = 0; k < part->n; k++) {
        sum += 0.5 * part->P[k] * (part->xi[k] - f->p->c[part->row[k]]);
    }
    for (int i = 0; i < part->n_contact && f->lean; i++) {
        const double lean = f->lean[part->who[i]];
        const int N = part->at[i], T = N + 1;
        sum += lean != 0.0 ? 0.5 * lean * part->P[N] * (part->xi[T] - f->p->c[part->row[T]]) : 0.0;
    }
    return sum;
}

sp_sought sp_impact_several(const sp_problem *p, const double *lean, sp_solution *s, void *work)
{
    const phase f = {p, lean};
    const sp_judge judge = {jump_of, &f};
    return sp_seek(p, &judge, s, work);
}

sp_sought sp_impact_several_speeds(const sp_problem *p, const sp_speeds *law, sp_solution *s,
                                   void *work)
{
    const phase f = {p, NULL};
    const sp_judge judge = {jump_of, &f};
    return sp_seek_speeds(p, law, &judge, s, work);
}
