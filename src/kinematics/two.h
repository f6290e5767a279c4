/* kinematics/two.h - two numbers at a time, where the compiler has such; sums over rows of numbers
 * whose length is a multiple of four, with zeros at the end. */
#ifndef SP_KINEMATICS_TWO_H
#define SP_KINEMATICS_TWO_H

#include "kinematics/chain.h"

#if defined(__GNUC__)
typedef double two __attribute__((vector_size(16), aligned(8), may_alias));

INLINE two two_at(const double *x)
{
    return *(const two *)(const void *)x;
}

INLINE void two_put(two a, double *to)
{
    *(two *)(void *)to = a;
}

INLINE two two_of(double x)
{
    return (two){x, x};
}

INLINE two two_mul(two a, two b)
{
    return a * b;
}

INLINE two two_add(two a, two b)
{
    return a + b;
}

INLINE double two_sum(two a)
{
    return a[0] + a[1];
}
#else
typedef struct two {
    double a, b;
} two;

INLINE two two_at(const double *x)
{
    return (two){x[0], x[1]};
}

INLINE void two_put(two a, double *to)
{
    to[0] = a.a;
    to[1] = a.b;
}

INLINE two two_of(double x)
{
    return (two){x, x};
}

INLINE two two_mul(two a, two b)
{
    return (two){a.a * b.a, a.b * b.b};
}

INLINE two two_add(two a, two b)
{
    return (two){a.a + b.a, a.b + b.b};
}

INLINE double two_sum(two a)
{
    return a.a + a.b;
}
#endif

/* y + a b */
INLINE two two_axpy(two y, two a, two b)
{
    return two_add(y, two_mul(a, b));
}

/* Inner product of two rows of n numbers, n a multiple of 4. */
INLINE double two_dot(int n, const double *a, const double *b)
{
    two s = two_of(0.0), t = s;
    for (int i = 0; i < n; i += 4) {
        s = two_axpy(s, two_at(a + i), two_at(b + i));
        t = two_axpy(t, two_at(a + i + 2), two_at(b + i + 2));
    }
    return two_sum(two_add(s, t));
}

/* a.b + f c.d of such rows. */
INLINE double two_dots(int n, const double *a, const double *b, double f, const double *c,
                       const double *d)
{
    two s = two_of(0.0), t = s;
    for (int i = 0; i < n; i += 2) {
        s = two_axpy(s, two_at(a + i), two_at(b + i));
        t = two_axpy(t, two_at(c + i), two_at(d + i));
    }
    return two_sum(two_axpy(s, t, two_of(f)));
}

/* y += f x, likewise. */
INLINE void two_add_row(int n, double f, const double *x, double *y)
{
    const two F = two_of(f);
    for (int i = 0; i < n; i += 2) {
        two_put(two_axpy(two_at(y + i), F, two_at(x + i)), y + i);
    }
}

#endif
