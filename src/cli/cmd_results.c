#include "cli/open.h"
#include "cli/study_report.h"
#include "cli/talk.h"
#include "io/csv.h"
#include "io/events.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- events -------------------------------------------------------------------------------- */

/* specht events */
static int events_command(const sp_command *self, int argc, char **argv)
{
    sp_event_filter filter = {0};
    bool json = false;
    const sp_option option[] = {
        {"kind", 0, SP_OPTION_TEXT, "KIND", "only close, open, impact, stick, slip, zeno, jam, ...",
         &filter.kind},
        {"contact", 0, SP_OPTION_TEXT, "NAME", "only of this contact, or of all points of it",
         &filter.contact},
        {"json", 0, SP_OPTION_FLAG, NULL, "print an array of JSON objects", &json},
    };
    int code;
    sp_args args;
    sp_error err = {.status = SP_OK};
    if (!sp_args_read(&args, self, &(sp_usage){option, sizeof option / sizeof *option, 1, 1}, argc,
                      argv, &code)) {
        return code;
    }
    sp_result *result = sp_cli_open(args.word.item[0]);
    code = SP_EXIT_USAGE;
    if (result) {
        code = sp_cli_finish(json ? sp_events_json(result, stdout, &filter, &err)
                                  : sp_events_text(result, stdout, &filter, &err),
                             &err);
        sp_result_free(result);
    }
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_events = {
    .name = "events",
    .purpose = "list the events of a run: impacts, contacts that close and open, stick and slip",
    .usage = "RESULT.h5 [options]",
    .example = "specht events slider_crank.h5 --kind impact --contact guide.c1\n"
               "specht events slider_crank.h5 --json",
    .notes =
        "'energy lost' is what the impulses at a contact took from the bodies; it is negative\n"
        "where they gave energy.  Contacts of one impact have the same number; the impact lost\n"
        "the sum of theirs.  Other kinds:\n"
        "  zeno      infinitely many impacts in ever shorter times, passed to their end at once\n"
        "  jam       velocities jump without a collision: no accelerations exist (Painleve)\n"
        "  choice    several motions or impacts exist, and one was taken\n"
        "  handover  short steps with error control, where events make no progress\n"
        "  project   'start: project' opened gaps of the start\n"
        "Impacts below a millionth of the largest impulse are gathered in one line for each\n"
        "burst (--json lists each).  State 'touch' after an impact: the contact was hit and does\n"
        "not separate by itself.  If that changes its state, a line 'close' or 'open' with the\n"
        "same time follows.",
    .run = events_command,
};

/* ---- csv ----------------------------------------------------------------------------------- */

/* A time as people write it, "2", "2.0s", "200 ms", in s. */
static sp_status read_time(const char *text, double *t, sp_error *err)
{
    char *end;
    double factor = 1.0;
    sp_dim dim = sp_dim_of(0, 0, 1);
    *t = strtod(text, &end);
    const bool number = end > text && isfinite(*t);
    end += strspn(end, " ");
    if (!number || (*end && (sp_unit_parse(end, strlen(end), &factor, &dim, NULL) != SP_OK ||
                             !sp_dim_equal(dim, sp_dim_of(0, 0, 1))))) {
        return SP_FAIL(err, SP_E_INPUT, "csv: --at %s, expected a time such as 2.0s or 200ms",
                       text);
    }
    *t *= factor;
    return SP_OK;
}

/* The frames that are asked for: all, the one nearest to --at, the last. */
static sp_status choose_frames(sp_result *result, const char *at, bool last, sp_csv_frames *frames,
                               sp_error *err)
{
    const size_t n = sp_result_about(result)->n_frame;
    *frames = last && n > 0 ? (sp_csv_frames){n - 1, 1} : (sp_csv_frames){0, n};
    if (!at) {
        return SP_OK;
    }
    double t;
    SP_TRY(read_time(at, &t, err));
    frames->n = 1;
    return sp_csv_frame_at(result, t, &frames->first, err);
}

sp_status sp_cli_write_csv(sp_result *result, const char *path, const sp_texts *names,
                           const sp_csv_frames *frames, sp_error *err)
{
    sp_outfile out;
    SP_TRY(sp_outfile_open(&out, path, err));
    const sp_status status = sp_csv_write(result, out.file, names->n, names->item, frames, err);
    const sp_status closed = sp_outfile_close(&out, status == SP_OK, err);
    return status == SP_OK ? closed : status;
}

/* Print the names and units of all channels. */
static void list_channels(const sp_result *result)
{
    char name[1024];
    const char *unit;
    for (int i = 0;
         (unit = sp_result_channel_name(result, i, name, sizeof name)) != NULL && !ferror(stdout);
         i++) {
        printf("%s [%s]\n", name, unit);
    }
}

/* A study: its points, or what is wanted of it. */
static int csv_of_study(const sp_table *table, const char *output, const char *wanted, bool list)
{
    sp_outfile out = {.file = NULL};
    sp_error err = {.status = SP_OK};
    if (list) {
        sp_table_print_names(table, stdout);
        return SP_EXIT_OK;
    }
    sp_status status = sp_outfile_open(&out, output, &err);
    if (status == SP_OK && !sp_table_print_csv(table, wanted, out.file)) {
        status = SP_FAIL(&err, SP_E_INPUT,
                         "csv: the study has no '%.100s'; --list names what it has", wanted);
    }
    if (out.file) {
        const sp_status closed = sp_outfile_close(&out, status == SP_OK, &err);
        status = status == SP_OK ? closed : status;
    }
    return sp_cli_finish(status, &err);
}

/* specht csv */
static int csv_command(const sp_command *self, int argc, char **argv)
{
    const char *output = NULL, *wanted = NULL, *at = NULL;
    bool list = false, last = false;
    sp_csv_frames frames;
    const sp_option option[] = {
        {"output", 'o', SP_OPTION_TEXT, "FILE", "file to write (standard output)", &output},
        {"names", 0, SP_OPTION_TEXT, "A,B,...", "only these channels", &wanted},
        {"at", 0, SP_OPTION_TEXT, "TIME", "only the frame nearest to this time, '2.0s'", &at},
        {"last", 0, SP_OPTION_FLAG, NULL, "only the last frame", &last},
        {"list", 0, SP_OPTION_FLAG, NULL, "only print the names of all channels", &list},
    };
    int code;
    sp_args args;
    sp_texts names = {0};
    sp_error err = {.status = SP_OK};
    if (!sp_args_read(&args, self, &(sp_usage){option, sizeof option / sizeof *option, 1, 1}, argc,
                      argv, &code)) {
        return code;
    }
    bool damaged;
    const sp_table *table = sp_cli_open_study(args.word.item[0], &damaged);
    if (table) {
        code = csv_of_study(table, output, wanted, list);
        sp_table_free(table);
        sp_args_free(&args);
        return code;
    }
    code = SP_EXIT_USAGE;
    sp_result *result = !damaged && (!wanted || sp_args_split(&args, wanted, &names))
                            ? sp_cli_open(args.word.item[0])
                            : NULL;
    if (result && list) {
        list_channels(result);
        code = SP_EXIT_OK;
    } else if (result) {
        sp_status status = choose_frames(result, at, last, &frames, &err);
        status = status == SP_OK ? sp_cli_write_csv(result, output, &names, &frames, &err) : status;
        code = sp_cli_finish(status, &err);
    }
    sp_result_free(result);
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_csv = {
    .name = "csv",
    .purpose = "write the channels of a run as comma-separated values",
    .usage = "RESULT.h5 [options]",
    .example = "specht csv slider_crank.h5 -o all.csv\n"
               "specht csv slider_crank.h5 --names crank.omega,rod.omega | head\n"
               "specht csv slider_crank.h5 --names rod.phi --at 20ms\n"
               "specht csv slider_crank.h5 --list",
    .notes =
        "The first line names the columns, 't[s],crank.omega[rad/s],...'; the time comes\n"
        "first.  Of a study the points are written, or with --names its samples or a table of\n"
        "what came of it (attractors, spectrum, ...).",
    .run = csv_command,
};

/* ---- recover ------------------------------------------------------------------------------- */

/* specht recover */
static int recover_command(const sp_command *self, int argc, char **argv)
{
    int code;
    sp_args args;
    sp_result *result = NULL;
    sp_error err = {.status = SP_OK};
    if (!sp_args_read(&args, self, &(sp_usage){NULL, 0, 1, 1}, argc, argv, &code)) {
        return code;
    }
    const char *path = args.word.item[0];
    code = SP_EXIT_USAGE;
    if (sp_result_open(path, &result, &err) != SP_OK) {
        sp_cli_print_error(&err);
    } else {
        sp_result_free(result);
        result = NULL;
        sp_status status = sp_result_recover(path, &err);
        status = status == SP_OK ? sp_result_open(path, &result, &err) : status;
        code = sp_cli_finish(status, &err);
    }
    if (result) {
        const sp_result_info *about = sp_result_about(result);
        printf("  %s   %zu frame%s, %zu event%s   %s\n", path, about->n_frame,
               about->n_frame == 1 ? "" : "s", about->n_event, about->n_event == 1 ? "" : "s",
               about->status);
        sp_result_free(result);
    }
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_recover = {
    .name = "recover",
    .purpose = "make the result of a run that was killed readable for every program",
    .usage = "RESULT.h5",
    .example = "specht recover slider_crank.h5",
    .notes = "Specht itself reads such a file as it is.  Nothing that was written is lost; a file\n"
             "that needs no repair stays as it is.",
    .run = recover_command,
};
