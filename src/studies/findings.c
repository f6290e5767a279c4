/* studies/findings.c - parts of results: tables that are concluded from all points. */
#include "studies/findings.h"

#include "base/status.h"

#include <string.h>

/* Room for one part more. */
static bool reserve(sp_findings *f)
{
    if (f->n < f->room) {
        return true;
    }
    const int room = 2 * f->room + 8;
    sp_table_part *larger = SP_NEW(&f->arena, sp_table_part, room);
    if (larger && f->n > 0) {
        memcpy(larger, f->part, (size_t)f->n * sizeof *larger);
    }
    f->part = larger ? larger : f->part;
    f->room = larger ? room : f->room;
    return larger != NULL;
}

bool sp_findings_add(sp_findings *f, const char *name, uint64_t n_row, int n_column, bool named,
                     sp_draft *d)
{
    *d = (sp_draft){.column = SP_NEW(&f->arena, const char *, n_column + 1),
                    .unit = SP_NEW(&f->arena, const char *, n_column + 1),
                    .row = SP_NEW(&f->arena, const char *, named ? n_row + 1 : 1),
                    .value = SP_NEW(&f->arena, double, n_row *(uint64_t)n_column + 1)};
    if (!name || !d->column || !d->unit || !d->row || !d->value || !reserve(f)) {
        return false;
    }
    for (int k = 0; k < n_column; k++) {
        d->unit[k] = "1";
    }
    f->part[f->n++] = (sp_table_part){.name = name,
                                      .n_row = n_row,
                                      .n_column = n_column,
                                      .column = d->column,
                                      .unit = d->unit,
                                      .row = named ? d->row : NULL,
                                      .value = d->value};
    return true;
}

sp_status sp_findings_find(sp_study *s, const sp_outcomes *from, sp_findings *f, sp_error *err)
{
    *f = (sp_findings){.n = 0};
    sp_arena_init(&f->arena, NULL, 0);
    SP_TRY(s->basin ? sp_basin_find(s, from, f, err) : SP_OK);
    SP_TRY(s->kind == SP_SENSITIVITY ? sp_sensitivity_find(s, from, f, err) : SP_OK);
    return s->spectrum ? sp_spectrum_find(s, from, f, err) : SP_OK;
}

void sp_findings_free(sp_findings *f)
{
    sp_arena_free(&f->arena);
}
