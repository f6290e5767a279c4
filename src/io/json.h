/* io/json.h - JSON text, written without a tree and read without one. */
#ifndef SP_IO_JSON_H
#define SP_IO_JSON_H

#include "specht/base.h"

#include <stdbool.h>
#include <stdio.h>

/* A writer puts the commas, the quotes and the nesting; the caller gives keys and values in order:
 *
 *     sp_json j;
 *     sp_json_init(&j, stdout);
 *     sp_json_object(&j, NULL);
 *     sp_json_number(&j, "t", 0.1);
 *     sp_json_array(&j, "q");
 *     sp_json_number(&j, NULL, 1.0);     in an array keys are NULL
 *     sp_json_end(&j);
 *     sp_json_end(&j); */
enum { SP_JSON_DEPTH = 32 };
typedef struct sp_json {
    FILE *file;
    int depth;
    bool lines; /* every item of the outermost array or object on a line of its own */
    char close[SP_JSON_DEPTH];     /* '}' or ']' of every open level  */
    bool not_first[SP_JSON_DEPTH]; /* something stands in that level  */
} sp_json;

void sp_json_init(sp_json *j, FILE *file);

/* Open an object or an array, close the innermost one. */
void sp_json_object(sp_json *j, const char *key);
void sp_json_array(sp_json *j, const char *key);
void sp_json_end(sp_json *j);

/* Values.  Numbers are written with 17 digits, NaN and infinity as null; text NULL is null. */
void sp_json_number(sp_json *j, const char *key, double value);
void sp_json_integer(sp_json *j, const char *key, long long value);
void sp_json_bool(sp_json *j, const char *key, bool value);
void sp_json_text(sp_json *j, const char *key, const char *text);
void sp_json_null(sp_json *j, const char *key);

/* An array of n numbers. */
void sp_json_numbers(sp_json *j, const char *key, int n, const double *value);

/* A number with fewer digits, 1 to 17. */
void sp_json_short(sp_json *j, const char *key, double value, int digits);

/* Bytes as a text in base64; as an address that holds them, "data:TYPE;base64,...". */
void sp_json_bytes(sp_json *j, const char *key, const void *bytes, size_t n);
void sp_json_data_uri(sp_json *j, const char *key, const char *type, const void *bytes, size_t n);

/* Write text as a JSON string with its quotes; bytes that are no UTF-8 become U+FFFD. */
void sp_json_quote(FILE *file, const char *text);

/* A reader walks a text from left to right; every call skips white space first. */
typedef struct sp_json_reader {
    const char *at;
    bool failed; /* the text was not what was asked for; nothing moves any more */
} sp_json_reader;

/* True and one step on, if the next character is c. */
bool sp_json_take(sp_json_reader *r, char c);

/* True while an array or object closed by 'close' has another item; takes the comma before it.
 * first: set to true by the caller before the first item. */
bool sp_json_more(sp_json_reader *r, char close, bool *first);

/* Read a string into out (cut off at size - 1 bytes, never inside a character). */
void sp_json_read_text(sp_json_reader *r, char *out, size_t size);

/* Read a number; null is NaN. */
double sp_json_read_number(sp_json_reader *r);

/* Read a true or false. */
bool sp_json_read_bool(sp_json_reader *r);

/* Pass over any value. */
void sp_json_skip(sp_json_reader *r);

#endif
