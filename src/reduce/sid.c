/* reduce/sid.c - standard input data: text of nested blocks "name ... end name", of which most are
 * Taylor series M = m0 + sum m1_k e_k of matrices, entry by entry.  theory section 93 */
#include "reduce/sid.h"

#include "reduce/fe.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FIT_TOL  0.05 /* numbers that are there twice may differ by this part of the largest  */
#define SAME_TOL 1e-4 /* those that are printed twice, by this                                 */

enum { LINE_MOST = 400, SIDE_MOST = 3 * SP_PART_MOST, NODES_MOST = 20000 };

/* A matrix and its derivatives: m0 is nrow x ncol, m1 nrow x nq x ncol. */
typedef struct taylor {
    bool given;
    int order, nrow, ncol, nq, nqn, structure;
    double *m0, *m1;
} taylor;

enum { ZERO = 0, DIAGONAL = 1, SYMMETRIC = 2, FULL = 3, UNIT = 4 };

/* The series of the whole body, in the order of their names below. */
enum { MDCM, J, CT, CR, ME, GR, GE, OE, KSIGMA, KE, DE, N_SERIES };

typedef struct sid_node {
    char name[SP_PART_NAME];
    taylor origin, phi, psi, AP, sigma;
} sid_node;

typedef struct reader {
    const char *file, *at;
    long line;
    char text[LINE_MOST]; /* of the line, spaces made one          */
    char within[120];     /* the block, for messages               */
    sp_arena *arena;
    sp_error *err;
    sp_sid_report *report;
    bool function_last; /* m1 is given by row, column, function */
    double mass;
    int n, n_node, node_room, said_nodes, said_functions;
    taylor series[N_SERIES];
    sid_node *node;
} reader;

/* ---- lines ------------------------------------------------------------------------------------
 */

SP_PRINTF(2, 3) static sp_status wrong(reader *r, const char *format, ...)
{
    char what[300];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return SP_FAIL(r->err, SP_E_INPUT, "%s:%ld: %s%s%s", r->file, r->line, r->within,
                   r->within[0] ? ": " : "", what);
}

SP_PRINTF(2, 3) static void remark(reader *r, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (r->report->n_note < SP_SID_NOTES) {
        vsnprintf(r->report->note[r->report->n_note++], sizeof r->report->note[0], format, list);
    }
    va_end(list);
}

/* The next line that has something in it. */
static sp_status next_line(reader *r)
{
    do {
        if (!*r->at) {
            return wrong(r, "the file ends here: it was cut off");
        }
        size_t n = 0;
        bool space = false;
        for (r->line++; *r->at && *r->at != '\n'; r->at++) {
            if (isspace((unsigned char)*r->at)) {
                space = n > 0;
            } else if (n + 2 < sizeof r->text) {
                n += (size_t)snprintf(r->text + n, 3, space ? " %c" : "%c", *r->at);
                space = false;
            } else {
                return wrong(r, "a line of more than %d characters", LINE_MOST);
            }
        }
        r->text[n] = '\0';
        r->at += *r->at == '\n';
    } while (!r->text[0]);
    return SP_OK;
}

static bool is(const reader *r, const char *words)
{
    return strcasecmp(r->text, words) == 0;
}

static bool is_end(const reader *r, const char *name)
{
    return strncasecmp(r->text, "end ", 4) == 0 && strcasecmp(r->text + 4, name) == 0;
}

/* What stands behind "name =" or "name(...) =", or NULL if the line begins with another name. */
static const char *value_of(const reader *r, const char *name)
{
    const size_t n = strlen(name);
    const char *sign = strchr(r->text, '=');
    if (strncasecmp(r->text, name, n) != 0 || isalnum((unsigned char)r->text[n]) || !sign) {
        return NULL;
    }
    return sign + 1 + (sign[1] == ' ');
}

/* A whole number from low to high. */
static sp_status whole(reader *r, const char *text, int low, int high, int *to)
{
    char *end;
    const long x = strtol(text, &end, 10);
    if (end == text || *end) {
        return wrong(r, "'%.60s', expected a whole number", r->text);
    }
    if (x < low || x > high) {
        return wrong(r, "'%.60s', expected %d to %d", r->text, low, high);
    }
    *to = (int)x;
    return SP_OK;
}

/* A number whose exponent may be written with a D. */
static sp_status number(reader *r, const char *text, double *to)
{
    char copy[LINE_MOST], *end;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *c = copy; *c; c++) {
        *c = *c == 'D' || *c == 'd' ? 'e' : *c;
    }
    const double x = strtod(copy, &end);
    if (end == copy || *end || !isfinite(x)) {
        return wrong(r, "'%.60s', expected a number", r->text);
    }
    *to = x;
    return SP_OK;
}

