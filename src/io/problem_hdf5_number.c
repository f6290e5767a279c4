/* Numbers of a dataset out of the bytes that the file has for them. */
#include "io/problem_hdf5.h"

#include <math.h>
#include <string.h>

/* The bits of number k, in the order of this machine's integers. */
static uint64_t bits_of(const sp_hdf_data *d, uint64_t k)
{
    const unsigned char *b = d->bytes + k * d->size;
    uint64_t bits = 0;
    for (unsigned i = 0; i < d->size; i++) {
        bits = bits << 8 | b[d->big_endian ? i : d->size - 1 - i];
    }
    return bits;
}

/* An integer from its bits; those beyond int64_t saturate. */
static int64_t integer_of(const sp_hdf_data *d, uint64_t bits)
{
    const unsigned width = 8 * d->size;
    const bool negative = d->is_signed && (bits >> (width - 1) & 1) != 0;
    if (!negative) {
        return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
    }
    const uint64_t size = width == 64 ? ~bits + 1 : (UINT64_C(1) << width) - bits; /* |value| */
    return size > INT64_MAX ? INT64_MIN : -(int64_t)size;
}

double sp_hdf_number(const sp_hdf_data *d, uint64_t k)
{
    const uint64_t bits = bits_of(d, k);
    if (!d->is_float) {
        return (double)integer_of(d, bits);
    }
    if (d->size == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    const uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return (double)value;
}

int64_t sp_hdf_integer(const sp_hdf_data *d, uint64_t k)
{
    if (!d->is_float) {
        return integer_of(d, bits_of(d, k));
    }
    const double value = sp_hdf_number(d, k);
    return value == floor(value) && fabs(value) < 9e15 ? (int64_t)value : INT64_MIN;
}
