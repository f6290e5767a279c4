#define _POSIX_C_SOURCE 200809L
#include "cli/page.h"

#include "cli/open.h"
#include "cli/talk.h"
#include "io/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* The template: as the environment says, as installed beside the program, as in a build folder, as
 * configured. */
static bool find_page(bool study, char *path, size_t size)
{
    static const char *const beside[] = {"../share/specht", "web"};
    const char *name = study ? "study.html" : "report.html";
    const char *given = getenv(study ? "SPECHT_STUDY_PAGE" : "SPECHT_REPORT_PAGE");
    if (given && *given) {
        snprintf(path, size, "%s", given);
        return true; /* whoever reads it says what is wrong with it */
    }
    char program[SP_CLI_PATH];
    sp_cli_program_folder(program, sizeof program);
    for (size_t i = 0; program[0] && i < sizeof beside / sizeof *beside; i++) {
        if (snprintf(path, size, "%s/%s/%s", program, beside[i], name) < (int)size &&
            is_file(path)) {
            return true;
        }
    }
#ifdef SPECHT_DATA_DIR
    snprintf(path, size, "%s/%s", SPECHT_DATA_DIR, name);
    return is_file(path);
#else
    return false;
#endif
}

int sp_cli_load_page(bool study, char **page)
{
    char path[2 * SP_CLI_PATH];
    sp_error err = {.status = SP_OK};
    *page = NULL;
    if (!find_page(study, path, sizeof path)) {
        sp_cli_complain("report: the page is not part of this installation: it is built where Node "
                        "and npm are; install them and build again, or let SPECHT_REPORT_PAGE name "
                        "a report.html");
        return SP_EXIT_USAGE;
    }
    if (sp_page_read(path, page, &err) != SP_OK) {
        sp_cli_print_error(&err);
        return SP_EXIT_USAGE;
    }
    return SP_EXIT_OK;
}

bool sp_cli_other_ending(const char *path, bool beside, const char *ending, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.'), *begin = beside ? path : base;
    const int n = (int)(dot && dot > base ? (size_t)(dot - begin) : strlen(begin));
    if (snprintf(name, size, "%.*s%s", n, begin, ending) >= (int)size) {
        sp_cli_complain("%.200s...: the name is too long", path);
        return false;
    }
    return true;
}

bool sp_cli_read_frames(const char *command, const char *text, size_t *frames)
{
    char *end;
    errno = 0;
    const long n = text ? strtol(text, &end, 10) : 0;
    if (text && (end == text || *end != '\0' || errno != 0 || n < 2 || n > 10000000)) {
        sp_cli_complain("%s: --frames %s, expected a number from 2 to 10000000", command, text);
        return false;
    }
    *frames = (size_t)n;
    return true;
}

/* Say what the page holds. */
static void print_written(const char *path, int n, sp_result *const *result,
                          const sp_page_extent *extent)
{
    struct stat info;
    size_t events = 0, frames = 0;
    char frame_text[32], event_text[32];
    for (int i = 0; i < n; i++) {
        events += sp_result_about(result[i])->n_event;
        frames += extent[i].frames;
    }
    sp_count_text((long long)frames, frame_text, sizeof frame_text);
    sp_count_text((long long)events, event_text, sizeof event_text);
    printf("  %s   %s frames, %s event%s", path, frame_text, event_text, events == 1 ? "" : "s");
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
        printf(", %.1f MB", 1e-6 * (double)info.st_size);
    }
    printf("\n");
    for (int i = 0; i < n; i++) {
        if (extent[i].note[0]) {
            printf("  shown of %s: %s\n", sp_result_about(result[i])->path, extent[i].note);
        }
    }
}

int sp_cli_write_page(const char *page, int n, sp_result *const *result, const char *path,
                      size_t frames, bool quiet)
{
    const sp_page_options options = {.frames = frames};
    sp_page_extent *extent = calloc((size_t)n, sizeof *extent);
    sp_error err = {.status = SP_OK};
    sp_outfile out;
    if (!extent) {
        sp_cli_complain("out of memory");
        return SP_EXIT_FAILED;
    }
    sp_status status = sp_outfile_open(&out, path, &err);
    if (status == SP_OK) {
        status = sp_page_write(out.file, page, n, result, &options, extent, &err);
        const sp_status closed = sp_outfile_close(&out, status == SP_OK, &err);
        status = status == SP_OK ? closed : status;
    }
    if (status == SP_OK && !quiet && strcmp(path, "-") != 0) {
        print_written(path, n, result, extent);
    }
    free(extent);
    return sp_cli_finish(status, &err);
}