/* ---- series -----------------------------------------------------------------------------------
 */

static sp_status make_room(reader *r, taylor *t)
{
    const size_t size = (size_t)t->nrow * (size_t)t->ncol;
    t->m0 = SP_NEW(r->arena, double, size + 1);
    t->m1 = SP_NEW(r->arena, double, size *(size_t)t->nq + 1);
    if (!t->m0 || !t->m1) {
        return SP_E_MEMORY;
    }
    for (int i = 0; t->structure == UNIT && i < t->nrow && i < t->ncol; i++) {
        t->m0[i * t->ncol + i] = 1.0;
    }
    return SP_OK;
}

/* Whether m1 has the function behind the column, as some programs write it: an index is somewhere
 * too large for the other order.   theory (93.15) */
static bool has_function_last(const char *text)
{
    int ncol = 0, nq = 0, i, j, k;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\r\n");
        if (sscanf(line, "m1 ( %d , %d , %d", &i, &j, &k) == 3) {
            const bool usual = j <= nq && k <= ncol, other = j <= ncol && k <= nq;
            if (usual != other) {
                return other;
            }
        } else if (sscanf(line, "ncol = %d", &i) == 1) {
            ncol = i;
        } else if (sscanf(line, "nq = %d", &i) == 1) {
            nq = i;
        }
    }
    return false;
}

/* "m0(i, j) = x" (n = 2) or "m1(i, k, j) = x" (n = 3). */
static sp_status read_entry(reader *r, int n, taylor *t)
{
    const bool last = n == 3 && r->function_last;
    const int most[3] = {t->nrow, n == 3 && !last ? t->nq : t->ncol, last ? t->nq : t->ncol};
    const char *at = r->text + 2, *value = strchr(r->text, '=');
    int index[3] = {0};
    double x;
    for (int k = 0; k < n; k++) {
        char *end = NULL;
        at += *at == ' ';
        const bool good = *at == (k == 0 ? '(' : ',');
        const long i = good ? strtol(at + 1, &end, 10) : 0;
        if (!good || end == at + 1) {
            return wrong(r, "'%.60s', expected m%d with %d indices in brackets", r->text, n - 2, n);
        }
        if (i < 1 || i > most[k]) {
            return wrong(r, "'%.60s': index %ld is not between 1 and %d%s", r->text, i, most[k],
                         last     ? " (indices of m1 are row, column, function in this file)"
                         : n == 3 ? " (indices of m1 are row, function, column)"
                                  : "");
        }
        index[last && k > 0 ? 3 - k : k] = (int)i - 1;
        at = end;
    }
    at += *at == ' ';
    if (*at != ')' || !value || strspn(at + 1, " ") != (size_t)(value - at - 1)) {
        return wrong(r, "'%.60s', expected ') = number' behind the indices", r->text);
    }
    SP_TRY(number(r, value + 1 + (value[1] == ' '), &x));
    const int i = index[0], j = index[n - 1];
    const bool out = t->structure == ZERO || (t->structure == DIAGONAL && i != j) ||
                     (t->structure == UNIT && n == 2 && x != (i == j ? 1.0 : 0.0));
    if (out && (x != 0.0 || t->structure == UNIT)) {
        return wrong(r, "'%.60s' does not fit structure %d", r->text, t->structure);
    }
    const int k = n == 3 ? index[1] : 0, nq = n == 3 ? t->nq : 1;
    double *m = n == 3 ? t->m1 : t->m0;
    const double before = m[(i * nq + k) * t->ncol + j];
    if (before != 0.0 && fabs(x - before) > SAME_TOL * fabs(before)) {
        return wrong(r, "'%.60s' is there twice: it was %g", r->text, before);
    }
    m[(i * nq + k) * t->ncol + j] = x;
    if (t->structure == SYMMETRIC) {
        m[(j * nq + k) * t->ncol + i] = x;
    }
    return SP_OK;
}

/* One of the lines before the entries. */
static sp_status read_head(reader *r, taylor *t, unsigned *have)
{
    static const char *const name[] = {"order", "nrow", "ncol", "nq", "nqn", "structure"};
    static const int most[] = {9, SIDE_MOST, SIDE_MOST, SP_PART_MOST, 1000000, UNIT};
    int *to[] = {&t->order, &t->nrow, &t->ncol, &t->nq, &t->nqn, &t->structure};
    for (int k = 0; k < 6; k++) {
        const char *value = value_of(r, name[k]);
        if (value) {
            *have |= 1U << k;
            return whole(r, value, 0, most[k], to[k]);
        }
    }
    return wrong(r,
                 "'%.60s' is not known here, expected order, nrow, ncol, nq, nqn, structure, m0, "
                 "m1 or 'end'",
                 r->text);
}

