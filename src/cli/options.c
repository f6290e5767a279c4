#include "cli/options.h"

#include "cli/talk.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_MAX = 24, FLAG_WIDTH = 24 };

/* ---- help ---------------------------------------------------------------------------------- */

/* Print one option: its forms, then its help. */
static void print_option(const sp_option *o)
{
    char form[80];
    const bool takes = o->kind != SP_OPTION_FLAG;
    if (o->letter) {
        snprintf(form, sizeof form, "-%c, --%s%s%s", o->letter, o->name, takes ? " " : "",
                 takes ? o->value : "");
    } else {
        snprintf(form, sizeof form, "--%s%s%s", o->name, takes ? " " : "", takes ? o->value : "");
    }
    printf("  %-*s  %s\n", FLAG_WIDTH, form, o->help);
}

/* Print lines with two blanks in front. */
static void print_indented(const char *text)
{
    while (*text) {
        const size_t n = strcspn(text, "\n");
        printf("  %.*s\n", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

/* Print the help of a command. */
static void print_help(const sp_command *command, const sp_option *option, int n)
{
    const sp_option help = {"help", 'h', SP_OPTION_FLAG, NULL, "this text", NULL};
    printf("specht %s: %s\n\nusage: specht %s %s\n\noptions:\n", command->name, command->purpose,
           command->name, command->usage);
    for (int i = 0; i < n; i++) {
        print_option(&option[i]);
    }
    print_option(&help);
    if (command->notes) {
        printf("\n%s\n", command->notes);
    }
    printf("\nexample:\n");
    print_indented(command->example);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* What is being read. */
typedef struct reader {
    sp_args *args;
    const sp_command *command;
    const sp_option *option;
    int n, argc, at; /* at: the argument that is read */
    char **argv;
} reader;

/* Add a text to a list, which has room for as many as there are arguments. */
static bool add(const reader *r, sp_texts *list, const char *text)
{
    if (!list->item) {
        list->item = SP_NEW(&r->args->arena, const char *, r->argc);
        list->n = 0;
    }
    if (!list->item) {
        sp_cli_complain("out of memory");
        return false;
    }
    list->item[list->n++] = text;
    return true;
}

/* A mistake in the arguments, with the way to help. */
static bool misuse(const reader *r, const char *text, const char *what)
{
    sp_cli_complain("%s: %s '%s'; see 'specht %s --help'", r->command->name, what, text,
                    r->command->name);
    return false;
}

/* An option that is none, with the nearest there is. */
static bool unknown(const reader *r, const char *name, size_t length)
{
    const char *known[OPTION_MAX + 1], *command = r->command->name;
    char word[64];
    for (int i = 0; i < r->n; i++) {
        known[i] = r->option[i].name;
    }
    known[r->n] = "help";
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const char *near = sp_nearest(word, known, r->n + 1);
    if (near) {
        sp_cli_complain("%s: unknown option '--%s', did you mean '--%s'?", command, word, near);
    } else {
        sp_cli_complain("%s: unknown option '--%s'; see 'specht %s --help'", command, word,
                        command);
    }
    return false;
}

/* Store an option; attached is its value after '=' or after the letter, NULL if there is none. */
static bool store(reader *r, const sp_option *o, const char *attached)
{
    if (o->kind == SP_OPTION_FLAG) {
        if (attached) {
            return misuse(r, r->argv[r->at], "a value where none is taken:");
        }
        *(bool *)o->into = true;
        return true;
    }
    const char *value = attached;
    if (!value && r->at + 1 < r->argc && strncmp(r->argv[r->at + 1], "--", 2) != 0) {
        value = r->argv[++r->at];
    }
    if (!value || !*value) {
        sp_cli_complain("%s: option '--%s' needs a value: --%s %s", r->command->name, o->name,
                        o->name, o->value);
        return false;
    }
    if (o->kind == SP_OPTION_LIST) {
        return add(r, o->into, value);
    }
    *(const char **)o->into = value;
    return true;
}

/* Read "--name", "--name=value". */
static bool read_long(reader *r, const char *name)
{
    const size_t length = strcspn(name, "=");
    for (int i = 0; i < r->n; i++) {
        const char *known = r->option[i].name;
        if (strlen(known) == length && strncmp(name, known, length) == 0) {
            return store(r, &r->option[i], name[length] == '=' ? name + length + 1 : NULL);
        }
    }
    return unknown(r, name, length);
}

/* Read "-o value", "-ovalue". */
static bool read_short(reader *r, const char *letters)
{
    for (int i = 0; i < r->n; i++) {
        if (r->option[i].letter == letters[0]) {
            return store(r, &r->option[i], letters[1] ? letters + 1 : NULL);
        }
    }
    return misuse(r, r->argv[r->at], "unknown option");
}

/* Read one argument.  After "--" all are words. */
static bool read_one(reader *r, bool only_words)
{
    const char *text = r->argv[r->at];
    if (only_words || text[0] != '-' || text[1] == '\0') {
        return add(r, &r->args->word, text);
    }
    return text[1] == '-' ? read_long(r, text + 2) : read_short(r, text + 1);
}

/* Whether help is asked for anywhere. */
static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

/* Read all arguments. */
static bool read_all(reader *r, int least, int most)
{
    bool only_words = false;
    for (r->at = 1; r->at < r->argc; r->at++) {
        if (!only_words && strcmp(r->argv[r->at], "--") == 0) {
            only_words = true;
        } else if (!read_one(r, only_words)) {
            return false;
        }
    }
    const sp_texts *word = &r->args->word;
    if (word->n > most) {
        return misuse(r, word->item[most], "one argument too many:");
    }
    return word->n >= least || misuse(r, r->command->usage, "an argument is missing, expected");
}

bool sp_args_read(sp_args *args, const sp_command *command, const sp_usage *usage, int argc,
                  char **argv, int *code)
{
    reader r = {args, command, usage->option, usage->n, argc, 1, argv};
    assert(usage->n <= OPTION_MAX);
    memset(args, 0, sizeof *args);
    sp_arena_init(&args->arena, NULL, 0);
    *code = SP_EXIT_USAGE;
    if (wants_help(argc, argv)) {
        print_help(command, usage->option, usage->n);
        *code = sp_cli_close_stdout(SP_EXIT_OK);
    } else if (read_all(&r, usage->least, usage->most)) {
        return true;
    }
    sp_args_free(args);
    return false;
}

void sp_args_free(sp_args *args)
{
    sp_arena_free(&args->arena);
}

/* ---- values -------------------------------------------------------------------------------- */

size_t sp_args_stuck_unit(const char *text)
{
    const size_t sign = text[0] == '+' || text[0] == '-';
    if (!isdigit((unsigned char)text[sign]) && text[sign] != '.') {
        return 0;
    }
    char *end;
    (void)strtod(text, &end);
    return end > text && isalpha((unsigned char)*end) ? (size_t)(end - text) : 0;
}

/* "name=value", name being length bytes. */
static bool add_assignment(sp_args *args, const char *name, size_t length, const char *value,
                           sp_texts *all)
{
    const size_t n = sp_args_stuck_unit(value);
    const char *text = sp_arena_printf(&args->arena, "%.*s=%.*s%s%s", (int)length, name, (int)n,
                                       value, n ? " " : "", value + n);
    all->item[all->n++] = text;
    return text != NULL;
}

bool sp_args_assignments(sp_args *args, const sp_texts *set, int n, const char *const *name,
                         const char *const *value, sp_texts *all)
{
    *all = (sp_texts){.item = SP_NEW(&args->arena, const char *, set->n + n + 1)};
    bool ok = all->item != NULL;
    for (int i = 0; ok && i < set->n; i++) {
        const char *given = set->item[i], *equals = strchr(given, '=');
        if (equals) {
            ok = add_assignment(args, given, (size_t)(equals - given), equals + 1, all);
        } else {
            all->item[all->n++] = given; /* for others to refuse */
        }
    }
    for (int i = 0; ok && i < n; i++) {
        ok = !value[i] || add_assignment(args, name[i], strlen(name[i]), value[i], all);
    }
    if (!ok) {
        sp_cli_complain("out of memory");
    }
    return ok;
}

bool sp_args_split(sp_args *args, const char *text, sp_texts *list)
{
    int most = 1;
    for (const char *p = text; *p; p++) {
        most += *p == ',';
    }
    list->n = 0;
    list->item = SP_NEW(&args->arena, const char *, most);
    while (list->item && *text) {
        const size_t n = strcspn(text, ",");
        const char *item = sp_arena_text(&args->arena, text, n);
        if (!item) {
            list->item = NULL;
        } else if (n > 0) {
            list->item[list->n++] = item;
        }
        text += n + (text[n] == ',');
    }
    if (!list->item) {
        sp_cli_complain("out of memory");
    }
    return list->item != NULL;
}
