#include "expr/token.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_MAX = 100 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The byte at pos, 0 behind the end. */
static char at(const sp_reader *r, size_t pos)
{
    return pos < r->end ? r->text[pos] : '\0';
}

sp_quote sp_quote_text(const char *text, size_t begin, size_t end)
{
    const size_t half = (SP_QUOTE_MAX - 4) / 2;
    sp_quote q;
    const size_t n = end - begin;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (n > 2 * half && i == half) {
            memcpy(q.text + k, "...", 3);
            k += 3;
            i = n - half;
        }
        const char c = text[begin + i];
        q.text[k++] = (char)(is_blank(c) ? ' ' : c >= 32 && c < 127 ? c : '?');
    }
    q.text[k] = '\0';
    return q;
}

void sp_token_blanks(sp_reader *reader)
{
    while (reader->pos < reader->end && is_blank(reader->text[reader->pos])) {
        reader->pos++;
    }
}

size_t sp_token_name(const sp_reader *reader, size_t pos)
{
    size_t k = pos;
    if (is_letter(at(reader, k))) {
        while (is_letter(at(reader, k)) || is_digit(at(reader, k))) {
            k++;
        }
    }
    return k - pos;
}

size_t sp_token_digits(const sp_reader *reader, size_t pos)
{
    size_t k = pos;
    while (is_digit(at(reader, k))) {
        k++;
    }
    return k - pos;
}

size_t sp_token_primes(const sp_reader *reader, size_t pos)
{
    size_t k = pos;
    while (at(reader, k) == '\'') {
        k++;
    }
    return k - pos;
}

bool sp_token_keyword(const char *word, size_t n, sp_token_kind *kind)
{
    static const char *const name[] = {"mod", "and", "or", "not"};
    static const sp_token_kind kinds[] = {SP_TOK_MOD, SP_TOK_AND, SP_TOK_OR, SP_TOK_NOT};
    for (int k = 0; k < 4; k++) {
        if (strlen(name[k]) == n && memcmp(name[k], word, n) == 0) {
            *kind = kinds[k];
            return true;
        }
    }
    return false;
}

/* Reads the exponent behind an 'e'; so large that it overflows or underflows anyway is cut. */
static int read_exponent(const char *text, size_t begin, size_t end)
{
    const bool minus = begin < end && text[begin] == '-';
    int e = 0;
    for (size_t k = begin; k < end; k++) {
        if (is_digit(text[k]) && e < 100000) {
            e = 10 * e + (text[k] - '0');
        }
    }
    return minus ? -e : e;
}

bool sp_number_value(const char *text, size_t begin, size_t end, int shift, double *value)
{
    /* Digits without the point, then the exponent: strtod reads that alike in every locale. */
    char digits[DIGIT_MAX + 16];
    size_t n = 0;
    bool point = false, nonzero = false;
    for (size_t k = begin; k < end; k++) {
        const char c = text[k];
        if (c == 'e' || c == 'E') {
            shift += read_exponent(text, k + 1, end);
            break;
        }
        if (c == '.') {
            point = true;
            continue;
        }
        shift -= point ? 1 : 0;
        nonzero = nonzero || c != '0';
        if (nonzero && n == DIGIT_MAX) {
            return false;
        }
        if (nonzero) {
            digits[n++] = c;
        }
    }
    if (!nonzero) {
        *value = 0.0;
        return true;
    }
    snprintf(digits + n, sizeof digits - n, "e%d", shift);
    *value = strtod(digits, NULL);
    return isfinite(*value) && *value > 0.0;
}