static sp_status check_head(reader *r, const taylor *t, unsigned have, int nrow, int ncol)
{
    enum { NEEDED = 1 | 2 | 4 | 32 };
    if ((have & NEEDED) != NEEDED) {
        return wrong(r, "expected order, nrow, ncol and structure before this line");
    }
    if (nrow > 0 && (t->nrow != nrow || t->ncol != ncol) && t->structure != ZERO) {
        return wrong(r, "%d rows and %d columns, expected %d and %d", t->nrow, t->ncol, nrow, ncol);
    }
    if (t->order > 1) {
        return wrong(r, "order %d, expected 0 or 1", t->order);
    }
    if (t->order > 0 && t->nq != r->n && t->structure != ZERO) {
        return wrong(r, "nq = %d, expected the %d functions of refmod", t->nq, r->n);
    }
    if (t->structure == SYMMETRIC && t->nrow != t->ncol) {
        return wrong(r, "structure 2 (symmetric) with %d rows and %d columns", t->nrow, t->ncol);
    }
    return SP_OK;
}

/* A series of nrow x ncol (0: whatever it says), up to its end. */
static sp_status read_taylor(reader *r, const char *name, int nrow, int ncol, taylor *t)
{
    unsigned have = 0;
    if (t->given) {
        return wrong(r, "it is there twice");
    }
    for (;;) {
        SP_TRY(next_line(r));
        const int n = strncasecmp(r->text, "m0", 2) == 0   ? 2
                      : strncasecmp(r->text, "m1", 2) == 0 ? 3
                                                           : 0;
        const bool end = is_end(r, name);
        if ((n > 0 || end) && !t->m0) {
            SP_TRY(check_head(r, t, have, nrow, ncol));
            t->nq = t->order > 0 ? t->nq : 0;
            SP_TRY(make_room(r, t));
        }
        if (end) {
            break;
        }
        if (n == 0 && t->m0) {
            return wrong(r, "'%.60s', expected m0, m1 or 'end %s'", r->text, name);
        }
        if (n == 3 && t->order == 0) {
            return wrong(r, "'%.60s' in a series of order 0", r->text);
        }
        SP_TRY(n > 0 ? read_entry(r, n, t) : read_head(r, t, &have));
    }
    if (t->structure == ZERO && nrow > 0) { /* its size does not matter */
        *t = (taylor){.order = t->order, .nrow = nrow, .ncol = ncol};
        t->nq = t->order > 0 ? r->n : 0;
        SP_TRY(make_room(r, t));
    }
    t->given = true;
    return SP_OK;
}

/* Largest number of m0, of m1. */
static double largest(const double *m, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; m && i < n; i++) {
        most = fmax(most, fabs(m[i]));
    }
    return most;
}

static double largest0(const taylor *t)
{
    return largest(t->m0, (size_t)t->nrow * (size_t)t->ncol);
}

static double largest1(const taylor *t)
{
    return largest(t->m1, (size_t)t->nrow * (size_t)t->ncol * (size_t)t->nq);
}

/* Entries, 0 where there is no such series or order. */
static double at0(const taylor *t, int i, int j)
{
    return t->given ? t->m0[i * t->ncol + j] : 0.0;
}

static double at1(const taylor *t, int i, int k, int j)
{
    return t->given && t->nq > 0 ? t->m1[(i * t->nq + k) * t->ncol + j] : 0.0;
}

/* ---- blocks -----------------------------------------------------------------------------------
 */

static sp_status read_refmod(reader *r)
{
    for (;;) {
        SP_TRY(next_line(r));
        if (is_end(r, "refmod")) {
            break;
        }
        const char *mass = value_of(r, "mass"), *n = value_of(r, "nelastq");
        if (mass) {
            SP_TRY(number(r, mass, &r->mass));
        } else if (n) {
            SP_TRY(whole(r, n, 1, SP_PART_MOST, &r->n));
        } else if (strncasecmp(r->text, "ielastq", 7) != 0) {
            return wrong(r, "'%.60s', expected mass, nelastq, ielastq or 'end refmod'", r->text);
        }
    }
    if (!(r->mass > 0.0) || r->n == 0) {
        return wrong(r, "mass %g and %d functions (nelastq), expected more than 0", r->mass, r->n);
    }
    if (r->said_functions > 0 && r->said_functions != r->n) {
        return wrong(r, "%d functions, but the first line of the file says %d", r->n,
                     r->said_functions);
    }
    return SP_OK;
}

