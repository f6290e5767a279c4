/* studies/lyapunov.c - how fast neighbours of a motion come apart, by its derivatives.
 *
 *     W Q_k = Q_k+1 R_k+1,   lambda_i = sum_k log |R_ii| / (N T)        theory (89.1), (89.2) */
#include "studies/kind.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sp_lyapunov_wish {
    double every; /* s, of machines without a period */
    double transient;
    int periods, blocks;
} sp_lyapunov_wish;

enum { OWN_EXPONENT, OWN_ERROR, OWN_SUM, OWN_PER_IMPACT, OWN_IMPACTS, OWN_N };
static const char *const own_name[OWN_N] = {"exponent", "exponent_error", "exponent_sum",
                                            "sum_per_impact", "impacts"};
static const char *const own_unit[OWN_N] = {"1/s", "1/s", "1/s", "1", "1"};

/* Directions that are carried along, and what they have grown by. */
typedef struct stretch {
    int n, k;
    double *W, *next; /* n x k */
    double *block;    /* blocks x k: sums of logarithms */
    double *c;        /* n */
    long impacts;
} stretch;

static bool make_stretch(int n, int blocks, stretch *s)
{
    const size_t n2 = (size_t)n * (size_t)n + 1;
    s->n = n;
    s->W = calloc(n2, sizeof *s->W);
    s->next = calloc(n2, sizeof *s->next);
    s->block = calloc((size_t)blocks * (size_t)n + 1, sizeof *s->block);
    s->c = calloc((size_t)n + 1, sizeof *s->c);
    return s->W && s->next && s->block && s->c;
}

static void end_stretch(stretch *s)
{
    free(s->W);
    free(s->next);
    free(s->block);
    free(s->c);
}

/* All directions through the period flown last. */
static void carry(stretch *s, const sp_variation_result *r)
{
    const int n = s->n;
    for (int j = 0; j < s->k; j++) {
        double *to = s->next + j * n;
        memset(to, 0, (size_t)n * sizeof *to);
        for (int i = 0; i < r->r_0; i++) {
            double sum = 0.0;
            for (int a = 0; a < n; a++) {
                sum += r->T[i * n + a] * s->W[j * n + a];
            }
            for (int a = 0; a < n; a++) {
                to[a] += r->E[i * n + a] * sum;
            }
        }
    }
}

/* next = W R by Gram and Schmidt, twice; logarithms of R's diagonal are added to `sum`. */
static void split(stretch *s, double *sum)
{
    const int n = s->n;
    for (int j = 0; j < s->k; j++) {
        double *v = s->next + j * n, before = 0.0, length = 0.0;
        for (int i = 0; i < n; i++) {
            before += v[i] * v[i];
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int q = 0; q < j; q++) {
                double along = 0.0;
                for (int i = 0; i < n; i++) {
                    along += s->next[q * n + i] * v[i];
                }
                for (int i = 0; i < n; i++) {
                    v[i] -= along * s->next[q * n + i];
                }
            }
        }
        for (int i = 0; i < n; i++) {
            length += v[i] * v[i];
        }
        const bool lost = !(length > 1e-28 * before); /* nothing of its own is left */
        sum[j] += lost ? -INFINITY : 0.5 * log(length);
        for (int i = 0; i < n; i++) {
            v[i] = lost ? 0.0 : v[i] / sqrt(length);
        }
    }
    memcpy(s->W, s->next, (size_t)n * (size_t)s->k * sizeof *s->W);
}

/* Mean of block sums over the time of a block, and its standard error. */
static void judge(const stretch *s, int blocks, double time, int j, double *mean, double *error)
{
    double sum = 0.0, square = 0.0;
    for (int b = 0; b < blocks; b++) {
        sum += s->block[b * s->k + j] / time;
    }
    *mean = sum / blocks;
    for (int b = 0; b < blocks; b++) {
        const double d = s->block[b * s->k + j] / time - *mean;
        square += d * d;
    }
    *error = isfinite(*mean) && blocks > 1 ? sqrt(square / blocks / (blocks - 1)) : 0.0;
}

static bool keep_result(const stretch *s, const sp_lyapunov_wish *w, double T, sp_outcome *o,
                        double *own)
{
    const double time = T * w->periods / w->blocks;
    double *rows = calloc((size_t)s->k * 2 + 1, sizeof *rows), sum = 0.0;
    for (int j = 0; rows && j < s->k; j++) {
        judge(s, w->blocks, time, j, &rows[2 * j], &rows[2 * j + 1]);
        sum += rows[2 * j];
    }
    own[OWN_EXPONENT] = rows && s->k > 0 ? rows[0] : NAN;
    own[OWN_ERROR] = rows && s->k > 0 ? rows[1] : NAN;
    own[OWN_SUM] = sum;
    own[OWN_IMPACTS] = (double)s->impacts;
    own[OWN_PER_IMPACT] = sum * T * w->periods / (double)s->impacts;
    const bool ok = rows && sp_extra_add(o, "exponents", (uint64_t)s->k, 2, rows);
    free(rows);
    return ok;
}