/* End of the decimal number at pos: digits, point, digits, exponent; pos if there is none. */
static size_t number_end(const sp_reader *r, size_t pos)
{
    size_t k = pos + sp_token_digits(r, pos), n_digit = k - pos;
    if (at(r, k) == '.') {
        const size_t fraction = sp_token_digits(r, k + 1);
        n_digit += fraction;
        k += 1 + fraction;
    }
    if (n_digit == 0) {
        return pos;
    }
    if (at(r, k) == 'e' || at(r, k) == 'E') {
        const size_t sign = at(r, k + 1) == '+' || at(r, k + 1) == '-' ? 1 : 0;
        const size_t exponent = sp_token_digits(r, k + 1 + sign);
        k += exponent ? 1 + sign + exponent : 0;
    }
    return k;
}

/* End of one factor of a unit, with its power: "mm", "s^-2", "%". */
static size_t factor_end(const sp_reader *r, size_t pos)
{
    size_t k = pos;
    if (at(r, k) == '%') {
        k++;
    }
    while (is_letter(at(r, k)) || is_digit(at(r, k)) ||
           (at(r, k) == '.' && is_letter(at(r, k + 1)))) {
        k++;
    }
    if (k > pos && at(r, k) == '^') {
        const size_t sign = at(r, k + 1) == '-' ? 1 : 0;
        size_t p = k + 1 + sign + sp_token_digits(r, k + 1 + sign);
        if (is_digit(at(r, k + 1 + sign))) {
            p += at(r, p) == '.' && is_digit(at(r, p + 1)) ? 1 + sp_token_digits(r, p + 1) : 0;
            k = p;
        }
    }
    return k;
}

/* End of the unit at pos: factors joined by '*' and '/' without blanks.  A digit ends it. */
static size_t unit_end(const sp_reader *r, size_t pos)
{
    size_t k = at(r, pos) == '1' ? pos + 1 : factor_end(r, pos);
    while ((at(r, k) == '*' || at(r, k) == '/') &&
           (is_letter(at(r, k + 1)) || at(r, k + 1) == '%')) {
        k = factor_end(r, k + 1);
    }
    return k;
}

/* Whether a unit begins at pos: a letter or %, no operator word; "1/s" counts, too. */
static bool unit_begins(const sp_reader *r, size_t pos)
{
    sp_token_kind kind;
    if (at(r, pos) == '1') {
        return at(r, pos + 1) == '/' && is_letter(at(r, pos + 2));
    }
    const size_t n = sp_token_name(r, pos);
    return at(r, pos) == '%' ||
           (n && !(sp_token_keyword(r->text + pos, n, &kind) && kind != SP_TOK_NOT));
}

/* The sentence about a unit that is not known; says what may have been meant. */
static sp_status unknown_unit(const sp_reader *r, sp_token *number, size_t word, size_t word_end,
                              sp_error *err)
{
    const size_t begin = number->begin;
    number->begin = word; /* the place of the error */
    const sp_quote all = sp_quote_text(r->text, begin, number->end);
    const sp_quote name = sp_quote_text(r->text, word, word_end);
    char better[32];
    if (sp_unit_suggest(r->text + word, word_end - word, better, sizeof better)) {
        return SP_FAIL(err, SP_E_INPUT, "unknown unit '%s' in '%s'; did you mean '%s'?", name.text,
                       all.text, better);
    }
    size_t before = word; /* end of what stands before the word */
    const char *blank = "";
    char sign = '*';
    if (!is_blank(r->text[word - 1])) {
        sign = r->text[word - 1];
        before = word - 1;
        blank = " ";
    }
    while (is_blank(r->text[before - 1])) {
        before--;
    }
    const sp_quote left = sp_quote_text(r->text, begin, before);
    return SP_FAIL(err, SP_E_INPUT, "unknown unit '%s' in '%s'; a %s is written '%s%s%c%s%s%s'",
                   name.text, all.text, sign == '/' ? "quotient" : "product", left.text, blank,
                   sign, blank, name.text, at(r, word_end) == '(' ? "(...)" : "");
}

/* A tonne within a unit, as in '20 Hz*t', is the time to whoever wrote it: refused with what to
 * write. */
