#include "io/base64.h"

#include <stdint.h>
#include <string.h>

/* Three bytes as four letters. */
static void encode(const unsigned char *in, char *out)
{
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    out[0] = letter[in[0] >> 2];
    out[1] = letter[(in[0] & 3) << 4 | in[1] >> 4];
    out[2] = letter[(in[1] & 15) << 2 | in[2] >> 6];
    out[3] = letter[in[2] & 63];
}

void sp_base64_write(FILE *file, const void *bytes, size_t n)
{
    enum { GROUPS = 1024 };
    const unsigned char *in = bytes;
    char text[4 * GROUPS];
    while (n >= 3) {
        const size_t groups = n / 3 < GROUPS ? n / 3 : GROUPS;
        for (size_t k = 0; k < groups; k++) {
            encode(in + 3 * k, text + 4 * k);
        }
        fwrite(text, 4, groups, file);
        in += 3 * groups;
        n -= 3 * groups;
    }
    if (n > 0) {
        unsigned char last[3] = {0};
        memcpy(last, in, n);
        encode(last, text);
        text[3] = '=';
        text[2] = n == 2 ? text[2] : '=';
        fwrite(text, 4, 1, file);
    }
}

void sp_bytes_word(unsigned char *at, unsigned long value)
{
    for (int k = 0; k < 4; k++) {
        at[k] = (unsigned char)(value >> 8 * k & 255);
    }
}

void sp_bytes_float(unsigned char *at, double value)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    sp_bytes_word(at, bits);
}

void sp_bytes_double(unsigned char *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    sp_bytes_word(at, (unsigned long)(bits & 0xFFFFFFFFu));
    sp_bytes_word(at + 4, (unsigned long)(bits >> 32));
}