static sp_status read_node(reader *r, const char *name)
{
    if (r->n_node == r->node_room) {
        const int room = r->node_room > 0 ? 2 * r->node_room : 16;
        sid_node *node = SP_NEW(r->arena, sid_node, room);
        if (!node) {
            return SP_E_MEMORY;
        }
        if (r->n_node > 0) {
            memcpy(node, r->node, (size_t)r->n_node * sizeof *node);
        }
        r->node = node;
        r->node_room = room;
    }
    sid_node *a = &r->node[r->n_node++];
    const struct {
        const char *name;
        int nrow, ncol;
        taylor *to;
    } part[] = {{"origin", 3, 1, &a->origin},
                {"phi", 3, r->n, &a->phi},
                {"psi", 3, r->n, &a->psi},
                {"AP", 3, 3, &a->AP},
                {"sigma", 0, 0, &a->sigma}};
    snprintf(a->name, sizeof a->name, "%.*s", SP_PART_NAME - 1, name);
    snprintf(r->within, sizeof r->within, "node '%s'", a->name);
    for (;;) {
        SP_TRY(next_line(r));
        if (is_end(r, "node")) {
            break;
        }
        size_t k = 0;
        const char *frame = value_of(r, "rframe");
        while (k < sizeof part / sizeof *part && !is(r, part[k].name)) {
            k++;
        }
        if (frame && strcasecmp(frame, "body ref") != 0) {
            return wrong(r, "rframe '%.60s', expected 'body ref'", frame);
        }
        if (!frame && k == sizeof part / sizeof *part) {
            return wrong(r, "'%.60s', expected rframe, origin, phi, psi, AP, sigma or 'end node'",
                         r->text);
        }
        if (!frame) {
            snprintf(r->within, sizeof r->within, "%s of node '%s'", part[k].name, a->name);
            SP_TRY(read_taylor(r, part[k].name, part[k].nrow, part[k].ncol, part[k].to));
        }
        snprintf(r->within, sizeof r->within, "node '%s'", a->name);
    }
    if (!a->origin.given || !a->phi.given || !a->psi.given) {
        return wrong(r, "expected origin, phi and psi");
    }
    for (int i = 0; i < 3 && a->origin.order > 0; i++) {
        for (int k = 0; k < r->n; k++) {
            const double x = at1(&a->origin, i, k, 0), phi = at0(&a->phi, i, k);
            if (!(fabs(x - phi) <= SAME_TOL * fmax(largest1(&a->origin), largest0(&a->phi)))) {
                return wrong(r, "m1(%d, %d, 1) of origin is %g, but m0(%d, %d) of phi is %g", i + 1,
                             k + 1, x, i + 1, k + 1, phi);
            }
        }
    }
    return SP_OK;
}

static sp_status read_frame(reader *r)
{
    if (r->n == 0) {
        return wrong(r, "expected 'refmod' with mass and nelastq before this line");
    }
    for (;;) {
        SP_TRY(next_line(r));
        if (is_end(r, "frame")) {
            break;
        }
        const char *name = value_of(r, "new node");
        if (!name || !*name) {
            return wrong(r, "'%.60s', expected 'new node = name' or 'end frame'", r->text);
        }
        SP_TRY(r->n_node < NODES_MOST ? SP_OK : wrong(r, "more than %d nodes", NODES_MOST));
        SP_TRY(read_node(r, name));
        r->within[0] = '\0';
    }
    if (r->said_nodes > 0 && r->said_nodes != r->n_node) {
        return wrong(r, "%d nodes, but the first line of the file says %d", r->n_node,
                     r->said_nodes);
    }
    return SP_OK;
}

/* A series of the whole body. */
static sp_status read_series(reader *r)
{
    const int n = r->n;
    const struct {
        const char *name;
        int nrow, ncol;
    } known[N_SERIES] = {[MDCM] = {"mdCM", 3, 1},     [J] = {"J", 0, 0},   [CT] = {"Ct", n, 3},
                         [CR] = {"Cr", n, 3},         [ME] = {"Me", n, n}, [GR] = {"Gr", 3, 3 * n},
                         [GE] = {"Ge", n, 3 * n},     [OE] = {"Oe", n, 6}, [KE] = {"Ke", n, n},
                         [KSIGMA] = {"ksigma", 0, 0}, [DE] = {"De", n, n}};
    int k = 0;
    while (k < N_SERIES && !is(r, known[k].name)) {
        k++;
    }
    if (k == N_SERIES) {
        return wrong(r,
                     "'%.60s', expected refmod, frame, mdCM, J, Ct, Cr, Me, Gr, Ge, Oe, ksigma, "
                     "Ke, De or 'end modal'",
                     r->text);
    }
    if (n == 0) {
        return wrong(r, "expected 'refmod' with mass and nelastq before this line");
    }
    snprintf(r->within, sizeof r->within, "%s", known[k].name);
    SP_TRY(read_taylor(r, known[k].name, known[k].nrow, known[k].ncol, &r->series[k]));
    const taylor *t = &r->series[J];
    if (k == J && !(t->nrow == 6 && t->ncol == 1) && !(t->nrow == 3 && t->ncol == 3)) {
        return wrong(r, "%d rows and %d columns, expected 6 and 1, or 3 and 3", t->nrow, t->ncol);
    }
    r->within[0] = '\0';
    return SP_OK;
}

