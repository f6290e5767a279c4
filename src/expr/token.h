/* expr/token.h - the symbols of an expression; for the files of this room only. */
#ifndef SP_EXPR_TOKEN_H
#define SP_EXPR_TOKEN_H

#include "expr/units.h"

typedef enum sp_token_kind {
    SP_TOK_END,
    SP_TOK_NUMBER, /* with its unit, already in SI */
    SP_TOK_NAME,   /* one component of a path */
    SP_TOK_OPEN,
    SP_TOK_CLOSE,
    SP_TOK_COMMA,
    SP_TOK_PLUS,
    SP_TOK_MINUS,
    SP_TOK_TIMES,
    SP_TOK_OVER,
    SP_TOK_MOD,
    SP_TOK_POWER,
    SP_TOK_LESS,
    SP_TOK_LESS_EQUAL,
    SP_TOK_GREATER,
    SP_TOK_GREATER_EQUAL,
    SP_TOK_AND,
    SP_TOK_OR,
    SP_TOK_NOT
} sp_token_kind;

typedef struct sp_token {
    sp_token_kind kind;
    size_t begin, end; /* bytes of the text                       */
    double value;      /* of a number                             */
    sp_dim dim;
    bool has_unit;
} sp_token;

/* A text and how far it has been read. */
typedef struct sp_reader {
    const char *text;
    size_t pos, end;
} sp_reader;

enum { SP_QUOTE_MAX = 64 };

/* A piece of text fit for a message: strange bytes become '?', the middle of long ones "...". */
typedef struct sp_quote {
    char text[SP_QUOTE_MAX];
} sp_quote;
sp_quote sp_quote_text(const char *text, size_t begin, size_t end);

/* Reads the next symbol.  On failure token->begin is the place. */
sp_status sp_token_next(sp_reader *reader, sp_token *token, sp_error *err);

/* Length of the name, of the whole number, of the run of primes that starts at pos; 0 if none. */
size_t sp_token_name(const sp_reader *reader, size_t pos);
size_t sp_token_digits(const sp_reader *reader, size_t pos);
size_t sp_token_primes(const sp_reader *reader, size_t pos);

/* Skips blanks, tabs and line ends. */
void sp_token_blanks(sp_reader *reader);

/* Whether the word of length n is mod, and, or, not. */
bool sp_token_keyword(const char *word, size_t n, sp_token_kind *kind);

/* The double nearest to the decimal number text[begin..end) times 10^shift.  False if it is too
 * long, too large or too small.  Does not depend on the locale. */
bool sp_number_value(const char *text, size_t begin, size_t end, int shift, double *value);

#endif
