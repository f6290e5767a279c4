#include "io/plot_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Where the result goes; a piece goes in as a whole or, with everything after it, not at all. */
typedef struct sheet {
    char *out;
    size_t size, used;
    bool full;
} sheet;

static void put(sheet *s, const char *piece, size_t n)
{
    s->full = s->full || s->used + n >= s->size;
    if (!s->full) {
        memcpy(s->out + s->used, piece, n);
        s->used += n;
        s->out[s->used] = '\0';
    }
}

static void put_all(sheet *s, const char *piece)
{
    put(s, piece, strlen(piece));
}

static const struct {
    const char *name, *letter;
} greek[] = {
    {"alpha", "α"},  {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"},
    {"eps", "ε"},    {"zeta", "ζ"},  {"eta", "η"},   {"theta", "θ"}, {"kappa", "κ"},
    {"lambda", "λ"}, {"mu", "μ"},    {"nu", "ν"},    {"xi", "ξ"},    {"pi", "π"},
    {"rho", "ρ"},    {"sigma", "σ"}, {"tau", "τ"},   {"phi", "φ"},   {"chi", "χ"},
    {"psi", "ψ"},    {"omega", "ω"}, {"Gamma", "Γ"}, {"Delta", "Δ"}, {"Theta", "Θ"},
    {"Lambda", "Λ"}, {"Xi", "Ξ"},    {"Pi", "Π"},    {"Sigma", "Σ"}, {"Phi", "Φ"},
    {"Psi", "Ψ"},    {"Omega", "Ω"},
};

/* The Greek letter of a word of n letters, NULL: none. */
static const char *greek_letter(const char *word, size_t n)
{
    for (size_t k = 0; k < sizeof greek / sizeof greek[0]; k++) {
        if (strlen(greek[k].name) == n && strncmp(greek[k].name, word, n) == 0) {
            return greek[k].letter;
        }
    }
    return NULL;
}

/* Bytes of the UTF-8 character at s, 0 if it is none. */
static size_t utf8_length(const unsigned char *s)
{
    const size_t n = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    if (s[0] > 0xF4) {
        return 0;
    }
    for (size_t k = 1; k < n; k++) {
        if ((s[k] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return n;
}

/* One character that shall show as itself; returns its bytes.  An apostrophe would end gnuplot's
 * string, and doubled ones are not understood everywhere: it becomes the printer's apostrophe, or
 * a prime where the text is a formula. */
static size_t put_plain(sheet *s, const char *text, bool formula)
{
    const size_t n = utf8_length((const unsigned char *)text);
    const unsigned char c = (unsigned char)*text;
    if (n == 0) {
        put_all(s, "\xef\xbf\xbd");
        return 1;
    }
    if (c == '\'') {
        put_all(s, formula ? "′" : "’");
    } else if (c < 0x20 || c == 0x7F) {
        put_all(s, " ");
    } else if (strchr("\\{}^_@&~", c)) {
        const char pair[2] = {'\\', (char)c};
        put(s, pair, 2);
    } else {
        put(s, text, n);
    }
    return n;
}

/* Letters and digits from here on. */
static size_t word_length(const char *text)
{
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) && (unsigned char)text[n] < 0x80) {
        n++;
    }
    return n;
}

enum { INDEX_MAX = 3 };

/* A word with its index, "omega_0"; returns the bytes used. */
static size_t put_word(sheet *s, const char *text, size_t n)
{
    const char *letter = greek_letter(text, n);
    if (letter) {
        put_all(s, letter);
    } else {
        put(s, text, n);
    }
    const size_t index = text[n] == '_' ? word_length(text + n + 1) : 0;
    if ((letter || n == 1) && index >= 1 && index <= INDEX_MAX && text[n + 1 + index] != '_') {
        char piece[16];
        const char *low = greek_letter(text + n + 1, index);
        const int length = snprintf(piece, sizeof piece, "_{%.*s}", (int)(low ? 2 : index),
                                    low ? low : text + n + 1);
        put(s, piece, (size_t)length);
        return n + 1 + index;
    }
    return n;
}

/* An exponent, "^2", "^-1"; returns the bytes used, 0 if none stands here. */
static size_t put_exponent(sheet *s, const char *text)
{
    const size_t sign = text[1] == '-' ? 1 : 0;
    const size_t n = word_length(text + 1 + sign);
    if (n < 1 || n > INDEX_MAX) {
        return 0;
    }
    char piece[16];
    const int length =
        snprintf(piece, sizeof piece, "^{%s%.*s}", sign ? "−" : "", (int)n, text + 1 + sign);
    put(s, piece, (size_t)length);
    return 1 + sign + n;
}

/* sp_plot_text, added to what is there. */
static void put_text(sheet *s, const char *text, bool formula)
{
    while (*text) {
        const size_t word = formula ? word_length(text) : 0;
        size_t used = 0;
        if (word > 0) {
            used = put_word(s, text, word);
        } else if (formula && *text == '*') {
            put_all(s, "·");
            used = 1;
        } else if (formula && *text == '^') {
            used = put_exponent(s, text);
        }
        text += used > 0 ? used : put_plain(s, text, formula);
    }
}

void sp_plot_text(const char *text, bool formula, char *out, size_t size)
{
    sheet s = {out, size, 0, false};
    out[0] = '\0';
    put_text(&s, text, formula);
}

void sp_plot_label(const char *name, const char *unit, char *out, size_t size)
{
    sheet s = {out, size, 0, false};
    out[0] = '\0';
    put_text(&s, name, true);
    if (unit[0] != '\0' && strcmp(unit, "1") != 0) {
        put_all(&s, name[0] ? " [" : "[");
        /* letters of units are no symbols: only products and exponents are set */
        for (const char *u = unit; *u;) {
            const size_t used = *u == '^' ? put_exponent(&s, u) : 0;
            if (*u == '*') {
                put_all(&s, "·");
                u++;
            } else {
                u += used > 0 ? used : put_plain(&s, u, false);
            }
        }
        put_all(&s, "]");
    }
}