/* All of the file. */
static sp_status read_text(reader *r)
{
    bool part = false;
    SP_TRY(next_line(r));
    char *end;
    const long nodes = strtol(r->text, &end, 10),
               functions = *end == ' ' ? strtol(end, &end, 10) : 0;
    if (nodes > 0 && nodes <= NODES_MOST && functions > 0 && functions < NODES_MOST) {
        r->said_nodes = (int)nodes; /* "nodes functions", perhaps with more words behind */
        r->said_functions = (int)functions;
    }
    while (!is(r, "new modal")) {
        part = part || is(r, "part");
        if (!*r->at) {
            return SP_FAIL(
                r->err, SP_E_INPUT,
                "%s: no line 'new modal': not a file of standard input data (SID), or it "
                "was cut off",
                r->file);
        }
        SP_TRY(next_line(r));
    }
    for (;;) {
        SP_TRY(next_line(r));
        if (is_end(r, "modal")) {
            break;
        }
        const bool refmod = is(r, "refmod"), frame = is(r, "frame");
        if ((refmod && r->n > 0) || (frame && r->n_node > 0)) {
            return wrong(r, "'%s' is there twice", r->text);
        }
        SP_TRY(refmod ? read_refmod(r) : frame ? read_frame(r) : read_series(r));
    }
    if (part) {
        SP_TRY(next_line(r));
        return is_end(r, "part")
                   ? SP_OK
                   : wrong(r, "'%.60s', expected 'end part': one body in a file", r->text);
    }
    return SP_OK;
}

/* ---- the part ---------------------------------------------------------------------------------
 */

/* Places of xx, yy, zz, xy, xz, yz in a matrix. */
static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};

/* Row and column of an entry of J: 6 x 1, or all of the 3 x 3. */
static int row_of_J(const taylor *t, int e)
{
    return t->nrow == 6 ? e : first[e];
}

static int column_of_J(const taylor *t, int e)
{
    return t->nrow == 6 ? 0 : second[e];
}

/* The largest difference of two lists of numbers beside their largest. */
static double misfit(size_t n, const double *a, const double *b)
{
    double most = fmax(largest(a, n), largest(b, n)), off = 0.0;
    for (size_t i = 0; i < n; i++) {
        off = fmax(off, fabs(a[i] - b[i]));
    }
    return most > 0.0 ? off / most : 0.0;
}

/* Entries of n x n x width made the same for kl and lk; how far they were apart. */
static double even_out(int n, int width, double *m)
{
    double off = 0.0, most = largest(m, (size_t)n * (size_t)n * (size_t)width);
    for (int k = 0; k < n; k++) {
        for (int l = 0; l < k; l++) {
            for (int e = 0; e < width; e++) {
                double *a = &m[(k * n + l) * width + e], *b = &m[(l * n + k) * width + e];
                off = fmax(off, fabs(*a - *b));
                *a = *b = 0.5 * (*a + *b);
            }
        }
    }
    return most > 0.0 ? off / most : 0.0;
}

/* What a part cannot have, and what it must. */
static sp_status check_series(reader *r)
{
    static const struct {
        int at;
        const char *name;
    } needed[] = {{MDCM, "mdCM"}, {J, "J"}, {CT, "Ct"}, {CR, "Cr"}, {ME, "Me"}, {KE, "Ke"}};
    static const struct {
        int at;
        const char *name;
    } linear[] = {{ME, "Me"}, {KE, "Ke"}, {DE, "De"}};
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
        if (!r->series[needed[k].at].given) {
            return SP_FAIL(r->err, SP_E_INPUT, "%s: '%s' is missing", r->file, needed[k].name);
        }
    }
    for (size_t k = 0; k < sizeof linear / sizeof *linear; k++) {
        if (largest1(&r->series[linear[k].at]) > 0.0) {
            return SP_FAIL(r->err, SP_E_INPUT,
                           "%s: %s depends on the deformation (m1): parts are linear in it",
                           r->file, linear[k].name);
        }
    }
    if (largest0(&r->series[KSIGMA]) > 0.0 || largest1(&r->series[KSIGMA]) > 0.0) {
        return SP_FAIL(r->err, SP_E_INPUT,
                       "%s: initial stress (ksigma is not zero): parts are free of stress where "
                       "they are not deformed",
                       r->file);
    }
    if (r->n_node == 0) {
        return SP_FAIL(r->err, SP_E_INPUT, "%s: no nodes ('frame' is missing)", r->file);
    }
    return SP_OK;
}

