/* The program specht: a table of commands. */
#define _POSIX_C_SOURCE 200809L
#include "cli/command.h"
#include "cli/talk.h"
#include "io/result_read.h"
#include "ranks/ranks.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const sp_command *const command[] = {
    &sp_cmd_new,     &sp_cmd_check,    &sp_cmd_run,    &sp_cmd_verify, &sp_cmd_plot,
    &sp_cmd_report,  &sp_cmd_export,   &sp_cmd_events, &sp_cmd_csv,    &sp_cmd_solve,
    &sp_cmd_recover, &sp_cmd_examples, &sp_cmd_schema, &sp_cmd_modes,  &sp_cmd_sweep,
    &sp_cmd_study,   &sp_cmd_merge,    &sp_cmd_reduce,
};
enum { N_COMMAND = sizeof command / sizeof *command };

/* The list of commands. */
static void print_overview(FILE *file)
{
    fprintf(file,
            "specht %s: machines with impacts and friction, simulated and certified\n\n"
            "usage: specht COMMAND [arguments]\n\n",
            sp_version());
    for (int i = 0; i < N_COMMAND; i++) {
        fprintf(file, "  %-9s %s\n", command[i]->name, command[i]->purpose);
    }
    fprintf(file, "  %-9s %s\n  %-9s %s\n", "version", "print the version", "help",
            "print this text, or the help of a command");
    fprintf(file, "\nbegin:  specht new ball.yaml && specht run ball.yaml && specht plot ball.h5\n"
                  "help:   specht COMMAND --help\n"
                  "exit codes: 0 done; 1 the work could not be finished, such as a run without a\n"
                  "  certified result, interrupted, or on a full disk; 2 bad input or usage\n");
}

/* The command with this name, NULL if there is none. */
static const sp_command *find(const char *name)
{
    for (int i = 0; i < N_COMMAND; i++) {
        if (strcmp(name, command[i]->name) == 0) {
            return command[i];
        }
    }
    return NULL;
}

/* A name that is no command: near to one, or not. */
static int refuse(const char *name)
{
    const char *known[N_COMMAND + 2] = {"version", "help"};
    for (int i = 0; i < N_COMMAND; i++) {
        known[i + 2] = command[i]->name;
    }
    const char *near = sp_nearest(name, known, N_COMMAND + 2);
    const char *what = name[0] == '-' ? "option" : "command";
    if (near) {
        sp_cli_complain("unknown %s '%s', did you mean '%s'?", what, name, near);
    } else {
        sp_cli_complain("unknown %s '%s'; 'specht help' lists all", what, name);
    }
    return SP_EXIT_USAGE;
}

/* "specht help [COMMAND]" */
static int help(int argc, char **argv)
{
    const sp_command *c = argc > 1 ? find(argv[1]) : NULL;
    if (argc > 1 && !c) {
        return refuse(argv[1]);
    }
    if (c) {
        char name[32], option[] = "--help", *args[] = {name, option, NULL};
        snprintf(name, sizeof name, "%s", c->name);
        return c->run(c, 2, args);
    }
    print_overview(stdout);
    return SP_EXIT_OK;
}

/* Run what argv[0] names. */
static int dispatch(int argc, char **argv)
{
    const char *name = argv[0];
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        printf("specht %s\n", sp_version());
        return SP_EXIT_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        return help(argc, argv);
    }
    const sp_command *c = find(name);
    return c ? c->run(c, argc, argv) : refuse(name);
}

/* Make failed writes errors instead of signals, and take care that no file of ours becomes number
 * 0, 1 or 2 where the caller closed them: those are opened the wrong way round, so that using them
 * fails. */
static void prepare(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd) {
            _exit(SP_EXIT_FAILED);
        }
    }
}

int main(int argc, char **argv)
{
    sp_result_quiet_exit(); /* first: HDF5 must not print at exit */
    prepare();
    if (argc < 2) {
        print_overview(stderr);
        return SP_EXIT_USAGE;
    }
    const bool studies = strcmp(argv[1], "study") == 0 || strcmp(argv[1], "sweep") == 0;
    if (!studies) {
        return sp_cli_close_stdout(dispatch(argc - 1, argv + 1));
    }
    if (!sp_ranks_begin(&argc, &argv)) {
        return SP_EXIT_USAGE;
    }
    return sp_ranks_end(sp_cli_close_stdout(dispatch(argc - 1, argv + 1)));
}
