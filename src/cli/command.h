/* cli/command.h - what a command of the program is, and all there are. */
#ifndef SP_CLI_COMMAND_H
#define SP_CLI_COMMAND_H

/* The exit codes of the program. */
enum {
    SP_EXIT_OK = 0,
    SP_EXIT_FAILED =
        1, /* the work could not be finished: no certified result, interrupted, disk full */
    SP_EXIT_AGAIN = 75, /* a study was stopped: the same command goes on (EX_TEMPFAIL) */
    SP_EXIT_USAGE = 2,  /* bad input or usage: nothing was begun */
    SP_EXIT_PIPE = 141  /* the reader of the output left, as '| head' does; nothing is said */
};

typedef struct sp_command {
    const char *name;
    const char *purpose; /* one line                                   */
    const char *usage;   /* "MODEL.yaml [options]"                     */
    const char *example; /* lines, as typed                            */
    const char *notes;   /* more lines for --help, or NULL             */
    /* argv[0] is the command's name; returns the exit code. */
    int (*run)(const struct sp_command *self, int argc, char **argv);
} sp_command;

extern const sp_command sp_cmd_run, sp_cmd_check, sp_cmd_modes, sp_cmd_verify;
extern const sp_command sp_cmd_events, sp_cmd_csv, sp_cmd_plot, sp_cmd_recover;
extern const sp_command sp_cmd_report, sp_cmd_export;
extern const sp_command sp_cmd_study, sp_cmd_sweep, sp_cmd_merge;
extern const sp_command sp_cmd_schema, sp_cmd_new, sp_cmd_examples, sp_cmd_solve;
extern const sp_command sp_cmd_reduce;

#endif
