#include "model/source_lines.h"

#include <string.h>

/* The length of a line without its comment, which begins with '#' at its start or after a blank
 * outside of quotes, and without blanks at its end. */
static size_t length_without_comment(const char *line, size_t n)
{
    char quote = '\0';
    for (size_t i = 0; i < n; i++) {
        const char before = i > 0 ? line[i - 1] : ' ';
        if (quote == '"' && line[i] == '\\') {
            i++; /* what is escaped ends nothing */
        } else if (quote) {
            quote = line[i] == quote ? '\0' : quote;
        } else if ((line[i] == '"' || line[i] == '\'') && strchr(" \t[{,:", before)) {
            quote = line[i];
        } else if (line[i] == '#' && strchr(" \t", before)) {
            n = i;
        }
    }
    while (n > 0 && strchr(" \t\r", line[n - 1])) {
        n--;
    }
    return n;
}

bool sp_source_next(sp_source_walk *walk, sp_source_line *line)
{
    while (walk->at) {
        const char *text = walk->at;
        const size_t whole = strcspn(text, "\n"), n = length_without_comment(text, whole);
        walk->at = text[whole] ? text + whole + 1 : NULL;
        walk->number++;
        if (n > 0 && !strchr(" \t", text[0])) { /* a section begins */
            walk->run = n >= 4 && strncmp(text, "run:", 4) == 0;
        }
        if (n > 0 && !walk->run) {
            *line = (sp_source_line){.at = text, .n = (int)n, .number = walk->number};
            return true;
        }
    }
    return false;
}
