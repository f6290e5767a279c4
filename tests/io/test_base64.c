/* Bytes as text: the vectors of RFC 4648, section 10, and numbers with their known bits. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/base64.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The text of n bytes, to be freed. */
static char *encoded(const void *bytes, size_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    sp_base64_write(file, bytes, n);
    assert_int_equal(fclose(file), 0);
    return text;
}

static void the_published_vectors_come_out(void **ctx)
{
    (void)ctx;
    static const char *const pair[][2] = {{"", ""},
                                          {"f", "Zg=="},
                                          {"fo", "Zm8="},
                                          {"foo", "Zm9v"},
                                          {"foob", "Zm9vYg=="},
                                          {"fooba", "Zm9vYmE="},
                                          {"foobar", "Zm9vYmFy"}};
    for (size_t k = 0; k < sizeof pair / sizeof pair[0]; k++) {
        char *text = encoded(pair[k][0], strlen(pair[k][0]));
        assert_string_equal(text, pair[k][1]);
        free(text);
    }
}

/* The value of a letter. */
static int value_of(char letter)
{
    static const char order[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(order, letter);
    assert_non_null(at);
    return (int)(at - order);
}

static void long_texts_decode_to_what_they_were(void **ctx)
{
    (void)ctx;
    static unsigned char bytes[100003];
    uint32_t seed = 7;
    for (size_t k = 0; k < sizeof bytes; k++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[k] = (unsigned char)(seed >> 24);
    }
    char *text = encoded(bytes, sizeof bytes);
    assert_int_equal(strlen(text), (sizeof bytes + 2) / 3 * 4);
    for (size_t k = 0; k < sizeof bytes; k++) { /* bits 8 k to 8 k + 7 of the stream of letters */
        const size_t letter = 8 * k / 6, shift = 8 * k % 6;
        const int both = value_of(text[letter]) << 6 | value_of(text[letter + 1]);
        assert_int_equal(both >> (4 - shift) & 255, bytes[k]);
    }
    free(text);
}

static void numbers_have_their_little_end_first(void **ctx)
{
    (void)ctx;
    unsigned char b[8];
    sp_bytes_float(b, 1.0);
    assert_memory_equal(b, ((const unsigned char[]){0, 0, 0x80, 0x3F}), 4);
    sp_bytes_float(b, -0.15625);
    assert_memory_equal(b, ((const unsigned char[]){0, 0, 0x20, 0xBE}), 4);
    sp_bytes_double(b, -2.0);
    assert_memory_equal(b, ((const unsigned char[]){0, 0, 0, 0, 0, 0, 0, 0xC0}), 8);
    sp_bytes_double(b, 1.0 / 3.0);
    assert_memory_equal(
        b, ((const unsigned char[]){0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xD5, 0x3F}), 8);
    sp_bytes_word(b, 0x01020304);
    assert_memory_equal(b, ((const unsigned char[]){4, 3, 2, 1}), 4);
    sp_bytes_float(b, NAN);
    assert_true((b[3] & 0x7F) == 0x7F && (b[2] & 0x80) && ((b[2] & 0x7F) || b[1] || b[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_vectors_come_out),
        cmocka_unit_test(long_texts_decode_to_what_they_were),
        cmocka_unit_test(numbers_have_their_little_end_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
