#define _POSIX_C_SOURCE 200809L
#include "base/status.h"
#include "io/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MOST = 4000, DATA_BYTES = 4100000, PAGE_BYTES_MOST = 64 << 20 };

static const char marker[] = "/*SPECHT_DATA*/";

/* ---- template ------------------------------------------------------------------------------ */

/* Where the data goes: the mark that is the whole content of an element; NULL if there is none. */
static const char *find_place(const char *page)
{
    for (const char *at = strstr(page, marker); at; at = strstr(at + 1, marker)) {
        const char *before = at, *after = at + sizeof marker - 1;
        while (before > page && strchr(" \t\r\n", before[-1])) {
            before--;
        }
        after += strspn(after, " \t\r\n");
        if (before > page && before[-1] == '>' && strncmp(after, "</script>", 9) == 0) {
            return at;
        }
    }
    return NULL;
}

/* All of a file as text. */
static sp_status read_text(const char *path, char **text, sp_error *err)
{
    FILE *file = fopen(path, "rb");
    size_t size = 0, used = 0;
    *text = NULL;
    if (!file) {
        return SP_FAIL(err, SP_E_IO, "report page '%s': %s", path, strerror(errno));
    }
    bool ok = true;
    do {
        size = 2 * size + 65536;
        char *more = size <= PAGE_BYTES_MOST ? realloc(*text, size) : NULL;
        ok = more != NULL;
        if (ok) {
            *text = more;
            used += fread(*text + used, 1, size - used - 1, file);
            (*text)[used] = '\0';
        }
    } while (ok && used == size - 1);
    ok = ok && !ferror(file);
    fclose(file);
    if (!ok) {
        free(*text);
        *text = NULL;
        return SP_FAIL(err, SP_E_IO, "report page '%s': cannot read it", path);
    }
    return SP_OK;
}

sp_status sp_page_read(const char *path, char **page, sp_error *err)
{
    SP_TRY(read_text(path, page, err));
    if (!find_place(*page)) {
        free(*page);
        *page = NULL;
        return SP_FAIL(err, SP_E_INPUT,
                       "report page '%s': no place for the data, expected an element that holds %s",
                       path, marker);
    }
    return SP_OK;
}

/* ---- data ---------------------------------------------------------------------------------- */

/* Write JSON so that no text in it can end the element it stands in. */
static void put_safely(FILE *file, const char *json, size_t n)
{
    for (const char *end = json + n; json < end;) {
        const char *angle = memchr(json, '<', (size_t)(end - json));
        const size_t plain = (size_t)((angle ? angle : end) - json);
        fwrite(json, 1, plain, file);
        json += plain;
        if (angle) {
            fputs("\\u003c", file);
            json++;
        }
    }
}

sp_status sp_page_fill(FILE *file, const char *page, const char *data, size_t n, sp_error *err)
{
    const char *place = find_place(page);
    if (place) {
        fwrite(page, 1, (size_t)(place - page), file);
        put_safely(file, data, n);
        fputs(place + sizeof marker - 1, file);
    }
    return fflush(file) != 0 || ferror(file)
               ? SP_FAIL(err, SP_E_IO, "cannot write the report: %s", strerror(errno))
               : SP_OK;
}

/* The data of all runs. */
static sp_status put_runs(FILE *file, int n, sp_result *const *result, const sp_page_options *o,
                          sp_page_extent *extent, sp_error *err)
{
    const size_t frames = o->frames > 0 ? o->frames : FRAMES_MOST;
    const size_t bytes = (o->bytes > 0 ? o->bytes : DATA_BYTES) / (size_t)n;
    sp_json j;
    sp_json_init(&j, file);
    sp_json_object(&j, NULL);
    sp_json_integer(&j, "format", 1);
    sp_json_array(&j, "runs");
    for (int i = 0; i < n; i++) {
        sp_page_extent one;
        SP_TRY(sp_page_put_run(&j, result[i], frames, bytes, extent ? &extent[i] : &one, err));
    }
    sp_json_end(&j);
    sp_json_end(&j);
    return SP_OK;
}

sp_status sp_page_write(FILE *file, const char *page, int n, sp_result *const *result,
                        const sp_page_options *options, sp_page_extent *extent, sp_error *err)
{
    char *data = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&data, &size);
    if (!memory) {
        return SP_FAIL(err, SP_E_MEMORY, "out of memory for the report");
    }
    sp_status status = put_runs(memory, n, result, options, extent, err);
    const bool whole = !ferror(memory);
    if ((fclose(memory) != 0 || !whole) && status == SP_OK) {
        status = SP_FAIL(err, SP_E_MEMORY, "out of memory for the report");
    }
    status = status == SP_OK ? sp_page_fill(file, page, data, size, err) : status;
    free(data);
    return status;
}
