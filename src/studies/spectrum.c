/* studies/spectrum.c - amplitudes over frequency of what is sampled.   theory (88.10), (88.11) */
#include "base/status.h"
#include "math/fourier.h"
#include "studies/findings.h"
#include "studies/journal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { SAMPLES_MIN = 4 };

/* Samples of a point that count, and how far they are apart.  The last one closes the window. */
static uint64_t count(const sp_study *s, const sp_outcome *o, double *every)
{
    const uint64_t row = 1 + (uint64_t)s->n_keep;
    if (o->status >= SP_POINT_FAILED || o->n_sample < SAMPLES_MIN + 1) {
        return 0;
    }
    *every = (o->sample[(o->n_sample - 1) * row] - o->sample[0]) / (double)(o->n_sample - 1);
    return o->n_sample - 1;
}

/* Amplitudes of column k into amplitude[i * stride], i = 0 .. n/2. */
static bool find_amplitudes(const sp_study *s, const sp_outcome *o, int k, uint64_t n, bool hann,
                            double *amplitude, uint64_t stride)
{
    const uint64_t row = 1 + (uint64_t)s->n_keep;
    double *re = calloc(2 * (size_t)n, sizeof *re), mean = 0.0, sum = 0.0;
    for (uint64_t i = 0; re && i < n; i++) {
        mean += o->sample[i * row + 1 + (uint64_t)k] / (double)n;
    }
    for (uint64_t i = 0; re && i < n; i++) {
        const double w = hann ? 0.5 - 0.5 * cos(2.0 * PI * (double)i / (double)n) : 1.0;
        re[i] = w * (o->sample[i * row + 1 + (uint64_t)k] - mean);
        sum += w;
    }
    const bool ok = re && sp_fourier((size_t)n, re, re + n);
    for (uint64_t i = 0; ok && i <= n / 2; i++) {
        const double part = 2 * i == n ? 1.0 : 2.0;
        amplitude[i * stride] = i == 0 ? fabs(mean) : part * hypot(re[i], re[n + i]) / sum;
    }
    free(re);
    return ok;
}

/* Rows of one point. */
static bool put_point(const sp_study *s, const sp_outcome *o, bool hann, double *to,
                      uint64_t *n_row)
{
    double every = 0.0;
    const uint64_t n = count(s, o, &every), cols = 2 + (uint64_t)s->n_keep;
    *n_row = n > 0 ? n / 2 + 1 : 0;
    for (uint64_t i = 0; i < *n_row; i++) {
        to[i * cols] = (double)o->point;
        to[i * cols + 1] = (double)i / ((double)n * every);
    }
    bool ok = true;
    for (int k = 0; ok && n > 0 && k < s->n_keep; k++) {
        ok = find_amplitudes(s, o, k, n, hann, to + 2 + k, cols);
    }
    return ok;
}

/* Whether the model's time is in seconds. */
static bool has_units(const sp_study *s)
{
    const sp_node *units = sp_node_get(s->model->root, "units");
    return !units || !units->text || strcmp(units->text, "off") != 0;
}

sp_status sp_spectrum_find(sp_study *s, const sp_outcomes *from, sp_findings *f, sp_error *err)
{
    const sp_node *window = sp_node_get(s->spectrum, "window");
    const bool hann = !window || !window->text || strcmp(window->text, "none") != 0;
    sp_outcome o = {.point = 0};
    uint64_t n_row = 0, n = 0;
    double every;
    sp_status status = SP_OK;
    for (uint64_t i = 0; status == SP_OK && i < s->n_point; i++) {
        status = from->get(from->ctx, i, &o, err);
        n = status == SP_OK ? count(s, &o, &every) : 0;
        n_row += n > 0 ? n / 2 + 1 : 0;
    }
    sp_draft d;
    if (status == SP_OK && !sp_findings_add(f, "spectrum", n_row, 2 + s->n_keep, false, &d)) {
        status = SP_FAIL(err, SP_E_MEMORY, "no memory for spectra");
    }
    if (status == SP_OK) {
        d.column[0] = "point";
        d.column[1] = "frequency";
        d.unit[1] = has_units(s) ? "Hz" : "1";
        for (int k = 0; k < s->n_keep; k++) {
            d.column[2 + k] = s->keep[k];
            d.unit[2 + k] = s->keep_unit[k];
        }
    }
    double *to = status == SP_OK ? d.value : NULL;
    for (uint64_t i = 0; status == SP_OK && i < s->n_point;
         i++, to += n * (2 + (uint64_t)s->n_keep)) {
        status = from->get(from->ctx, i, &o, err);
        if (status == SP_OK && !put_point(s, &o, hann, to, &n)) {
            status = SP_FAIL(err, SP_E_MEMORY, "no memory for spectra");
        }
    }
    sp_outcome_free(&o);
    return status;
}
