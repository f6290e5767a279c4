#include "io/json.h"

#include "io/base64.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void sp_json_init(sp_json *j, FILE *file)
{
    memset(j, 0, sizeof *j);
    j->file = file;
}

/* Put what stands before a value: a comma, the key. */
static void begin_value(sp_json *j, const char *key)
{
    const bool line = j->lines && j->depth == 1;
    if (j->not_first[j->depth]) {
        fputs(line ? ",\n " : ", ", j->file);
    } else if (line) {
        fputs("\n ", j->file);
    }
    j->not_first[j->depth] = true;
    if (key) {
        sp_json_quote(j->file, key);
        fputs(": ", j->file);
    }
}

/* Open a level. */
static void open_level(sp_json *j, const char *key, char first, char last)
{
    assert(j->depth + 1 < SP_JSON_DEPTH);
    begin_value(j, key);
    fputc(first, j->file);
    j->depth++;
    j->close[j->depth] = last;
    j->not_first[j->depth] = false;
}

void sp_json_object(sp_json *j, const char *key)
{
    open_level(j, key, '{', '}');
}

void sp_json_array(sp_json *j, const char *key)
{
    open_level(j, key, '[', ']');
}

void sp_json_end(sp_json *j)
{
    assert(j->depth > 0);
    if (j->lines && j->depth == 1 && j->not_first[1]) {
        fputc('\n', j->file);
    }
    fputc(j->close[j->depth], j->file);
    j->depth--;
}

void sp_json_number(sp_json *j, const char *key, double value)
{
    sp_json_short(j, key, value, 17);
}

void sp_json_short(sp_json *j, const char *key, double value, int digits)
{
    begin_value(j, key);
    if (isfinite(value)) {
        fprintf(j->file, "%.*g", digits, value);
    } else {
        fputs("null", j->file);
    }
}

void sp_json_bytes(sp_json *j, const char *key, const void *bytes, size_t n)
{
    begin_value(j, key);
    fputc('"', j->file);
    sp_base64_write(j->file, bytes, n);
    fputc('"', j->file);
}

void sp_json_data_uri(sp_json *j, const char *key, const char *type, const void *bytes, size_t n)
{
    begin_value(j, key);
    fprintf(j->file, "\"data:%s;base64,", type);
    sp_base64_write(j->file, bytes, n);
    fputc('"', j->file);
}

void sp_json_integer(sp_json *j, const char *key, long long value)
{
    begin_value(j, key);
    fprintf(j->file, "%lld", value);
}

void sp_json_bool(sp_json *j, const char *key, bool value)
{
    begin_value(j, key);
    fputs(value ? "true" : "false", j->file);
}

void sp_json_text(sp_json *j, const char *key, const char *text)
{
    begin_value(j, key);
    if (text) {
        sp_json_quote(j->file, text);
    } else {
        fputs("null", j->file);
    }
}

void sp_json_numbers(sp_json *j, const char *key, int n, const double *value)
{
    sp_json_array(j, key);
    for (int k = 0; k < n; k++) {
        sp_json_number(j, NULL, value[k]);
    }
    sp_json_end(j);
}

void sp_json_null(sp_json *j, const char *key)
{
    begin_value(j, key);
    fputs("null", j->file);
}

/* Bytes of the UTF-8 character at s, 0 if it is none (also overlong forms and surrogates). */
static int utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80) {
        return 1;
    }
    const int n = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
    if (s[0] < 0xC2 || s[0] > 0xF4) {
        return 0;
    }
    for (int k = 1; k < n; k++) {
        if ((s[k] & 0xC0) != 0x80) {
            return 0;
        }
    }
    const bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    const bool outside = (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F);
    return overlong || outside ? 0 : n;
}

void sp_json_quote(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const int n = utf8_length(s);
        if (n == 0) {
            fputs("\\ufffd", file);
            s++;
            continue;
        }
        if (*s == '"' || *s == '\\') {
            fprintf(file, "\\%c", *s);
        } else if (*s == '\n') {
            fputs("\\n", file);
        } else if (*s < 0x20 || *s == 0x7F) {
            fprintf(file, "\\u%04x", *s);
        } else {
            fwrite(s, 1, (size_t)n, file);
        }
        s += n;
    }
    fputc('"', file);
}

/* Pass over white space. */
static void skip_space(sp_json_reader *r)
{
    while (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r') {
        r->at++;
    }
}

bool sp_json_take(sp_json_reader *r, char c)
{
    skip_space(r);
    if (r->failed || *r->at != c || c == '\0') {
        return false;
    }
    r->at++;
    return true;
}

