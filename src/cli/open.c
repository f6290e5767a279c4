#include "cli/open.h"

#include "cli/command.h"
#include "cli/talk.h"

#include <string.h>

/* Say in what way a result is not whole. */
static void tell_if_cut(sp_result *result)
{
    const sp_result_info *about = sp_result_about(result);
    double t = 0.0;
    if (about->n_frame > 0) {
        (void)sp_result_read(result, 0, about->n_frame - 1, 1, &t, NULL);
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
    tell_if_cut(result);
    return result;
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
