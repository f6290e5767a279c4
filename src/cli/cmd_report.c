#define _POSIX_C_SOURCE 200809L
#include "cli/open.h"
#include "cli/page.h"
#include "cli/study_report.h"
#include "cli/talk.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What the command line asks for. */
typedef struct wishes {
    const char *output, *frames;
    bool open, quiet;
} wishes;

/* Show a file with the program that the desktop has for it. */
static int show(const char *path)
{
    char program[] = "xdg-open", *copy = strdup(path);
    char *argv[] = {program, copy, NULL};
    pid_t child;
    int ended = 0;
    const int why = copy ? posix_spawnp(&child, program, NULL, NULL, argv, environ) : ENOMEM;
    free(copy);
    if (why != 0) {
        sp_cli_complain("report: cannot open %s: xdg-open: %s", path, strerror(why));
        return SP_EXIT_FAILED;
    }
    if (waitpid(child, &ended, 0) != child || !WIFEXITED(ended) || WEXITSTATUS(ended) != 0) {
        sp_cli_complain("report: cannot open %s: xdg-open failed", path);
        return SP_EXIT_FAILED;
    }
    return SP_EXIT_OK;
}

/* Open all results, write the page, close them. */
static int report(sp_args *args, const wishes *w, const char *page, size_t frames)
{
    char name[SP_CLI_PATH];
    const sp_texts *files = &args->word;
    sp_result **result = SP_NEW(&args->arena, sp_result *, files->n);
    int code = SP_EXIT_USAGE;
    bool ok = result &&
              (w->output || sp_cli_other_ending(files->item[0], false, ".html", name, sizeof name));
    for (int i = 0; ok && i < files->n; i++) {
        result[i] = sp_cli_open(files->item[i]);
        ok = result[i] != NULL;
    }
    const char *path = w->output ? w->output : name;
    if (ok) {
        code = sp_cli_write_page(page, files->n, result, path, frames, w->quiet);
    }
    for (int i = 0; result && i < files->n; i++) {
        sp_result_free(result[i]);
    }
    return code == SP_EXIT_OK && w->open ? show(path) : code;
}

/* The page of a study. */
static int report_study(sp_args *args, const wishes *w, const char *page, const sp_table *study)
{
    char name[SP_CLI_PATH];
    sp_outfile out = {.file = NULL};
    sp_error err = {.status = SP_OK};
    const char *file = args->word.item[0], *path = w->output ? w->output : name;
    if (!w->output && !sp_cli_other_ending(file, false, ".html", name, sizeof name)) {
        return SP_EXIT_USAGE;
    }
    sp_status status = sp_outfile_open(&out, path, &err);
    if (status == SP_OK) {
        status = sp_table_write_page(study, file, page, out.file, &err);
        const sp_status closed = sp_outfile_close(&out, status == SP_OK, &err);
        status = status == SP_OK ? closed : status;
    }
    if (status == SP_OK && !w->quiet && strcmp(path, "-") != 0) {
        printf("  %s   %s, %llu points\n", path, study->kind, (unsigned long long)study->n_point);
    }
    const int code = sp_cli_finish(status, &err);
    return code == SP_EXIT_OK && w->open ? show(path) : code;
}

/* specht report */
static int report_command(const sp_command *self, int argc, char **argv)
{
    wishes w = {0};
    const sp_option option[] = {
        {"output", 'o', SP_OPTION_TEXT, "FILE",
         "page to write (the first result's name with .html)", &w.output},
        {"open", 0, SP_OPTION_FLAG, NULL, "show it in the browser", &w.open},
        {"frames", 0, SP_OPTION_TEXT, "N", "most frames of a run to show (4000, fewer if large)",
         &w.frames},
        {"quiet", 'q', SP_OPTION_FLAG, NULL, "print nothing but warnings and errors", &w.quiet},
    };
    int code;
    sp_args args;
    char *page = NULL;
    size_t frames;
    if (!sp_args_read(&args, self, &(sp_usage){option, sizeof option / sizeof *option, 1, 1000},
                      argc, argv, &code)) {
        return code;
    }
    code = SP_EXIT_USAGE;
    if (w.open && w.output && strcmp(w.output, "-") == 0) {
        sp_cli_complain("report: --open wants a file, not the standard output");
    } else if (sp_cli_read_frames(self->name, w.frames, &frames)) {
        bool damaged;
        const sp_table *study = sp_cli_open_study(args.word.item[0], &damaged);
        if (study && args.word.n > 1) {
            sp_cli_complain("report: a study has a page of its own; name one file");
        } else if (!damaged && sp_cli_load_page(study != NULL, &page) == SP_EXIT_OK) {
            code = study ? report_study(&args, &w, page, study) : report(&args, &w, page, frames);
        }
        sp_table_free(study);
    }
    free(page);
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_report = {
    .name = "report",
    .purpose = "write one HTML page: animation, plots and events of runs, figures of a study",
    .usage = "RESULT.h5 [MORE.h5 ...] [options]",
    .example = "specht report slider_crank.h5 --open\n"
               "specht report coarse.h5 fine.h5 -o compare.html\n"
               "specht report gear.h5 --open",
    .notes =
        "The page is one file that needs nothing else and no network.  Of a long run it shows\n"
        "the frames around events, those with extreme values and others evenly spread, and says\n"
        "how many were left out.  Several results are drawn over each other.\n"
        "On the page of a study a click on a point shows the command that runs it again.",
    .run = report_command,
};
