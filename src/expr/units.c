#include "expr/units.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { WORD_MAX = 8, UNIT_MAX = 100, SHIFT_MAX = 300 };

typedef struct unit_row {
    const char *name;
    signed char m, kg, s, shift; /* 10^shift / den * num in powers of m, kg, s */
    bool frequency;
    double num, den;
} unit_row;

static const unit_row unit_table[] = {
    {"m", 1, 0, 0, 0, false, 1, 1},      {"dm", 1, 0, 0, -1, false, 1, 1},
    {"cm", 1, 0, 0, -2, false, 1, 1},    {"mm", 1, 0, 0, -3, false, 1, 1},
    {"um", 1, 0, 0, -6, false, 1, 1},    {"km", 1, 0, 0, 3, false, 1, 1},
    {"kg", 0, 1, 0, 0, false, 1, 1},     {"g", 0, 1, 0, -3, false, 1, 1},
    {"mg", 0, 1, 0, -6, false, 1, 1},    {"t", 0, 1, 0, 3, false, 1, 1},
    {"s", 0, 0, 1, 0, false, 1, 1},      {"ms", 0, 0, 1, -3, false, 1, 1},
    {"us", 0, 0, 1, -6, false, 1, 1},    {"min", 0, 0, 1, 0, false, 60, 1},
    {"h", 0, 0, 1, 0, false, 3600, 1},   {"N", 1, 1, -2, 0, false, 1, 1},
    {"mN", 1, 1, -2, -3, false, 1, 1},   {"kN", 1, 1, -2, 3, false, 1, 1},
    {"MN", 1, 1, -2, 6, false, 1, 1},    {"J", 2, 1, -2, 0, false, 1, 1},
    {"mJ", 2, 1, -2, -3, false, 1, 1},   {"kJ", 2, 1, -2, 3, false, 1, 1},
    {"MJ", 2, 1, -2, 6, false, 1, 1},    {"W", 2, 1, -3, 0, false, 1, 1},
    {"mW", 2, 1, -3, -3, false, 1, 1},   {"kW", 2, 1, -3, 3, false, 1, 1},
    {"MW", 2, 1, -3, 6, false, 1, 1},    {"Pa", -1, 1, -2, 0, false, 1, 1},
    {"kPa", -1, 1, -2, 3, false, 1, 1},  {"MPa", -1, 1, -2, 6, false, 1, 1},
    {"GPa", -1, 1, -2, 9, false, 1, 1},  {"bar", -1, 1, -2, 5, false, 1, 1},
    {"Hz", 0, 0, -1, 0, true, 1, 1},     {"kHz", 0, 0, -1, 3, true, 1, 1},
    {"rad", 0, 0, 0, 0, false, 1, 1},    {"mrad", 0, 0, 0, -3, false, 1, 1},
    {"deg", 0, 0, 0, 0, false, PI, 180}, {"rev", 0, 0, 0, 0, false, 2 * PI, 1},
    {"rpm", 0, 0, -1, 0, false, PI, 30}, {"%", 0, 0, 0, -2, false, 1, 1},
    {"1", 0, 0, 0, 0, false, 1, 1},
};
enum { N_UNIT = sizeof unit_table / sizeof unit_table[0] };

typedef struct name_row {
    signed char m, kg, s;
    const char *name, *unit; /* name empty: only the unit is common */
} name_row;

static const name_row name_table[] = {
    {0, 0, 0, "a pure number", "1"},
    {1, 0, 0, "a length", "m"},
    {2, 0, 0, "an area", "m^2"},
    {3, 0, 0, "a volume", "m^3"},
    {0, 1, 0, "a mass", "kg"},
    {0, 0, 1, "a time", "s"},
    {0, 0, -1, "an angular velocity", "rad/s"},
    {0, 0, -2, "an angular acceleration", "rad/s^2"},
    {1, 0, -1, "a velocity", "m/s"},
    {1, 0, -2, "an acceleration", "m/s^2"},
    {1, 1, -2, "a force", "N"},
    {2, 1, -2, "a torque or energy", "N*m"},
    {2, 1, -3, "a power", "W"},
    {-1, 1, -2, "a pressure", "Pa"},
    {2, 1, 0, "a moment of inertia", "kg*m^2"},
    {0, 1, -2, "a stiffness", "N/m"},
    {0, 1, -1, "a damping or mass flow", "N*s/m"},
    {2, 1, -1, "a rotational damping or angular momentum", "N*m*s"},
    {1, 1, -1, "an impulse", "N*s"},
    {3, 1, -2, "a bending stiffness", "N*m^2"},
    {-3, 1, 0, "a density", "kg/m^3"},
    {-2, 1, 0, "a mass per area", "kg/m^2"},
};
enum { N_NAME = sizeof name_table / sizeof name_table[0] };