bool sp_json_more(sp_json_reader *r, char close, bool *first)
{
    if (sp_json_take(r, close)) {
        return false;
    }
    if (!*first && !sp_json_take(r, ',')) {
        r->failed = true;
    }
    *first = false;
    return !r->failed;
}

/* The code after \u as UTF-8 (single codes only; halves of a pair become U+FFFD). */
static size_t read_code(sp_json_reader *r, char out[4])
{
    unsigned code = 0;
    for (int k = 0; k < 4; k++) {
        const char c = *r->at;
        const char *digits = "0123456789abcdef", *d = strchr(digits, c | 0x20);
        const bool is_digit = c && d && (c >= '0' && (c <= '9' || (c | 0x20) >= 'a'));
        if (!is_digit) {
            r->failed = true;
            return 0;
        }
        code = 16 * code + (unsigned)(d - digits);
        r->at++;
    }
    code = code == 0 || (code >= 0xD800 && code < 0xE000) ? 0xFFFD : code;
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    out[0] = (char)(0xE0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 0x3F));
    out[2] = (char)(0x80 | (code & 0x3F));
    return 3;
}

/* The next character of a string, with escapes undone; returns its bytes, 0 at an error. */
static size_t read_char(sp_json_reader *r, char out[4])
{
    if (*r->at != '\\') {
        const int n = utf8_length((const unsigned char *)r->at);
        if (n == 0 || (unsigned char)*r->at < 0x20) {
            r->failed = true;
            return 0;
        }
        memcpy(out, r->at, (size_t)n);
        r->at += n;
        return (size_t)n;
    }
    const char c = r->at[1];
    const char *from = "\"\\/nrtbf", *to = "\"\\/\n\r\t\b\f", *found = c ? strchr(from, c) : NULL;
    if (c == 'u') {
        r->at += 2;
        return read_code(r, out);
    }
    if (!found) {
        r->failed = true;
        return 0;
    }
    out[0] = to[found - from];
    r->at += 2;
    return 1;
}

void sp_json_read_text(sp_json_reader *r, char *out, size_t size)
{
    size_t used = 0;
    bool full = false;
    if (!sp_json_take(r, '"')) {
        r->failed = true;
    }
    while (!r->failed && *r->at != '"') {
        char piece[4];
        const size_t n = read_char(r, piece);
        full = full || used + n >= size;
        if (!full) {
            memcpy(out + used, piece, n);
            used += n;
        }
    }
    if (size > 0) {
        out[used] = '\0';
    }
    if (!r->failed) {
        r->at++;
    }
}

/* True and past it, if the word stands here. */
static bool take_word(sp_json_reader *r, const char *word)
{
    skip_space(r);
    const size_t n = strlen(word);
    if (r->failed || strncmp(r->at, word, n) != 0) {
        return false;
    }
    r->at += n;
    return true;
}

double sp_json_read_number(sp_json_reader *r)
{
    if (take_word(r, "null")) {
        return NAN;
    }
    const bool begins = *r->at == '-' || (*r->at >= '0' && *r->at <= '9');
    char *end = NULL;
    const double value = begins ? strtod(r->at, &end) : 0.0;
    if (r->failed || !begins || end == r->at) {
        r->failed = true;
        return NAN;
    }
    r->at = end;
    return value;
}

bool sp_json_read_bool(sp_json_reader *r)
{
    if (take_word(r, "true")) {
        return true;
    }
    if (!take_word(r, "false")) {
        r->failed = true;
    }
    return false;
}

/* Pass over a value that holds no other: text, number or word. */
static void skip_plain(sp_json_reader *r)
{
    char nothing[1];
    if (*r->at == '"') {
        sp_json_read_text(r, nothing, sizeof nothing);
    } else if (*r->at == '-' || (*r->at >= '0' && *r->at <= '9')) {
        (void)sp_json_read_number(r);
    } else if (!take_word(r, "true") && !take_word(r, "false") && !take_word(r, "null")) {
        r->failed = true;
    }
}

void sp_json_skip(sp_json_reader *r)
{
    int depth = 0;
    do {
        skip_space(r);
        if (*r->at == '[' || *r->at == '{') {
            depth++;
            r->at++;
        } else if (depth > 0 && (*r->at == ']' || *r->at == '}')) {
            depth--;
            r->at++;
        } else if (depth > 0 && (*r->at == ',' || *r->at == ':')) {
            r->at++;
        } else {
            skip_plain(r);
        }
    } while (depth > 0 && !r->failed);
}
