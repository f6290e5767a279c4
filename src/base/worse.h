/* base/worse.h - the largest of numbers that must not be lost: fmax drops those that are none. */
#ifndef SP_BASE_WORSE_H
#define SP_BASE_WORSE_H

/* The larger of two numbers; NaN is larger than everything. */
static inline double sp_worse(double a, double b)
{
    return b > a || b != b ? b : a;
}

#endif