static sp_status follow(sp_engine *e, sp_shoot *shoot, const sp_lyapunov_wish *w, stretch *s,
                        sp_error *err)
{
    const int each = w->periods / w->blocks;
    for (int i = 0; i < each * w->blocks; i++) {
        SP_TRY(sp_engine_is_late(e, shoot->t_0, err));
        SP_TRY(sp_shoot_fly(shoot, err));
        const sp_variation_result *r = shoot->r;
        if (i == 0) {
            s->k = r->r_0;
            memcpy(s->W, r->T, (size_t)s->n * (size_t)s->k * sizeof *s->W);
        }
        carry(s, r);
        split(s, s->block + (i / each) * s->k);
        for (int k = 0; k < r->n_passed; k++) {
            s->impacts += r->passed[k].kind == SP_EVENT_IMPACT;
        }
        memcpy(shoot->start, r->x_1, (size_t)shoot->n_y * sizeof *shoot->start);
        shoot->t_0 += shoot->T;
    }
    return SP_OK;
}

static sp_status run_lyapunov(sp_engine *e, sp_machine *c, sp_error *err)
{
    sp_study *study = sp_engine_study(e);
    const sp_lyapunov_wish *w = study->lyapunov;
    const sp_orbit_wish wish = {
        .periods = 1, .transient = w->transient, .tolerance = 1.0, .most = 1};
    sp_shoot shoot;
    stretch s = {.k = 0};
    sp_status status = sp_shoot_new(c->m, c->x, c->w, &c->o, &wish, &shoot, err);
    shoot.T = w->every > 0.0 ? w->every : c->o.until - sp_state_time(c->x);
    status = status == SP_OK ? sp_shoot_settle(&shoot, err) : status;
    if (status == SP_OK && !make_stretch(shoot.r->n, w->blocks, &s)) {
        status = SP_FAIL(err, SP_E_MEMORY, "no memory for exponents");
    }
    status = status == SP_OK ? follow(e, &shoot, w, &s, err) : status;
    if (status == SP_OK && !keep_result(&s, w, shoot.T, sp_engine_outcome(e), sp_engine_own(e))) {
        status = SP_FAIL(err, SP_E_MEMORY, "no memory for exponents");
    }
    end_stretch(&s);
    sp_shoot_free(&shoot);
    return status;
}

/* ---- the section ------------------------------------------------------------------------------
 */

static sp_status read_lyapunov(sp_study *s, sp_error *err)
{
    const sp_node *root = s->spec->root, *map = sp_node_get(root, "lyapunov");
    const sp_node *every = sp_node_get(map, "every"), *from = sp_node_get(map, "transient");
    sp_lyapunov_wish *w = s->lyapunov = SP_NEW(&s->arena, sp_lyapunov_wish, 1);
    long periods, blocks;
    if (!w) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory");
    }
    *w = (sp_lyapunov_wish){.transient = 100.0};
    SP_TRY(sp_study_whole(map, "periods", 1000, &periods, err));
    SP_TRY(sp_study_whole(map, "blocks", 20, &blocks, err));
    SP_TRY(sp_study_quantity(s, every, "s", &w->every, err));
    SP_TRY(sp_study_quantity(s, from, "1", &w->transient, err));
    if (!every == !sp_node_get(root, "period")) {
        return sp_study_fail_at(root, err,
                                "lyapunov: write either 'period: EXPRESSION' of the "
                                "forcing, or 'lyapunov: {every: 10 s}'");
    }
    if ((every && !(w->every > 0.0)) || !(w->transient >= 0.0) || periods % blocks != 0) {
        return sp_study_fail_at(
            map ? map : root, err,
            "lyapunov: expected times above zero, and as many periods in each of "
            "the blocks");
    }
    w->periods = (int)periods;
    w->blocks = (int)blocks;
    return sp_study_set_period(s, 1, err);
}

const sp_study_runner sp_study_lyapunov = {.word = "lyapunov",
                                           .group = "/exponents",
                                           .n_own = OWN_N,
                                           .alone = true,
                                           .name = own_name,
                                           .unit = own_unit,
                                           .read = read_lyapunov,
                                           .run = run_lyapunov};
