/* model/source_lines.h - the lines of a model file that describe the machine: what is left without
 * comments, blank lines and section 'run', which says how it is simulated. */
#ifndef SP_MODEL_SOURCE_LINES_H
#define SP_MODEL_SOURCE_LINES_H

#include <stdbool.h>

/* Where a walk through a text stands; begin with {.at = text}. */
typedef struct sp_source_walk {
    const char *at; /* NULL: at the end */
    int number;     /* lines passed     */
    bool run;       /* inside of 'run'  */
} sp_source_walk;

/* A line without comment and blanks at its end. */
typedef struct sp_source_line {
    const char *at;
    int n, number; /* number: 1 is the first of the text */
} sp_source_line;

/* The next line that describes the machine; false: there is none. */
bool sp_source_next(sp_source_walk *walk, sp_source_line *line);

#endif