sp_dim sp_dim_of(int m, int kg, int s)
{
    const sp_dim d = SP_DIM(m, kg, s);
    return d;
}

bool sp_dim_equal(sp_dim a, sp_dim b)
{
    return a.e[0] == b.e[0] && a.e[1] == b.e[1] && a.e[2] == b.e[2];
}

bool sp_dim_is_pure(sp_dim d)
{
    return d.e[0] == 0 && d.e[1] == 0 && d.e[2] == 0;
}

bool sp_dim_product(sp_dim a, sp_dim b, int sign, sp_dim *out)
{
    sp_dim d = SP_DIM(0, 0, 0);
    for (int k = 0; k < 3; k++) {
        d.e[k] = a.e[k] + sign * b.e[k];
        if (d.e[k] > SP_DIM_MAX || d.e[k] < -SP_DIM_MAX) {
            return false;
        }
    }
    *out = d;
    return true;
}

bool sp_dim_power(sp_dim a, double p, sp_dim *out)
{
    sp_dim d = SP_DIM(0, 0, 0);
    for (int k = 0; k < 3; k++) {
        const double e = a.e[k] * p, whole = nearbyint(e);
        if (!(fabs(whole) <= SP_DIM_MAX) || fabs(e - whole) > 1e-6) {
            return false;
        }
        d.e[k] = (int)whole;
    }
    *out = d;
    return true;
}

/* The row of name_table for d, or NULL. */
static const name_row *find_name(sp_dim d)
{
    for (int k = 0; k < N_NAME; k++) {
        const name_row *row = &name_table[k];
        if (sp_dim_equal(d, sp_dim_of(row->m, row->kg, row->s))) {
            return row;
        }
    }
    return NULL;
}

void sp_dim_describe(sp_dim d, char *buf, size_t n)
{
    const name_row *row = find_name(d);
    char unit[64];
    sp_dim_unit(d, unit, sizeof unit);
    if (sp_dim_is_pure(d)) {
        snprintf(buf, n, "%s", row->name);
    } else if (row) {
        snprintf(buf, n, "%s [%s]", d.frequency ? "a frequency" : row->name, unit);
    } else {
        snprintf(buf, n, "[%s]", unit);
    }
}

/* Writes "^2", "^-1", "^0.5"; from whole numbers, so that no locale puts a comma there. */
static void write_power(int e, char *buf, size_t n)
{
    const long long all = llround(1e10 * abs(e) / SP_DIM_ONE), one = 10000000000;
    snprintf(buf, n, "^%s%lld.%010lld", e < 0 ? "-" : "", all / one, all % one);
    size_t length = strlen(buf);
    while (buf[length - 1] == '0') {
        length--;
    }
    length -= buf[length - 1] == '.' ? 1 : 0;
    buf[length] = '\0';
}

/* Appends one factor, "*m^2" or "/s", to a unit text. */
static void append_factor(char *buf, size_t n, char sign, const char *name, int e)
{
    const size_t used = strlen(buf);
    char power[32] = "";
    if (e != SP_DIM_ONE) {
        write_power(e, power, sizeof power);
    }
    snprintf(buf + used, n - used, "%.*s%s%s", used ? 1 : 0, &sign, name, power);
}

void sp_dim_unit(sp_dim d, char *buf, size_t n)
{
    static const char *const base[3] = {"m", "kg", "s"};
    static const int order[3] = {1, 0, 2}; /* kg first: kg*m/s^2 */
    const name_row *row = find_name(d);
    if (row) {
        snprintf(buf, n, "%s", d.frequency && row->s == -1 && !row->m ? "Hz" : row->unit);
        return;
    }
    char text[96] = "";
    for (int k = 0; k < 3; k++) {
        if (d.e[order[k]] > 0) {
            append_factor(text, sizeof text, '*', base[order[k]], d.e[order[k]]);
        }
    }
    const bool over = text[0] != '\0'; /* with something to divide, write /s, else s^-1 */
    for (int k = 0; k < 3; k++) {
        const int e = d.e[order[k]];
        if (e < 0) {
            append_factor(text, sizeof text, over ? '/' : '*', base[order[k]], over ? -e : e);
        }
    }
    snprintf(buf, n, "%s", text);
}

