#include "math/fourier.h"

#include "support/check.h"

#include <math.h>

static void it_is_the_sum_for_any_length(void **ctx)
{
    static const size_t length[] = {1, 2, 3, 7, 8, 12, 50, 64, 101};
    (void)ctx;
    for (size_t l = 0; l < sizeof length / sizeof *length; l++) {
        const size_t n = length[l];
        double re[101], im[101], a[101], b[101];
        for (size_t j = 0; j < n; j++) {
            a[j] = re[j] = sin(1.3 * (double)j) + 0.1 * (double)j;
            b[j] = im[j] = cos(0.7 * (double)(j * j));
        }
        assert_true(sp_fourier(n, re, im));
        for (size_t k = 0; k < n; k++) {
            double x = 0.0, y = 0.0;
            for (size_t j = 0; j < n; j++) {
                const double angle =
                    -2.0 * 3.14159265358979323846 * (double)(j * k % n) / (double)n;
                x += a[j] * cos(angle) - b[j] * sin(angle);
                y += a[j] * sin(angle) + b[j] * cos(angle);
            }
            assert_true(fabs(re[k] - x) < 1e-11 * (double)n);
            assert_true(fabs(im[k] - y) < 1e-11 * (double)n);
        }
    }
    assert_false(sp_fourier(0, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_the_sum_for_any_length)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
