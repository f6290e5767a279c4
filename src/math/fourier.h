/* math/fourier.h - the discrete Fourier transform of any length. */
#ifndef SP_MATH_FOURIER_H
#define SP_MATH_FOURIER_H

#include <stdbool.h>
#include <stddef.h>

/* sum_j x_j exp(-2 pi i j k/n) for k = 0 .. n - 1, in O(n log n); re, im (n): x, then the sums.
 * False: no memory, or n is 0.   theory (88.10) */
bool sp_fourier(size_t n, double *re, double *im);

#endif
