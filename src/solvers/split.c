#include "solvers/split.h"

#include "base/aligned.h"

#include <math.h>
#include <string.h>

size_t sp_split_bytes(int n_contact_max, int n_max)
{
    const size_t nc = (size_t)n_contact_max, n = (size_t)n_max;
    return sp_aligned((n * n + 2 * n) * sizeof(double)) + sp_aligned(nc * sizeof(sp_set)) +
           sp_aligned(3 * nc * sizeof(int)) + sp_aligned(nc);
}

/* Let the arrays point into memory. */
static void place(const sp_problem *p, char *memory, sp_split *w)
{
    const size_t nc = (size_t)p->n_contact, n = (size_t)p->n;
    w->G = (double *)(void *)memory;
    w->c = w->G + n * n;
    w->P = w->c + n;
    memory += sp_aligned((n * n + 2 * n) * sizeof(double));
    w->set = (sp_set *)(void *)memory;
    memory += sp_aligned(nc * sizeof(sp_set));
    w->part = (int *)(void *)memory;
    w->todo = w->part + nc;
    w->row = w->todo + nc;
    memory += sp_aligned(3 * nc * sizeof(int));
    w->status = (unsigned char *)memory;
}

/* Whether block (i, j) of G is not zero; NaN is not. */
static int acts_on(const sp_problem *p, int i, int j)
{
    const int rows = sp_set_dim(&p->set[i]), columns = sp_set_dim(&p->set[j]);
    for (int a = 0; a < rows; a++) {
        const double *G = p->G + (size_t)(p->row[i] + a) * (size_t)p->ld + p->row[j];
        for (int b = 0; b < columns; b++) {
            if (G[b] != 0.0) {
                return 1;
            }
        }
    }
    return 0;
}

int sp_split_parts(const sp_problem *p, int *part, int *todo, int *left)
{
    int n_part = 0, n_left = p->n_contact;
    for (int i = 0; i < p->n_contact; i++) {
        left[i] = i;
    }
    for (; n_left > 0; n_part++) {
        int n_todo = 1;
        todo[0] = left[0];
        part[left[0]] = n_part;
        memmove(left, left + 1, (size_t)--n_left * sizeof *left);
        while (n_todo > 0 && n_left > 0) {
            const int i = todo[--n_todo];
            int kept = 0;
            for (int k = 0; k < n_left; k++) {
                const int j = left[k];
                if (acts_on(p, i, j) || acts_on(p, j, i)) {
                    part[j] = n_part;
                    todo[n_todo++] = j;
                } else {
                    left[kept++] = j;
                }
            }
            n_left = kept;
        }
    }
    return n_part;
}

int sp_split_find(const sp_problem *p, void *memory, sp_split *w)
{
    place(p, (char *)memory, w);
    return sp_split_parts(p, w->part, w->todo, w->row); /* rows are not needed yet */
}

/* The size that the terms of c have in the whole: c itself where nothing is said. */
static double scale_of(const sp_problem *p)
{
    double scale = p->xi_scale;
    for (int k = 0; k < p->n && !(p->xi_scale > 0.0); k++) {
        scale = fabs(p->c[k]) > scale ? fabs(p->c[k]) : scale;
    }
    return scale;
}

void sp_split_take(const sp_problem *p, const sp_solution *s, int part, sp_split *w,
                   sp_problem *own, sp_solution *own_s)
{
    *own = *p;
    own->n_contact = own->n = 0;
    for (int i = 0; i < p->n_contact; i++) {
        if (w->part[i] != part) {
            continue;
        }
        w->set[own->n_contact] = p->set[i];
        w->row[own->n_contact] = own->n;
        w->status[own->n_contact] = s->status[i];
        w->todo[own->n_contact++] = i;
        own->n += sp_set_dim(&p->set[i]);
    }
    for (int i = 0; i < own->n_contact; i++) {
        for (int a = 0; a < sp_set_dim(&w->set[i]); a++) {
            const int to = w->row[i] + a, from = p->row[w->todo[i]] + a;
            w->c[to] = p->c[from];
            w->P[to] = s->P[from];
            for (int j = 0; j < own->n_contact; j++) {
                memcpy(w->G + (size_t)to * (size_t)own->n + w->row[j],
                       p->G + (size_t)from * (size_t)p->ld + p->row[w->todo[j]],
                       (size_t)sp_set_dim(&w->set[j]) * sizeof *w->G);
            }
        }
    }
    own->set = w->set;
    own->row = w->row;
    own->G = w->G;
    own->ld = own->n;
    own->c = w->c;
    own->xi_scale = scale_of(p);
    *own_s = (sp_solution){.P = w->P, .status = w->status, .result = SP_NOT_SOLVED};
}

void sp_split_return(const sp_problem *p, int part, const sp_split *w, sp_solution *s)
{
    for (int i = 0, k = 0; i < p->n_contact; i++) {
        if (w->part[i] == part) {
            s->status[i] = w->status[k];
            memcpy(s->P + p->row[i], w->P + w->row[k],
                   (size_t)sp_set_dim(&p->set[i]) * sizeof *s->P);
            k++;
        }
    }
}
