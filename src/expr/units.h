/* expr/units.h - units of measurement and the dimensions they stand for. */
#ifndef SP_EXPR_UNITS_H
#define SP_EXPR_UNITS_H

#include "specht/base.h"

#include <stdbool.h>

/* Exponents are whole numbers of 1/SP_DIM_ONE, so that roots and most decimal powers are exact. */
enum { SP_DIM_ONE = 3600, SP_DIM_MAX = 100 * SP_DIM_ONE };

/* The dimension of a quantity: powers of metre, kilogram, second.  rad, rev, deg, % and 1 are pure
 * numbers.  frequency marks what was written in Hz, so that 50 Hz is refused as an angular
 * velocity. */
typedef struct sp_dim {
    int e[3];
    bool frequency;
} sp_dim;

/* Initialiser for whole powers of m, kg, s, also in constant tables:  sp_dim force = SP_DIM(1,1,-2)
 */
#define SP_DIM(m, kg, s)                                                                           \
    {                                                                                              \
        {(m)*SP_DIM_ONE, (kg)*SP_DIM_ONE, (s)*SP_DIM_ONE}, false                                   \
    }

/* A unit as written: value in SI = number * 10^shift / den * num.  Keeping the power of ten apart
 * lets "153 mm" become exactly the double nearest to 0.153. */
typedef struct sp_unit {
    int shift;
    double num, den;
    sp_dim dim;
} sp_unit;

/* A dimension from whole powers of m, kg, s. */
sp_dim sp_dim_of(int m, int kg, int s);

/* Equal exponents; the mark of a frequency is not looked at. */
bool sp_dim_equal(sp_dim a, sp_dim b);
bool sp_dim_is_pure(sp_dim d);

/* a * b^sign and a^p; false if a power gets too large or is no multiple of 1/SP_DIM_ONE. */
bool sp_dim_product(sp_dim a, sp_dim b, int sign, sp_dim *out);
bool sp_dim_power(sp_dim a, double p, sp_dim *out);

/* "a length [m]", "an angular velocity [rad/s]", "a pure number", otherwise "[kg*m^4]". */
void sp_dim_describe(sp_dim d, char *buf, size_t n);

/* The SI unit: "m/s^2", "N*m", "rad/s" for 1/s, "1" for a pure number.  sp_unit_read reads it back.
 */
void sp_dim_unit(sp_dim d, char *buf, size_t n);

/* Reads "N*m/rad", "mm", "kg*m^2", "N^-1", "MPa*m^0.5", "1".  On failure err says what is unknown;
 * *bad_begin and *bad_end (may be NULL) are the place of the offending word in text. */
sp_status sp_unit_read(const char *text, size_t n, sp_unit *unit, size_t *bad_begin,
                       size_t *bad_end, sp_error *err);

/* The same as one factor: value in SI = number * factor. */
sp_status sp_unit_parse(const char *text, size_t n, double *factor, sp_dim *dim, sp_error *err);

/* A known unit that the unknown word of length n probably meant ("Nm" -> "N*m", "Kg" -> "kg");
 * false if there is none. */
bool sp_unit_suggest(const char *word, size_t n, char *buf, size_t size);

#endif
