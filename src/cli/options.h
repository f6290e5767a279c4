/* cli/options.h - reading a command's arguments, and its --help made from the same table. */
#ifndef SP_CLI_OPTIONS_H
#define SP_CLI_OPTIONS_H

#include "base/arena.h"
#include "cli/command.h"

#include <stdbool.h>

/* Texts in the order given. */
typedef struct sp_texts {
    int n;
    const char **item;
} sp_texts;

typedef enum {
    SP_OPTION_FLAG, /* --json          into: bool          */
    SP_OPTION_TEXT, /* --until VALUE   into: const char *  */
    SP_OPTION_LIST  /* --set VALUE ... into: sp_texts      */
} sp_option_kind;

typedef struct sp_option {
    const char *name; /* "until", written --until VALUE or --until=VALUE */
    char letter;      /* 'o' for -o VALUE, '\0' for none                 */
    sp_option_kind kind;
    const char *value; /* what VALUE is, for --help; NULL for a flag      */
    const char *help;
    void *into;
} sp_option;

/* The arguments that are no options. */
typedef struct sp_args {
    sp_arena arena;
    sp_texts word;
} sp_args;

/* What a command takes: n options, and between least and most other words. */
typedef struct sp_usage {
    const sp_option *option;
    int n, least, most;
} sp_usage;

/* Read argv[1..].  True: go on, sp_args_free when done.  False: end with *code; help or the mistake
 * has been printed. */
bool sp_args_read(sp_args *args, const sp_command *command, const sp_usage *usage, int argc,
                  char **argv, int *code);
void sp_args_free(sp_args *args);

/* The assignments of --set, and name[i]=value[i] for each value that is not NULL, as
 * sp_spec_override wants them.  A number with its unit stuck to it is taken apart, as shells invite
 * to write it so: "100ms" becomes "100 ms".  False: no memory, and said so. */
bool sp_args_assignments(sp_args *args, const sp_texts *set, int n, const char *const *name,
                         const char *const *value, sp_texts *all);

/* Bytes of the number that text begins with if its unit is stuck to it, else 0. */
size_t sp_args_stuck_unit(const char *text);

/* The items of "a,b,c". */
bool sp_args_split(sp_args *args, const char *text, sp_texts *list);

#endif