static sp_status check_tonne(const sp_reader *r, const sp_token *token, size_t pos, sp_error *err)
{
    for (size_t k = pos + 1; k < token->end; k++) {
        if ((at(r, k - 1) != '*' && at(r, k - 1) != '/') || at(r, k) != 't' ||
            factor_end(r, k) != k + 1) {
            continue;
        }
        const sp_quote all = sp_quote_text(r->text, token->begin, token->end);
        const sp_quote left = sp_quote_text(r->text, token->begin, k - 1);
        return SP_FAIL(err, SP_E_INPUT,
                       "'t' in '%s' is the unit tonne, as no blanks are around '%c'; the time is "
                       "written '%s %c t', and masses within units in kg",
                       all.text, at(r, k - 1), left.text, at(r, k - 1));
    }
    return SP_OK;
}

/* Reads the unit behind a number; the token then covers both and holds the value in SI. */
static sp_status read_unit(sp_reader *r, sp_token *token, size_t pos, sp_error *err)
{
    const size_t number_stop = token->end;
    size_t bad = 0, bad_end = 0;
    sp_unit unit;
    token->end = unit_end(r, pos);
    sp_error cause;
    if (sp_unit_read(r->text + pos, token->end - pos, &unit, &bad, &bad_end, &cause) != SP_OK) {
        if (strncmp(cause.text, "unknown unit", 12) == 0) {
            return unknown_unit(r, token, pos + bad, pos + bad_end, err);
        }
        const sp_quote all = sp_quote_text(r->text, token->begin, token->end);
        return SP_FAIL(err, SP_E_INPUT, "%s in '%s'", cause.text, all.text);
    }
    SP_TRY(check_tonne(r, token, pos, err));
    double value;
    if (!sp_number_value(r->text, token->begin, number_stop, unit.shift, &value)) {
        const sp_quote all = sp_quote_text(r->text, token->begin, token->end);
        return SP_FAIL(err, SP_E_INPUT, "'%s' is too long, too large or too small for a number",
                       all.text);
    }
    token->value = value / unit.den * unit.num;
    token->dim = unit.dim;
    token->has_unit = true;
    r->pos = token->end;
    return SP_OK;
}

/* The sentence about a number with something glued to it: 2m, 0x1F, 1_000, 1.2.3. */
static sp_status glued_number(const sp_reader *r, sp_token *token, sp_error *err)
{
    const size_t unit = token->end;
    size_t stop = unit;
    while (is_letter(at(r, stop)) || is_digit(at(r, stop)) || at(r, stop) == '.' ||
           at(r, stop) == '%') {
        stop++;
    }
    const sp_quote all = sp_quote_text(r->text, token->begin, stop);
    const sp_quote number = sp_quote_text(r->text, token->begin, unit);
    const sp_quote rest = sp_quote_text(r->text, unit, stop);
    double factor;
    sp_dim dim;
    if (sp_unit_parse(r->text + unit, stop - unit, &factor, &dim, NULL) == SP_OK) {
        return SP_FAIL(err, SP_E_INPUT,
                       "'%s' is not a quantity: put a blank before the unit, '%s %s'", all.text,
                       number.text, rest.text);
    }
    return SP_FAIL(err, SP_E_INPUT, "'%s' is not a quantity: '%s' cannot follow the number '%s'",
                   all.text, rest.text, number.text);
}

/* Reads a number and, after blanks, its unit. */
static sp_status read_number(sp_reader *r, sp_token *token, sp_error *err)
{
    token->kind = SP_TOK_NUMBER;
    token->end = number_end(r, token->begin);
    const char next = at(r, token->end);
    if (is_letter(next) || next == '.' || next == '%' || next == '\'') {
        return glued_number(r, token, err);
    }
    r->pos = token->end;
    sp_token_blanks(r);
    if (r->pos > token->end && unit_begins(r, r->pos)) {
        return read_unit(r, token, r->pos, err);
    }
    if (!sp_number_value(r->text, token->begin, token->end, 0, &token->value)) {
        const sp_quote all = sp_quote_text(r->text, token->begin, token->end);
        return SP_FAIL(err, SP_E_INPUT, "'%s' is too long, too large or too small for a number",
                       all.text);
    }
    return SP_OK;
}