/* Rows of the column of Oe for xx ... yz: Wallrapp's order ends with yz, xz, that of some programs
 * with xz, yz.  J tells which it is. */
static const int order_of_wallrapp[6] = {0, 1, 2, 3, 5, 4}, order_of_others[6] = {0, 1, 2, 3, 4, 5};

/* dJ by the centrifugal forces: J_ii = -2 Oe_ii, J_ij = -Oe_ij.   theory (93.14) */
static void by_spin(const reader *r, const int *column, double *J1)
{
    for (int k = 0; k < r->n; k++) {
        for (int e = 0; e < 6; e++) {
            J1[6 * k + e] = (e < 3 ? -2.0 : -1.0) * at0(&r->series[OE], k, column[e]);
        }
    }
}

/* J1 by J, or by Gr = -2 integral of x~ phi~, or by Oe. */
static sp_status fill_J1(reader *r, double *J1, const int **column)
{
    const taylor *s = r->series;
    const size_t n = 6 * (size_t)r->n;
    double *a = SP_NEW(r->arena, double, n), *b = SP_NEW(r->arena, double, n);
    if (!a || !b) {
        return SP_E_MEMORY;
    }
    by_spin(r, order_of_wallrapp, a);
    by_spin(r, order_of_others, b);
    for (int k = 0; k < r->n; k++) {
        for (int e = 0; e < 6; e++) {
            const int i = first[e], j = second[e];
            J1[6 * k + e] =
                s[J].order > 0 ? at1(&s[J], row_of_J(&s[J], e), k, column_of_J(&s[J], e))
                : s[GR].given  ? 0.5 * (at0(&s[GR], i, 3 * k + j) + at0(&s[GR], j, 3 * k + i))
                               : a[6 * k + e];
        }
    }
    const double off_a = misfit(n, a, J1), off_b = misfit(n, b, J1);
    *column = off_b < 0.1 * off_a ? order_of_others : order_of_wallrapp;
    if (s[OE].given && fmin(off_a, off_b) > FIT_TOL) {
        return SP_FAIL(r->err, SP_E_INPUT,
                       "%s: m0 of Oe and the derivatives of J do not fit: they differ by %.2g of "
                       "the largest",
                       r->file, fmin(off_a, off_b));
    }
    if (*column == order_of_others) {
        remark(r, "the last two columns of Oe are xz, yz, as J shows (Wallrapp: yz, xz)");
    }
    if (s[J].order == 0 && !s[GR].given && !s[OE].given) {
        remark(r, "J does not depend on the deformation: J of order 0, no Gr, no Oe");
    }
    return SP_OK;
}

/* J2 by Oe, which has stiffening by spin, or by Gr. */
static void fill_J2(reader *r, const int *column, double *J2)
{
    const taylor *s = r->series;
    for (int k = 0; k < r->n; k++) {
        for (int l = 0; l < r->n; l++) {
            for (int e = 0; e < 6; e++) {
                const int i = first[e], j = second[e];
                J2[6 * (k * r->n + l) + e] =
                    s[OE].order > 0
                        ? (e < 3 ? -2.0 : -1.0) * at1(&s[OE], k, l, column[e])
                        : 0.5 * (at1(&s[GR], i, l, 3 * k + j) + at1(&s[GR], j, l, 3 * k + i));
            }
        }
    }
    if (s[OE].order == 0 && s[GR].order == 0) {
        remark(r, "inertia of second order (J2) is not in the file (Oe and Gr of order 0): left "
                  "zero, without it spin neither softens nor stiffens the functions");
    }
    const double off = even_out(r->n, 6, J2);
    if (off > SAME_TOL) {
        remark(r,
               "m1 of Oe is not symmetric in the functions, by %.2g of the largest: the mean was "
               "taken",
               off);
    }
}