/* The row of a unit's name, or NULL. */
static const unit_row *find_unit(const char *word, size_t n)
{
    for (int k = 0; k < N_UNIT; k++) {
        if (strlen(unit_table[k].name) == n && memcmp(unit_table[k].name, word, n) == 0) {
            return &unit_table[k];
        }
    }
    return NULL;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Number of characters of the word that starts at text: letters, digits, '_' and '.', or '%'. */
static size_t word_length(const char *text, size_t n)
{
    size_t k = 0;
    if (n && (text[0] == '%' || text[0] == '1')) {
        return 1;
    }
    while (k < n && (is_letter(text[k]) || is_digit(text[k]) || text[k] == '_' || text[k] == '.')) {
        k++;
    }
    return k;
}

/* Reads "^-2" or "^0.5" at text[*pos]; *power stays 1 without it.  False if it is malformed. */
static bool read_power(const char *text, size_t n, size_t *pos, double *power)
{
    size_t k = *pos;
    *power = 1.0;
    if (k >= n || text[k] != '^') {
        return true;
    }
    k++;
    const bool minus = k < n && text[k] == '-';
    k += minus ? 1 : 0;
    double mantissa = 0.0, scale = 1.0;
    int n_digit = 0;
    bool point = false;
    for (; k < n && (is_digit(text[k]) || (text[k] == '.' && !point)); k++) {
        if (text[k] == '.') {
            point = true;
            continue;
        }
        mantissa = 10.0 * mantissa + (text[k] - '0');
        scale *= point ? 10.0 : 1.0;
        n_digit++;
    }
    *pos = k;
    *power = (minus ? -mantissa : mantissa) / scale;
    return n_digit > 0 && n_digit < 12;
}

/* unit <- unit * row^power.  False if it leaves the range of numbers. */
static bool multiply(sp_unit *unit, const unit_row *row, double power)
{
    const sp_dim dim = sp_dim_of(row->m, row->kg, row->s);
    const double shift = row->shift * power;
    sp_dim factor;
    if (!sp_dim_power(dim, power, &factor) || !sp_dim_product(unit->dim, factor, 1, &unit->dim)) {
        return false;
    }
    if (!(fabs(shift) <= SHIFT_MAX)) {
        return false;
    }
    if (shift == nearbyint(shift)) {
        unit->shift += (int)shift;
    } else {
        unit->num *= pow(10.0, shift);
    }
    const bool above = power > 0.0; /* min^-1 divides by 60 and does not multiply by 1/60 */
    unit->num *= pow(above ? row->num : row->den, fabs(power));
    unit->den *= pow(above ? row->den : row->num, fabs(power));
    const double all = pow(10.0, unit->shift) * unit->num / unit->den;
    return isnormal(all) && isfinite(unit->num) && isfinite(unit->den) && unit->shift < SHIFT_MAX &&
           unit->shift > -SHIFT_MAX;
}

/* Remembers where in the text the trouble is. */
static void mark(size_t *bad_begin, size_t *bad_end, size_t begin, size_t end)
{
    if (bad_begin && bad_end) {
        *bad_begin = begin;
        *bad_end = end;
    }
}

sp_status sp_unit_read(const char *text, size_t n, sp_unit *unit, size_t *bad_begin,
                       size_t *bad_end, sp_error *err)
{
    const sp_unit one = {0, 1.0, 1.0, SP_DIM(0, 0, 0)};
    *unit = one;
    mark(bad_begin, bad_end, 0, n);
    if (n == 0) {
        return SP_FAIL(err, SP_E_INPUT, "no unit given");
    }
    if (n > UNIT_MAX) {
        return SP_FAIL(err, SP_E_INPUT, "unit '%.20s...' has %zu letters, at most %d are possible",
                       text, n, UNIT_MAX);
    }
    int sign = 1, n_factor = 0;
    for (size_t k = 0;; k++) { /* k steps over the '*' or '/' between two factors */
        const size_t begin = k, length = word_length(text + k, n - k);
        const unit_row *row = find_unit(text + k, length);
        k += length;
        mark(bad_begin, bad_end, begin, k > begin ? k : n);
        if (!row) {
            return SP_FAIL(err, SP_E_INPUT, "unknown unit '%.*s'",
                           (int)(length ? length : n - begin), text + begin);
        }
        double power;
        if (!read_power(text, n, &k, &power) || !multiply(unit, row, sign * power)) {
            return SP_FAIL(err, SP_E_INPUT, "unit '%.*s' has no usable power", (int)(k - begin),
                           text + begin);
        }
        unit->dim.frequency = row->frequency && power == 1.0 && sign > 0 && n_factor == 0;
        n_factor++;
        if (k == n) {
            return SP_OK;
        }
        mark(bad_begin, bad_end, k, n);
        if (text[k] != '*' && text[k] != '/') {
            return SP_FAIL(err, SP_E_INPUT, "unknown unit '%.*s'", (int)(n - begin), text + begin);
        }
        sign = text[k] == '*' ? 1 : -1;
    }
}

sp_status sp_unit_parse(const char *text, size_t n, double *factor, sp_dim *dim, sp_error *err)
{
    sp_unit unit;
    SP_TRY(sp_unit_read(text, n, &unit, NULL, NULL, err));
    *factor = unit.shift < 0 ? 1.0 / pow(10.0, -unit.shift) : pow(10.0, unit.shift);
    *factor = *factor / unit.den * unit.num;
    *dim = unit.dim;
    return SP_OK;
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Equal but for capital letters. */
static bool same_letters(const char *name, const char *word, size_t n)
{
    bool same = strlen(name) == n;
    for (size_t k = 0; same && k < n; k++) {
        same = lower(name[k]) == lower(word[k]);
    }
    return same;
}

/* The unit that a word is when one of two equal letters in a row is left out, "kgg". */
static bool suggest_single(const char *word, size_t n, char *buf, size_t size)
{
    char rest[WORD_MAX + 1];
    for (size_t k = 1; k < n; k++) {
        memcpy(rest, word, k);
        memcpy(rest + k, word + k + 1, n - k - 1);
        const unit_row *u = word[k] == word[k - 1] ? find_unit(rest, n - 1) : NULL;
        if (u) {
            snprintf(buf, size, "%s", u->name);
            return true;
        }
    }
    return false;
}

/* Whether two letters lie side by side on a keyboard. */
static bool are_neighbours(char a, char b)
{
    const char *const row = "qwertyuiop asdfghjkl zxcvbnm";
    const char *const at = strchr(row, lower(a));
    return is_letter(a) && is_letter(b) && at &&
           ((at > row && at[-1] == lower(b)) || at[1] == lower(b));
}

/* The unit that a word of two letters and more is when one of them is taken for the one beside it,
 * "cn". */
static bool suggest_neighbour(const char *word, size_t n, char *buf, size_t size)
{
    for (int k = 0; k < N_UNIT && n > 1; k++) {
        const char *name = unit_table[k].name;
        size_t wrong = 0, beside = 0;
        for (size_t i = 0; i < n && strlen(name) == n; i++) {
            wrong += name[i] != word[i];
            beside += name[i] != word[i] && are_neighbours(name[i], word[i]);
        }
        if (strlen(name) == n && wrong == 1 && beside == 1) {
            snprintf(buf, size, "%s", name);
            return true;
        }
    }
    return false;
}

bool sp_unit_suggest(const char *word, size_t n, char *buf, size_t size)
{
    if (n > WORD_MAX) {
        return false;
    }
    for (int k = 0; k < N_UNIT; k++) {
        if (same_letters(unit_table[k].name, word, n)) {
            snprintf(buf, size, "%s", unit_table[k].name);
            return true;
        }
    }
    if (suggest_single(word, n, buf, size)) {
        return true;
    }
    for (size_t k = 1; k < n; k++) {
        const unit_row *a = find_unit(word, k), *b = find_unit(word + k, n - k);
        if (a && b && is_letter(word[0]) && is_letter(word[k])) {
            snprintf(buf, size, "%s*%s", a->name, b->name);
            return true;
        }
    }
    return suggest_neighbour(word, n, buf, size);
}
