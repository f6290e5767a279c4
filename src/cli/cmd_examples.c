#define _POSIX_C_SOURCE 200809L
#include "base/status.h"
#include "cli/options.h"
#include "cli/talk.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, DEPTH_MAX = 4 };

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* ---- where they are ------------------------------------------------------------------------ */

/* The folder of examples: as the environment says, as installed beside the program, as in the
 * source tree above a build folder, as configured. */
static bool find_folder(char *folder, size_t size)
{
    static const char *const beside[] = {"../share/specht/examples", "../examples"};
    const char *given = getenv("SPECHT_EXAMPLES");
    if (given && *given) {
        snprintf(folder, size, "%s", given);
        return is_folder(folder);
    }
    char program[PATH_BYTES];
    sp_cli_program_folder(program, sizeof program);
    for (size_t i = 0; program[0] && i < sizeof beside / sizeof *beside; i++) {
        if (snprintf(folder, size, "%s/%s", program, beside[i]) < (int)size && is_folder(folder)) {
            return true;
        }
    }
#ifdef SPECHT_DATA_DIR
    snprintf(folder, size, "%s/examples", SPECHT_DATA_DIR);
    return is_folder(folder);
#else
    return false;
#endif
}

/* ---- what there is ------------------------------------------------------------------------- */

/* Cut a line to what it says: no key, no marks of a comment or heading, no line end. */
static const char *content(char *line)
{
    line[strcspn(line, "\r\n")] = '\0';
    const char *text = strncmp(line, "name:", 5) == 0 ? line + 5 : line;
    return text + strspn(text, "# \t");
}

/* The title of an example: the name of its model, or the first line of its README. */
static bool read_title(const char *folder, const char *name, char *title, size_t size)
{
    static const char *const form[] = {"%s/%s/%s.yaml", "%s/%s/README.md"};
    for (int k = 0; k < 2; k++) {
        char path[PATH_BYTES], line[1024];
        const int n = k == 0 ? snprintf(path, sizeof path, form[0], folder, name, name)
                             : snprintf(path, sizeof path, form[1], folder, name);
        FILE *file = n > 0 && n < (int)sizeof path ? fopen(path, "r") : NULL;
        bool found = false;
        while (file && !found && fgets(line, sizeof line, file)) {
            found = k == 1 || strncmp(line, "name:", 5) == 0;
        }
        if (file) {
            fclose(file);
        }
        if (found) {
            snprintf(title, size, "%s", content(line));
            return true;
        }
    }
    return false;
}

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Names in a folder, sorted; -1 if it cannot be read. */
static int list_folder(const char *folder, struct dirent ***entry)
{
    return scandir(folder, entry, not_hidden, alphasort);
}

static void free_list(struct dirent **entry, int n)
{
    for (int i = 0; i < n; i++) {
        free(entry[i]);
    }
    free(entry);
}

/* Print name and title of every example. */
static int list_examples(const char *folder)
{
    struct dirent **entry = NULL;
    const int n = list_folder(folder, &entry);
    char title[1024];
    for (int i = 0; i < n; i++) {
        if (read_title(folder, entry[i]->d_name, title, sizeof title)) {
            printf("  %-18s %s\n", entry[i]->d_name, title);
        }
    }
    if (n >= 0) {
        free_list(entry, n);
        printf("\n  %s specht examples NAME copies one here\n", sp_cli_arrow());
        return SP_EXIT_OK;
    }
    sp_cli_complain("examples: cannot read '%s': %s", folder, strerror(errno));
    return SP_EXIT_FAILED;
}

/* An example that is none, with the nearest. */
static int refuse(const char *folder, const char *name)
{
    struct dirent **entry = NULL;
    const int n = list_folder(folder, &entry);
    const char **known = calloc(n > 0 ? (size_t)n : 1, sizeof *known);
    char title[1024];
    int used = 0;
    for (int i = 0; known && i < n; i++) {
        if (read_title(folder, entry[i]->d_name, title, sizeof title)) {
            known[used++] = entry[i]->d_name;
        }
    }
    const char *near = known ? sp_nearest(name, known, used) : NULL;
    if (near) {
        sp_cli_complain("examples: there is no '%s', did you mean '%s'?", name, near);
    } else {
        sp_cli_complain("examples: there is no '%s'; 'specht examples' lists all", name);
    }
    free(known);
    if (n >= 0) {
        free_list(entry, n);
    }
    return SP_EXIT_USAGE;
}

/* ---- copying ------------------------------------------------------------------------------- */

/* "a/b" */
static sp_status join(char *path, const char *folder, const char *name, sp_error *err)
{
    return snprintf(path, PATH_BYTES, "%s/%s", folder, name) < PATH_BYTES
               ? SP_OK
               : SP_FAIL(err, SP_E_IO, "name too long: '%.200s...'", folder);
}