/* Integrals of first order: by Ct and Cr, the latter by Ge where it is of order 0. */
static void fill_C1(reader *r, double *Ct1, double *Cr1)
{
    const taylor *s = r->series;
    const int n = r->n;
    double *skew = SP_NEW(r->arena, double, 3 * n * n), *Ge = SP_NEW(r->arena, double, 3 * n * n);
    for (int k = 0; k < n; k++) {
        for (int l = 0; l < n; l++) {
            for (int i = 0; i < 3; i++) {
                const int at = 3 * (k * n + l) + i;
                const double by_Ge = at0(&s[GE], k, 3 * l + i);
                Ct1[at] = at1(&s[CT], k, l, i);
                Cr1[at] = s[CR].order > 0 ? at1(&s[CR], k, l, i) : 0.5 * by_Ge;
                if (skew && Ge) {
                    Ge[at] = by_Ge;
                    skew[at] = at1(&s[CR], k, l, i) - at1(&s[CR], l, k, i);
                }
            }
        }
    }
    const double off = even_out(n, 3, Ct1);
    if (off > SAME_TOL) {
        remark(r,
               "m1 of Ct is not symmetric in the functions, by %.2g of the largest: the mean was "
               "taken",
               off);
    }
    if (s[CR].order == 0 && !s[GE].given) {
        remark(r, "Coriolis forces between the functions are not in the file (Cr of order 0, no "
                  "Ge): left zero");
    }
    const double apart =
        skew && Ge && s[CR].order > 0 && s[GE].given ? misfit((size_t)(3 * n * n), skew, Ge) : 0.0;
    if (apart > FIT_TOL) {
        remark(r, "Ge and m1 of Cr differ by %.2g of the largest: Cr was taken", apart);
    }
}

static sp_status fill_inertia(reader *r, sp_part *p)
{
    const int n = r->n;
    const taylor *s = r->series;
    double *Ct0 = SP_NEW(r->arena, double, 3 * n), *Ct1 = SP_NEW(r->arena, double, 3 * n * n);
    double *Cr0 = SP_NEW(r->arena, double, 3 * n), *Cr1 = SP_NEW(r->arena, double, 3 * n * n);
    double *J1 = SP_NEW(r->arena, double, 6 * n), *J2 = SP_NEW(r->arena, double, 6 * n * n);
    double *S1 = SP_NEW(r->arena, double, 3 * n);
    const int *column;
    if (!Ct0 || !Ct1 || !Cr0 || !Cr1 || !J1 || !J2 || !S1) {
        return SP_E_MEMORY;
    }
    p->mass = r->mass;
    for (int i = 0; i < 6; i++) {
        p->J0[i] = at0(&s[J], row_of_J(&s[J], i), column_of_J(&s[J], i));
        p->mdCM[i % 3] = at0(&s[MDCM], i % 3, 0);
    }
    for (int k = 0; k < 3 * n; k++) {
        Ct0[k] = at0(&s[CT], k / 3, k % 3);
        Cr0[k] = at0(&s[CR], k / 3, k % 3);
        S1[k] = at1(&s[MDCM], k % 3, k / 3, 0);
    }
    const double off = s[MDCM].order > 0 ? misfit((size_t)(3 * n), S1, Ct0) : 0.0;
    if (off > FIT_TOL) {
        return SP_FAIL(r->err, SP_E_INPUT,
                       "%s: m1 of mdCM and m0 of Ct are the same integrals, but differ by %.2g of "
                       "the largest",
                       r->file, off);
    }
    SP_TRY(fill_J1(r, J1, &column));
    fill_J2(r, column, J2);
    fill_C1(r, Ct1, Cr1);
    p->Ct0 = Ct0;
    p->Ct1 = Ct1;
    p->Cr0 = Cr0;
    p->Cr1 = Cr1;
    p->J1 = J1;
    p->J2 = J2;
    return SP_OK;
}

/* Me, Ke and De, which are symmetric. */
static sp_status fill_matrices(reader *r, sp_part *p)
{
    static const char *const name[3] = {"Me", "Ke", "De"};
    double *const m[3] = {r->series[ME].m0, r->series[KE].m0, r->series[DE].m0};
    for (int i = 0; i < 3; i++) {
        if (m[i] && even_out(r->n, 1, m[i]) > SAME_TOL) {
            return SP_FAIL(r->err, SP_E_INPUT, "%s: %s is not symmetric", r->file, name[i]);
        }
    }
    p->Me = m[0];
    p->Ke = m[1];
    p->De = largest0(&r->series[DE]) > 0.0 ? m[2] : NULL;
    return SP_OK;
}