/* The sentence about a character that belongs to no symbol. */
static sp_status strange_character(const sp_reader *r, size_t pos, sp_error *err)
{
    static const struct {
        const char *text, *hint;
    } known[] = {
        {"**", "a power is written with '^'"},
        {"==", "conditions are < <= > >="},
        {"!=", "conditions are < <= > >="},
        {"=", "conditions are < <= > >="},
        {"&&", "write 'and'"},
        {"||", "write 'or'"},
        {"!", "write 'not'"},
        {"[", "an element of an array is written 'link.3' or 'link.(i-1)'"},
        {"'", "a prime must follow a name"},
    };
    const sp_quote all = sp_quote_text(r->text, 0, r->end);
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const size_t n = strlen(known[k].text);
        if (r->end - pos >= n && memcmp(r->text + pos, known[k].text, n) == 0) {
            return SP_FAIL(err, SP_E_INPUT, "'%s' is not a quantity: unexpected '%s'; %s", all.text,
                           known[k].text, known[k].hint);
        }
    }
    const unsigned char c = (unsigned char)r->text[pos];
    if (c >= 32 && c < 127) {
        return SP_FAIL(err, SP_E_INPUT, "'%s' is not a quantity: unexpected '%c'", all.text, c);
    }
    return SP_FAIL(err, SP_E_INPUT,
                   "'%s' is not a quantity: unexpected byte 0x%02X; names and units are written "
                   "with the letters a-z and A-Z",
                   all.text, c);
}

/* The symbols of one or two characters; *length is 0 if there is none. */
static sp_token_kind punctuation(const sp_reader *r, size_t pos, size_t *length)
{
    static const char single[] = "(),+-*/^<>";
    static const sp_token_kind kinds[] = {SP_TOK_OPEN,  SP_TOK_CLOSE,  SP_TOK_COMMA, SP_TOK_PLUS,
                                          SP_TOK_MINUS, SP_TOK_TIMES,  SP_TOK_OVER,  SP_TOK_POWER,
                                          SP_TOK_LESS,  SP_TOK_GREATER};
    const char *found = strchr(single, at(r, pos));
    *length = found && *found ? 1 : 0;
    if (*length == 0 || (at(r, pos) == '*' && at(r, pos + 1) == '*')) {
        *length = 0;
        return SP_TOK_END;
    }
    if ((*found == '<' || *found == '>') && at(r, pos + 1) == '=') {
        *length = 2;
        return *found == '<' ? SP_TOK_LESS_EQUAL : SP_TOK_GREATER_EQUAL;
    }
    return kinds[found - single];
}

sp_status sp_token_next(sp_reader *reader, sp_token *token, sp_error *err)
{
    sp_token_blanks(reader);
    const size_t pos = reader->pos;
    const sp_token none = {.kind = SP_TOK_END, .begin = pos, .end = pos, .value = 0.0};
    *token = none;
    if (pos >= reader->end) {
        return SP_OK;
    }
    if (number_end(reader, pos) > pos) {
        return read_number(reader, token, err);
    }
    size_t n = sp_token_name(reader, pos);
    if (n) {
        token->kind = SP_TOK_NAME;
        if (at(reader, pos + n) != '.') { /* a body may be called 'mod', too */
            sp_token_keyword(reader->text + pos, n, &token->kind);
        }
    } else {
        token->kind = punctuation(reader, pos, &n);
        if (n == 0) {
            return strange_character(reader, pos, err);
        }
    }
    token->end = pos + n;
    reader->pos = token->end;
    return SP_OK;
}
