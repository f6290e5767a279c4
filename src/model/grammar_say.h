/* model/grammar_say.h - the words of messages about structure; for the check of files only. */
#ifndef SP_MODEL_GRAMMAR_SAY_H
#define SP_MODEL_GRAMMAR_SAY_H

#include "model/grammar.h"

enum {
    SP_SAY_LABEL = 200, /* bytes of "contour 'block': polygon: entry 2" */
    SP_SAY_CLIP = 60,   /* bytes of a value quoted in a message         */
    SP_SAY_LIST = 400,  /* bytes of a list of words in a message        */
    SP_SAY_DEPTH = 16   /* of the table, which has no cycles            */
};

/* The way from the top of the file to a value. */
typedef struct sp_say_where {
    const struct sp_say_where *up; /* NULL: the whole file                             */
    const char *noun;              /* "body": this is a named thing; NULL: a plain key */
    const char *key;               /* NULL: an entry of a list                         */
    int entry;                     /* its number, from 1                               */
    int depth;
} sp_say_where;

/* A text shortened for a message, without control characters and without half a UTF-8 letter. */
const char *sp_say_clip(const char *text, char buf[SP_SAY_CLIP + 4]);

/* Add text to a buffer that may be full; n is what would be there if it were not. */
size_t sp_say_append(char *buf, size_t size, size_t n, const char *text);

/* Name a value by the nearest named thing above it: "body 'rod': joint: axis". */
const char *sp_say_label(const sp_say_where *at, char buf[SP_SAY_LABEL]);

/* "expected a quantity [kg]" without its first word. */
const char *sp_say_expected(const sp_grammar_type *type, const sp_grammar_key *key,
                            char buf[SP_SAY_LABEL]);

/* "a, b, c" */
const char *sp_say_list(const char *const *item, int n, char buf[SP_SAY_LIST]);

#endif