/* One node: its place, its shapes, what it is for joints. */
static bool fill_face(const reader *r, const sid_node *a, double *phi, sp_part_face *face)
{
    const int n = r->n;
    double *psi = SP_NEW(r->arena, double, 3 * n), *phi2 = SP_NEW(r->arena, double, 3 * n * n);
    if (!psi || !phi2) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        face->at[i] = at0(&a->origin, i, 0);
        for (int k = 0; k < n; k++) {
            phi[3 * k + i] = at0(&a->phi, i, k);
            psi[3 * k + i] = at0(&a->psi, i, k);
            for (int l = 0; l < n; l++) {
                phi2[3 * (k * n + l) + i] = at1(&a->phi, i, l, k);
            }
        }
    }
    even_out(n, 3, phi2);
    memcpy(face->name, a->name, sizeof face->name);
    face->phi = phi;
    face->psi = psi;
    face->phi2 = phi2;
    return true;
}

static sp_status fill_nodes(reader *r, sp_part *p)
{
    const int n = r->n;
    double *node = SP_NEW(r->arena, double, 3 * r->n_node), *phi;
    sp_part_face *face = SP_NEW(r->arena, sp_part_face, r->n_node);
    phi = SP_NEW(r->arena, double, 3 * (size_t)r->n_node * (size_t)n);
    int turned = 0, bent = 0;
    if (!node || !face || !phi) {
        return SP_E_MEMORY;
    }
    for (int i = 0; i < r->n_node; i++) {
        const sid_node *a = &r->node[i];
        if (!fill_face(r, a, phi + 3 * (size_t)i * (size_t)n, &face[i])) {
            return SP_E_MEMORY;
        }
        memcpy(node + 3 * i, face[i].at, sizeof face[i].at);
        for (int d = 0; d < 3; d++) {
            p->size = fmax(p->size, fabs(node[3 * i + d] - node[d]));
        }
        for (int e = 0; a->AP.given && e < 9; e++) {
            turned += fabs(a->AP.m0[e] - (e % 4 == 0 ? 1.0 : 0.0)) > 1e-9;
        }
        bent += largest1(&a->psi) > 0.0;
        p->stiffens = p->stiffens || largest1(&a->phi) > 0.0;
    }
    if (!(p->size > 0.0)) {
        return SP_FAIL(r->err, SP_E_INPUT, "%s: all nodes are at one place, expected two or more",
                       r->file);
    }
    if (turned > 0) {
        remark(r, "axes of nodes (AP) that are not those of the body are left out: turn joints and "
                  "points in the model");
    }
    if (bent > 0) {
        remark(r, "rotations of second order (m1 of psi) are left out");
    }
    p->n_node = p->n_face = r->n_node;
    p->node = node;
    p->phi = phi;
    p->face = face;
    p->triangle = SP_NEW(r->arena, int, 3);
    return p->triangle ? SP_OK : SP_E_MEMORY;
}

/* Whether geometric stiffness is in the integrals.  Without it the trace of J2 is 4 Me. */
static bool stiffens(const reader *r, const sp_part *p)
{
    const int nn = r->n * r->n;
    double off = 0.0;
    for (int kl = 0; r->series[OE].order > 0 && kl < nn; kl++) {
        const double *J2 = p->J2 + 6 * kl;
        off = fmax(off, fabs(J2[0] + J2[1] + J2[2] - 4.0 * p->Me[kl]));
    }
    return largest(p->Ct1, (size_t)(3 * nn)) > 0.0 ||
           off > FIT_TOL * 4.0 * largest(p->Me, (size_t)nn);
}

sp_status sp_sid_read(const char *path, sp_arena *arena, sp_part *part, sp_sid_report *report,
                      sp_error *err)
{
    reader r = {.file = path, .arena = arena, .err = err, .report = report};
    size_t n;
    char *text = sp_fe_load(path, &n, err);
    if (!text) {
        return SP_E_INPUT;
    }
    r.at = text;
    r.function_last = has_function_last(text);
    *part = (sp_part){.n = 0};
    report->n_note = 0;
    if (r.function_last) {
        remark(&r, "m1 is by row, column, function (Wallrapp: row, function, column)");
    }
    sp_status status =
        strlen(text) == n ? read_text(&r) : SP_FAIL(err, SP_E_INPUT, "%s: not a text", path);
    free(text);
    SP_TRY(status);
    SP_TRY(check_series(&r));
    part->n = r.n;
    SP_TRY(fill_matrices(&r, part));
    SP_TRY(fill_inertia(&r, part));
    SP_TRY(fill_nodes(&r, part));
    part->stiffens = part->stiffens || stiffens(&r, part);
    return SP_OK;
}
