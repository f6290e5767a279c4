/* api/load.c - a model from its file in one call. */
#include "specht/load.h"
#include "base/status.h"
#include "specht/model.h"
#include "specht/state.h"

/* Fill spec from the file and the assignments, and compile it. */
static sp_status load(sp_spec *spec, const char *path, int n, const char *const *assignment,
                      sp_model **model, sp_error *err)
{
    SP_TRY(sp_spec_load_file(spec, path, err));
    for (int i = 0; i < n; i++) {
        SP_TRY(sp_spec_override(spec, assignment[i], err));
    }
    return sp_model_build(spec, NULL, model, err);
}

sp_status sp_model_load(const char *path, int n, const char *const *assignment, sp_spec **spec,
                        sp_model **model, sp_error *err)
{
    if (!path || !model || n < 0 || (n > 0 && !assignment)) {
        return SP_FAIL(err, SP_E_INPUT, "sp_model_load: an argument is NULL, or n = %d", n);
    }
    *model = NULL;
    sp_spec *own = sp_spec_new(NULL);
    const sp_status status = own ? load(own, path, n, assignment, model, err)
                                 : SP_FAIL(err, SP_E_MEMORY, "out of memory");
    if (status != SP_OK || !spec) {
        sp_spec_free(own);
        own = NULL;
    }
    if (spec) {
        *spec = own;
    }
    return status;
}
