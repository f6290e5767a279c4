#include "cli/settings.h"

#include "specht/result.h"

#include <string.h>

/* Whether one of the settings is of the same name as "name=value", whose name takes n bytes with
 * the sign. */
static bool is_named(const char *assignment, size_t n, const sp_texts *set)
{
    bool found = false;
    for (int k = 0; k < set->n && !found; k++) {
        found = strncmp(set->item[k], assignment, n) == 0;
    }
    return found;
}

bool sp_settings_kept(const char *result, const sp_texts *set, sp_arena *arena, sp_texts *kept)
{
    sp_result *old = NULL;
    *kept = (sp_texts){.n = 0};
    if (sp_result_open(result, &old, NULL) != SP_OK) {
        return true; /* sp_run_resume says so */
    }
    const char *text = sp_result_about(old)->overrides;
    int most = 1;
    for (const char *c = text; *c; c++) {
        most += *c == '\n';
    }
    kept->item = SP_NEW(arena, const char *, most);
    bool ok = kept->item != NULL;
    for (const char *at = text; *at && ok;) {
        const size_t n = strcspn(at, "\n"), name = strcspn(at, "=") + 1;
        if (name <= n && strncmp(at, "run.", 4) != 0 && !is_named(at, name, set)) {
            kept->item[kept->n] = sp_arena_text(arena, at, n);
            ok = kept->item[kept->n++] != NULL;
        }
        at += n + (at[n] == '\n');
    }
    sp_result_free(old);
    return ok;
}
