#define _POSIX_C_SOURCE 200809L
#include "cli/open.h"

#include "base/status.h"
#include "cli/talk.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Say in what way a result is not whole. */
static void note_if_cut(sp_result *result)
{
    const sp_result_info *about = sp_result_about(result);
    double t = 0.0;
    if (about->n_frame > 0) {
        (void)sp_result_read(result, 1, &(int){0}, about->n_frame - 1, 1, &t, NULL);
    }
    if (about->live) {
        sp_cli_complain("%s: the run is still in progress, read up to t = %.6g s", about->path, t);
    } else if (about->cut_short) {
        sp_cli_complain("%s: the run was cut short, read up to t = %.6g s ('specht recover' makes "
                        "the file readable for everybody)",
                        about->path, t);
    } else if (strcmp(about->status, "interrupted") == 0) {
        sp_cli_complain("%s: the run was interrupted, read up to t = %.6g s", about->path, t);
    } else if (strcmp(about->status, "doubtful") == 0) {
        sp_cli_complain("%s: doubtful: %.*s", about->path, (int)strcspn(about->doubts, "\n"),
                        about->doubts);
    } else if (strcmp(about->status, "clean") != 0) {
        const char *why = strchr(about->status, ':');
        sp_cli_complain("%s: the run failed at t = %.6g s%s", about->path, t, why ? why : "");
    }
}

sp_result *sp_cli_open(const char *path)
{
    sp_result *result = NULL;
    sp_error err = {.status = SP_OK};
    if (sp_result_open(path, &result, &err) != SP_OK) {
        sp_cli_print_error(&err);
        return NULL;
    }
    note_if_cut(result);
    return result;
}

const sp_table *sp_cli_open_study(const char *path, bool *damaged)
{
    const sp_table *table = NULL;
    sp_error err = {.status = SP_OK};
    *damaged = sp_table_open(path, &table, &err) != SP_OK && err.status != SP_E_INPUT;
    if (*damaged) {
        sp_cli_print_error(&err);
    }
    return table;
}

int sp_cli_finish(sp_status status, const sp_error *err)
{
    if (status == SP_OK) {
        return SP_EXIT_OK;
    }
    if (sp_cli_reader_left()) {
        return SP_EXIT_PIPE;
    }
    sp_cli_print_error(err);
    return status == SP_E_INPUT ? SP_EXIT_USAGE : SP_EXIT_FAILED;
}

/* Choose the name to write to meanwhile; a link is followed, not replaced. */
static sp_status choose_part(sp_outfile *out, sp_error *err)
{
    struct stat info;
    const bool exists = stat(out->path, &info) == 0;
    out->part[0] = '\0';
    if (exists && !S_ISREG(info.st_mode)) {
        return SP_OK;
    }
    if (exists && access(out->path, W_OK) != 0) {
        return SP_FAIL(err, SP_E_IO, "cannot write '%s': %s", out->path, strerror(errno));
    }
    if (strlen(out->path) > SP_OUTFILE_PATH) {
        return SP_FAIL(err, SP_E_IO, "cannot write '%.200s...': name too long", out->path);
    }
    struct stat link;
    if (lstat(out->path, &link) == 0 && S_ISLNK(link.st_mode)) {
        return SP_OK; /* written through the link, in place */
    }
    snprintf(out->part, sizeof out->part, "%s.part-%ld", out->path, (long)getpid());
    return SP_OK;
}

sp_status sp_outfile_open(sp_outfile *out, const char *path, sp_error *err)
{
    out->path = path && strcmp(path, "-") != 0 ? path : NULL;
    out->file = stdout;
    if (!out->path) {
        return SP_OK;
    }
    SP_TRY(choose_part(out, err));
    out->file = fopen(out->part[0] ? out->part : out->path, "w");
    return out->file ? SP_OK
                     : SP_FAIL(err, SP_E_IO, "cannot write '%s': %s", out->path, strerror(errno));
}

sp_status sp_outfile_close(sp_outfile *out, bool keep, sp_error *err)
{
    if (!out->path) {
        return SP_OK;
    }
    const bool whole = fclose(out->file) == 0;
    const bool named = whole && keep && (!out->part[0] || rename(out->part, out->path) == 0);
    const int why = errno;
    if (!named && out->part[0]) {
        unlink(out->part);
    }
    return named || !keep
               ? SP_OK
               : SP_FAIL(err, SP_E_IO, "cannot write '%s': %s", out->path, strerror(why));
}
