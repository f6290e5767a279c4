#define _POSIX_C_SOURCE 200809L
#include "cli/talk.h"

#include "cli/command.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "specht: ", stronger on a terminal. */
static void print_prefix(void)
{
    const bool colour = sp_cli_has_colour(stderr);
    fprintf(stderr, "%sspecht:%s ", colour ? "\033[1m" : "", colour ? "\033[0m" : "");
}

void sp_cli_complain(const char *fmt, ...)
{
    va_list args;
    fflush(stdout);
    print_prefix();
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
}

/* A text with its place in front. */
static void place_text(const char *file, int line, int column, const char *mark, const char *text,
                       char *buffer, size_t size)
{
    if (file && file[0] && line > 0 && column > 0) {
        snprintf(buffer, size, "%s:%d:%d: %s%s", file, line, column, mark, text);
    } else if (file && file[0] && line > 0) { /* of other programs */
        snprintf(buffer, size, "%s:%d: %s%s", file, line, mark, text);
    } else if (file && file[0]) {
        snprintf(buffer, size, "%s: %s%s", file, mark, text);
    } else {
        snprintf(buffer, size, "%s%s", mark, text);
    }
}

void sp_cli_error_text(const sp_error *err, char *buffer, size_t size)
{
    place_text(err->file, err->line, err->column, "", err->text, buffer, size);
}

void sp_cli_message_text(const sp_message *message, char *buffer, size_t size)
{
    static const char *const mark[] = {"note: ", "warning: ", ""};
    const sp_place *at = &message->place;
    place_text(at->file, at->line, at->column, mark[message->severity], message->text, buffer,
               size);
}

void sp_cli_print_error(const sp_error *err)
{
    char text[1024];
    sp_cli_error_text(err, text, sizeof text);
    sp_cli_complain("%s", text);
}

void sp_cli_print_messages(const sp_diag *diag, bool quiet)
{
    char text[2048];
    for (const sp_message *m = diag->first; m; m = m->next) {
        if (m->severity != SP_NOTE || !quiet) {
            sp_cli_message_text(m, text, sizeof text);
            sp_cli_complain("%s", text);
        }
    }
    if (diag->n_error > SP_DIAG_MAX) {
        sp_cli_complain("%d more errors", diag->n_error - SP_DIAG_MAX);
    }
}

bool sp_cli_reader_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

int sp_cli_close_stdout(int code)
{
    const bool lost = ferror(stdout) != 0;
    errno = 0;
    if (fflush(stdout) == 0 && !lost) {
        return code;
    }
    if (sp_cli_reader_left()) { /* '| head' has seen enough */
        return code == SP_EXIT_OK ? SP_EXIT_PIPE : code;
    }
    if (code == SP_EXIT_OK) { /* else the reason has been printed */
        sp_cli_complain("cannot write to the standard output: %s",
                        errno == 0 ? "not everything was written" : strerror(errno));
    }
    return code == SP_EXIT_OK ? SP_EXIT_FAILED : code;
}

bool sp_cli_is_terminal(FILE *file)
{
    const char *term = getenv("TERM");
    return isatty(fileno(file)) && term && *term && strcmp(term, "dumb") != 0;
}

bool sp_cli_has_colour(FILE *file)
{
    const char *no_colour = getenv("NO_COLOR");
    return !(no_colour && *no_colour) && sp_cli_is_terminal(file);
}

bool sp_cli_is_utf8(void)
{
    /* asked of a locale of its own: the program itself stays in the C locale */
    const locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (!locale) {
        return false;
    }
    const bool utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return utf8;
}

const char *sp_cli_arrow(void)
{
    return sp_cli_is_utf8() ? "\u2192" : "->";
}

void sp_cli_program_folder(char *folder, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", folder, size - 1);
    folder[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) {
        *slash = '\0';
    }
}

void sp_cli_put_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text; text++) {
        fprintf(file, *text == '\'' ? "''" : "%c", *text);
    }
    fputc('\'', file);
}