/* Copy one file; the copy must be new, and can be executed if the file can. */
static sp_status copy_file(const char *from, const char *to, sp_error *err)
{
    char block[65536];
    size_t n;
    FILE *in = fopen(from, "rb");
    if (!in) {
        return SP_FAIL(err, SP_E_IO, "cannot read '%s': %s", from, strerror(errno));
    }
    FILE *out = fopen(to, "wxb");
    bool ok = out != NULL;
    while (ok && (n = fread(block, 1, sizeof block, in)) > 0) {
        ok = fwrite(block, 1, n, out) == n;
    }
    ok = ok && !ferror(in);
    if (out && fclose(out) != 0) {
        ok = false;
    }
    const int why = errno;
    struct stat info;
    if (ok && fstat(fileno(in), &info) == 0 && (info.st_mode & S_IXUSR)) {
        (void)chmod(to, 0755);
    }
    fclose(in);
    return ok ? SP_OK : SP_FAIL(err, SP_E_IO, "cannot write '%s': %s", to, strerror(why));
}

/* What is done with the files of an example, and with its folders before them. */
typedef sp_status (*visit)(const char *from, const char *to, bool folder, sp_error *err);

/* Refuse a file that is there already. */
static sp_status must_be_new(const char *from, const char *to, bool folder, sp_error *err)
{
    struct stat info;
    (void)from;
    if (lstat(to, &info) != 0 || (folder && S_ISDIR(info.st_mode))) {
        return SP_OK;
    }
    return SP_FAIL(err, SP_E_INPUT, "'%s' is there already, nothing was copied", to);
}

/* Copy a file, make a folder. */
static sp_status copy_one(const char *from, const char *to, bool folder, sp_error *err)
{
    if (!folder) {
        return copy_file(from, to, err);
    }
    return mkdir(to, 0777) == 0 || (errno == EEXIST && is_folder(to))
               ? SP_OK
               : SP_FAIL(err, SP_E_IO, "cannot make the folder '%s': %s", to, strerror(errno));
}

/* Visit a folder and all in it, at most DEPTH_MAX levels down. */
static sp_status walk(const char *from, const char *to, int depth, visit what, sp_error *err)
{
    struct dirent **entry = NULL;
    char inner[PATH_BYTES], outer[PATH_BYTES];
    SP_TRY(what(from, to, true, err));
    const int n = list_folder(from, &entry);
    sp_status status =
        n >= 0 ? SP_OK : SP_FAIL(err, SP_E_IO, "cannot read '%s': %s", from, strerror(errno));
    for (int i = 0; i < n && status == SP_OK; i++) {
        status = join(inner, from, entry[i]->d_name, err);
        status = status == SP_OK ? join(outer, to, entry[i]->d_name, err) : status;
        if (status == SP_OK && !is_folder(inner)) {
            status = what(inner, outer, false, err);
        } else if (status == SP_OK && depth < DEPTH_MAX) {
            status = walk(inner, outer, depth + 1, what, err);
        }
    }
    if (n >= 0) {
        free_list(entry, n);
    }
    return status;
}

/* Copy an example to a folder, all of it or nothing. */
static int copy_example(const char *folder, const char *name, const char *to)
{
    char from[PATH_BYTES], model[PATH_BYTES], title[1024];
    sp_error err = {.status = SP_OK};
    if (strchr(name, '/') || !read_title(folder, name, title, sizeof title)) {
        return refuse(folder, name);
    }
    sp_status status = join(from, folder, name, &err);
    status = status == SP_OK ? walk(from, to, 0, must_be_new, &err) : status;
    status = status == SP_OK ? walk(from, to, 0, copy_one, &err) : status;
    if (status != SP_OK) {
        sp_cli_complain("examples: %s", err.text);
        return status == SP_E_INPUT ? SP_EXIT_USAGE : SP_EXIT_FAILED;
    }
    const int n = snprintf(model, sizeof model, "%s/%s.yaml", to, name);
    if (n < (int)sizeof model && access(model, R_OK) == 0) {
        printf("  %s   %s specht run %s\n", to, sp_cli_arrow(), model);
    } else {
        printf("  %s\n", to);
    }
    return SP_EXIT_OK;
}

/* specht examples */
static int examples_command(const sp_command *self, int argc, char **argv)
{
    int code;
    sp_args args;
    char folder[PATH_BYTES];
    if (!sp_args_read(&args, self, &(sp_usage){NULL, 0, 0, 2}, argc, argv, &code)) {
        return code;
    }
    const sp_texts *word = &args.word;
    code = SP_EXIT_FAILED;
    if (!find_folder(folder, sizeof folder)) {
        sp_cli_complain("examples: they are not installed beside the program; set SPECHT_EXAMPLES "
                        "to their folder");
    } else if (word->n == 0) {
        code = list_examples(folder);
    } else {
        code = copy_example(folder, word->item[0], word->item[word->n - 1]);
    }
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_examples = {
    .name = "examples",
    .purpose = "list the examples, or copy one out",
    .usage = "[NAME [FOLDER]]",
    .example = "specht examples\n"
               "specht examples slider_crank my_machine",
    .notes = "Without FOLDER the example goes to a folder with its own name.  No file is ever\n"
             "overwritten.  SPECHT_EXAMPLES names another folder to look in.",
    .run = examples_command,
};
