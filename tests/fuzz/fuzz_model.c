/* Fuzz target from the model text to the first steps: any bytes load, build, start and step without
 * crash, hang or leak; every failure has a message; a state that was stepped holds finite numbers.
 *
 *     clang -g -O1 -std=c17 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
 *           -DSP_VERSION='"0"' -Iinclude -Isrc tests/fuzz/fuzz_model.c \
 *           src/{base,math,expr,laws,solvers,certify,impact,model,kinematics}/[a-z]*.c \
 *           src/{dynamics,contact,record,integrators,analysis}/[a-z]*.c \
 *           src/io/{yaml_read,load}.c -lyaml -lm -o fuzz_model
 *     mkdir -p corpus
 *     ./fuzz_model -timeout=10 -rss_limit_mb=1500 -max_len=4000 -max_total_time=600 \
 *           -dict=tests/fuzz/yaml.dict corpus tests/data/good tests/data/bad
 */
#include "model/build.h"
#include "model/model.h"
#include "specht/specht.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 6, DOF_MAX = 2000, SLOT_MAX = 20000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stop the fuzzer at a broken promise. */
static void want(bool kept)
{
    if (!kept) {
        abort();
    }
}

/* Includer: no files. */
static sp_status open_none(void *ctx, const char *from_file, const char *name, char **text,
                           size_t *n, char **resolved_name, sp_error *err)
{
    (void)ctx;
    (void)from_file;
    *text = *resolved_name = NULL;
    *n = 0;
    if (err) {
        err->status = SP_E_IO;
        strncpy(err->text, name, sizeof err->text - 1);
    }
    return SP_E_IO;
}

static void release_none(void *ctx, char *block)
{
    (void)ctx;
    free(block);
}

/* A failure has a status, and a text that ends. */
static void want_told(sp_status status, const sp_error *err)
{
    want(status == SP_OK || (err->text[0] && memchr(err->text, 0, sizeof err->text)));
    want(status == SP_OK || memchr(err->file, 0, sizeof err->file));
}

/* The step that the file asks for, or a millisecond. */
static double step_of(const sp_model *m)
{
    return m->run.step > 0.0 && isfinite(m->run.step) ? m->run.step : 1e-3;
}

/* Some steps; numbers stay finite or the step fails with the state untouched. */
static void step(const sp_model *m, sp_state *x, sp_method method)
{
    sp_work *w = NULL;
    sp_error err = {.status = SP_OK};
    sp_status status = sp_work_new(m, NULL, &w, &err);
    want_told(status, &err);
    for (int i = 0; i < STEPS && status == SP_OK; i++) {
        sp_step_info info;
        err.text[0] = '\0';
        status = sp_step(m, x, w, method, step_of(m), &info, &err);
        want_told(status, &err);
        for (int k = 0; k < sp_model_count(m, SP_ITEM_VELOCITY); k++) {
            want(isfinite(sp_state_q(x)[k]) && isfinite(sp_state_u(x)[k]));
        }
    }
    sp_work_free(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const sp_includer includer = {open_none, release_none, NULL};
    sp_error err = {.status = SP_OK};
    sp_spec *spec = sp_spec_new(NULL);
    sp_model *model = NULL;
    sp_state *state = NULL;
    sp_status status =
        sp_spec_load_text(spec, "fuzz.yaml", (const char *)data, size, &includer, &err);
    want_told(status, &err);
    if (status == SP_OK) {
        status = sp_model_build(spec, NULL, &model, &err);
        want_told(status, &err);
        want((status == SP_OK) == (model != NULL));
    }
    if (model && model->n_dof <= DOF_MAX && model->n_slot <= SLOT_MAX) {
        for (int method = 0; method < 2; method++) {
            status = sp_state_new(model, NULL, &state, &err);
            want_told(status, &err);
            want((status == SP_OK) == (state != NULL));
            if (state) {
                step(model, state, (sp_method)method);
            }
            sp_state_free(state);
        }
    }
    sp_model_free(model);
    sp_spec_free(spec);
    return 0;
}
