/* chains_plain.c - the loops.
 *
 * Links are free bodies (x, y, phi of the middle), hinge i joins the front of link i and the back
 * of link i + 1, the pin of link i is at its back.  A step is Moreau's: half of the way with u_A,
 * gaps, velocities u_E by M (u_E - u_A) = h dt + W P with the laws of unilateral contact and
 * friction on u_E, half of the way with u_E.  Pins that are open by d may approach by d in the
 * step; what has penetrated comes out slowly.
 *
 * Explicit: h by q_M and u_A, P by Gauss-Seidel from that of the step before, to 1e-10 m/s.
 * Implicit: K dt^2/2 and D dt of the plates join M.  Unknown are u_E and what closed pins bear; the
 * links are eliminated one after the other, each with its contact, towards a border of the last
 * link, the carriage and the driven pulley.  States of contacts by Newton's method. */
#include "chains_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPEN,
    STICK,
    PLUS,
    MINUS,
    BORDER = 5,
    BLOCK = 5,
    WIDE = 3 + BORDER,
    SWEEPS = 500,
    ROUNDS = 60,
    TOGETHER = 8
};
#define NEAR   5e-5  /* m: pins closer than this may touch in a step */
#define RETURN 0.2   /* of a penetration per step                    */
#define SOLVED 1e-10 /* m/s                                          */

typedef struct contact {
    int link, pulley, state;
    double n[2], lever_n, lever_t, distance; /* from the pulley's axis                  */
    double ahead;                            /* m/s: open pins may close within the step */
    double g_n, g_t, P_n, P_t;
} contact;

/* A link, and what is eliminated with it. */
typedef struct link {
    double q[3], u[3], b[3], c, s; /* b: right side; c, s: half a pitch along the link */
    double D[3][3], U[3][3];       /* diagonal, towards the next link                  */
    double B[BLOCK][BLOCK], X[BLOCK][WIDE], y[BLOCK]; /* X: of the next link, the border */
    int n, at; /* unknowns; its contact, -1: none                  */
    double P_n, P_t;
    int state;
} link;

struct plain_chain {
    int n, n_contact;
    double dt, t, radius, apart, load, turn;
    double place, slide, angle, spin; /* of the carriage and the driven pulley */
    double b_slide, b_spin;           /* right sides of their velocities       */
    double defect;
    link l[PLAIN_LINKS_MOST];
    contact contact[PLAIN_LINKS_MOST];
};

/* ---- start ------------------------------------------------------------------------------------
 */

/* The place of arc length z of the belt, and the middle of the pulley it is on. */
static int belt(const plain_chain *c, double r, double z, double *x, double *y)
{
    const double a = c->apart, arc = acos(-1.0) * r;
    const int part = z < a ? 0 : z < a + arc ? 1 : z < 2.0 * a + arc ? 2 : 3;
    const double w = part == 1 ? (z - a) / r : (z - 2.0 * a - arc) / r;
    *x = part == 0 ? z : part == 1 ? a + r * sin(w) : part == 2 ? 2.0 * a + arc - z : -r * sin(w);
    *y = part == 0 ? r : part == 1 ? r * cos(w) : part == 2 ? -r : -r * cos(w);
    return part & 1;
}

plain_chain *plain_chain_new(int n, double dt)
{
    const double pi = acos(-1.0), p = CHAIN_PITCH, scale = n / 63.0;
    plain_chain *c = calloc(1, sizeof *c);
    if (!c || n > PLAIN_LINKS_MOST) {
        free(c);
        return NULL;
    }
    c->n = n;
    c->dt = dt;
    c->apart = CHAIN_APART * scale;
    c->load = CHAIN_LOAD * scale;
    c->turn = CHAIN_RPM / scale * 2.0 * pi / 60.0;
    c->spin = -c->turn;
    const double r = (n * p - 2.0 * c->apart) / (2.0 * pi);
    c->radius = r - CHAIN_PLAY;
    double x, y, next_x, next_y, last = 0.0;
    for (int i = 0; i < n; i++) {
        link *l = &c->l[i];
        double middle_x, middle_y;
        belt(c, r, i * p, &x, &y);
        belt(c, r, i + 1 < n ? (i + 1) * p : 0.0, &next_x, &next_y);
        const double turn = belt(c, r, (i + 0.5) * p, &middle_x, &middle_y) ? -c->turn : 0.0;
        double phi = atan2(next_y - y, next_x - x);
        phi += 2.0 * pi * round((last - phi) / (2.0 * pi));
        last = phi;
        const double hub = fmin(fmax(x, 0.0), c->apart), h = 0.5 * p;
        memcpy(l->q, (double[]){x + h * cos(phi), y + h * sin(phi), phi}, sizeof l->q);
        memcpy(l->u,
               (double[]){c->turn * y - turn * h * sin(phi),
                          -c->turn * (x - hub) + turn * h * cos(phi), turn},
               sizeof l->u);
    }
    return c;
}

void plain_chain_free(plain_chain *c)
{
    free(c);
}

plain_chain_end plain_chain_look(const plain_chain *c)
{
    plain_chain_end e = {c->place, c->spin, c->defect, 0};
    for (int k = 0; k < c->n_contact; k++) {
        e.contacts += c->contact[k].P_n > 0.0;
    }
    return e;
}

void plain_chain_link(const plain_chain *c, int i, double q[3], double u[3])
{
    memcpy(q, c->l[i].q, sizeof c->l[i].q);
    memcpy(u, c->l[i].u, sizeof c->l[i].u);
}

plain_chain_sizes plain_chain_size(const plain_chain *c)
{
    return (plain_chain_sizes){c->radius, c->apart, c->turn, c->load};
}

/* ---- contacts ---------------------------------------------------------------------------------
 */

static void drift(plain_chain *c)
{
    const double s = 0.5 * c->dt;
    for (int i = 0; i < c->n; i++) {
        for (int k = 0; k < 3; k++) {
            c->l[i].q[k] += s * c->l[i].u[k];
        }
    }
    c->place += s * c->slide;
    c->angle += s * c->spin;
    c->t += s;
}

static void find_contacts(plain_chain *c)
{
    const double most = (c->radius + NEAR) * (c->radius + NEAR);
    c->n_contact = 0;
    for (int i = 0; i < c->n; i++) {
        link *l = &c->l[i];
        l->at = -1;
        l->c = 0.5 * CHAIN_PITCH * cos(l->q[2]);
        l->s = 0.5 * CHAIN_PITCH * sin(l->q[2]);
        for (int k = 0; k < 2; k++) {
            const double x = l->q[0] - l->c - (k ? c->apart + c->place : 0.0), y = l->q[1] - l->s;
            const double d2 = x * x + y * y;
            if (d2 > most) {
                continue;
            }
            contact *a = &c->contact[c->n_contact];
            const double d = sqrt(d2), nx = x / d, ny = y / d, g = d - c->radius;
            *a = (contact){i,
                           k,
                           l->state,
                           {nx, ny},
                           -l->c * ny + l->s * nx,
                           -l->c * nx - l->s * ny,
                           d,
                           (g > 0.0 ? 2.0 : RETURN) * g / c->dt,
                           0.0,
                           0.0,
                           l->P_n,
                           l->P_t};
            l->at = c->n_contact++;
        }
        l->P_n = l->P_t = 0.0;
        l->state = OPEN;
    }
}

static inline void slips(const plain_chain *c, const contact *a, double *n, double *t)
{
    const double *u = c->l[a->link].u, nx = a->n[0], ny = a->n[1];
    *n = nx * u[0] + ny * u[1] + a->lever_n * u[2] + a->ahead - (a->pulley ? nx * c->slide : 0.0);
    *t = -ny * u[0] + nx * u[1] + a->lever_t * u[2] +
         (a->pulley ? ny * c->slide - a->distance * c->spin : a->distance * c->turn);
}

static inline double clip(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

/* By how much a contact breaks its laws, as a velocity. */
static double defect(const plain_chain *c, const contact *a)
{
    const double rho = 0.5 * CHAIN_M_LINK;
    double n, t;
    slips(c, a, &n, &t);
    return fmax(fabs(a->P_n - fmax(a->P_n - rho * n, 0.0)),
                fabs(a->P_t - clip(a->P_t - rho * t, CHAIN_MU * a->P_n))) /
           rho;
}

static void keep(plain_chain *c)
{
    c->defect = 0.0;
    for (int k = 0; k < c->n_contact; k++) {
        const contact *a = &c->contact[k];
        link *l = &c->l[a->link];
        l->P_n = a->P_n;
        l->P_t = a->P_t;
        l->state = a->state;
        c->defect = fmax(c->defect, defect(c, a));
    }
}

static double load(const plain_chain *c)
{
    const double x = fmin(c->t / CHAIN_RAMP, 1.0);
    return c->load * x * x * (3.0 - 2.0 * x);
}

/* ---- explicit ---------------------------------------------------------------------------------
 */

static inline void push(plain_chain *c, const contact *a, double P_n, double P_t)
{
    double *u = c->l[a->link].u;
    const double x = a->n[0] * P_n - a->n[1] * P_t, y = a->n[1] * P_n + a->n[0] * P_t;
    u[0] += x / CHAIN_M_LINK;
    u[1] += y / CHAIN_M_LINK;
    u[2] += (a->lever_n * P_n + a->lever_t * P_t) / CHAIN_J_LINK;
    if (a->pulley) {
        c->slide -= x / CHAIN_M_PULLEY;
        c->spin -= P_t * a->distance / CHAIN_J_PULLEY;
    }
}

/* What hinge i pulls its first link by: force, and moment of the damper. */
static inline void plate(const link *a, const link *b, double f[3])
{
    f[0] = CHAIN_PLATE * (b->q[0] - b->c - a->q[0] - a->c) +
           CHAIN_PLATE_D * (b->u[0] + b->s * b->u[2] - a->u[0] + a->s * a->u[2]);
    f[1] = CHAIN_PLATE * (b->q[1] - b->s - a->q[1] - a->s) +
           CHAIN_PLATE_D * (b->u[1] - b->c * b->u[2] - a->u[1] - a->c * a->u[2]);
    f[2] = CHAIN_HINGE_D * (b->u[2] - a->u[2]);
}

static void kick(plain_chain *c)
{
    double first[3], before[3], f[3];
    const int n = c->n;
    plate(&c->l[n - 1], &c->l[0], first);
    memcpy(before, first, sizeof first);
    for (int i = 0; i < n; i++) {
        link *l = &c->l[i];
        if (i + 1 < n) {
            plate(l, &c->l[i + 1], f);
        } else {
            memcpy(f, first, sizeof f);
        }
        const double M = l->c * (f[1] + before[1]) - l->s * (f[0] + before[0]) + f[2] - before[2];
        l->b[0] = c->dt / CHAIN_M_LINK * (f[0] - before[0]);
        l->b[1] = c->dt / CHAIN_M_LINK * (f[1] - before[1]);
        l->b[2] = c->dt / CHAIN_J_LINK * M;
        memcpy(before, f, sizeof f);
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            c->l[i].u[k] += c->l[i].b[k];
        }
    }
    c->slide += c->dt / CHAIN_M_PULLEY * (CHAIN_TENSION - CHAIN_SLIDE * c->slide);
    c->spin += c->dt / CHAIN_J_PULLEY * load(c);
}

static double sweep(plain_chain *c)
{
    double worst = 0.0;
    for (int k = 0; k < c->n_contact; k++) {
        contact *a = &c->contact[k];
        double n, t;
        slips(c, a, &n, &t);
        const double P_n = fmax(a->P_n - n / a->g_n, 0.0);
        const double P_t = clip(a->P_t - t / a->g_t, CHAIN_MU * P_n);
        const double dn = P_n - a->P_n, dt = P_t - a->P_t;
        a->P_n = P_n;
        a->P_t = P_t;
        push(c, a, dn, dt);
        worst = fmax(worst, fmax(fabs(dn) * a->g_n, fabs(dt) * a->g_t));
    }
    return worst;
}

void plain_chain_explicit(plain_chain *c)
{
    drift(c);
    find_contacts(c);
    kick(c);
    for (int k = 0; k < c->n_contact; k++) {
        contact *a = &c->contact[k];
        const double nx = a->n[0], ny = a->n[1], d = a->distance;
        a->g_n = 1.0 / CHAIN_M_LINK + a->lever_n * a->lever_n / CHAIN_J_LINK;
        a->g_t = 1.0 / CHAIN_M_LINK + a->lever_t * a->lever_t / CHAIN_J_LINK;
        if (a->pulley) {
            a->g_n += nx * nx / CHAIN_M_PULLEY;
            a->g_t += ny * ny / CHAIN_M_PULLEY + d * d / CHAIN_J_PULLEY;
        }
        push(c, a, a->P_n, a->P_t);
    }
    for (int k = 0; k < SWEEPS && sweep(c) > SOLVED; k++) {
    }
    keep(c);
    drift(c);
}

/* ---- implicit ---------------------------------------------------------------------------------
 */

/* M + D dt + K dt^2/2 by blocks, and M u_A + h dt for what the system makes of u_E. */
static void assemble(plain_chain *c)
{
    const double dt = c->dt, k = 0.5 * dt * dt * CHAIN_PLATE + dt * CHAIN_PLATE_D;
    const double r = dt * CHAIN_HINGE_D;
    for (int i = 0; i < c->n; i++) {
        link *l = &c->l[i];
        const double m[3] = {CHAIN_M_LINK, CHAIN_M_LINK, CHAIN_J_LINK};
        memset(l->D, 0, sizeof l->D);
        for (int j = 0; j < 3; j++) {
            l->D[j][j] = m[j];
            l->b[j] = m[j] * l->u[j];
        }
    }
    c->b_slide = CHAIN_M_PULLEY * c->slide + dt * CHAIN_TENSION;
    c->b_spin = CHAIN_J_PULLEY * c->spin + dt * load(c);
    for (int i = 0; i < c->n; i++) {
        link *a = &c->l[i], *b = &c->l[i + 1 < c->n ? i + 1 : 0];
        const double G[2][6] = {{-1.0, 0.0, a->s, 1.0, 0.0, b->s},
                                {0.0, -1.0, -a->c, 0.0, 1.0, -b->c}};
        const double u[6] = {a->u[0], a->u[1], a->u[2], b->u[0], b->u[1], b->u[2]};
        const double e[2] = {b->q[0] - b->c - a->q[0] - a->c, b->q[1] - b->s - a->q[1] - a->s};
        double f[2];
        for (int j = 0; j < 2; j++) {
            double v = 0.0;
            for (int x = 0; x < 6; x++) {
                v += G[j][x] * u[x];
            }
            f[j] = CHAIN_PLATE * dt * (0.5 * dt * v - e[j]);
        }
        for (int x = 0; x < 3; x++) {
            for (int y = 0; y < 3; y++) {
                a->D[x][y] += k * (G[0][x] * G[0][y] + G[1][x] * G[1][y]);
                b->D[x][y] += k * (G[0][3 + x] * G[0][3 + y] + G[1][3 + x] * G[1][3 + y]);
                a->U[x][y] = k * (G[0][x] * G[0][3 + y] + G[1][x] * G[1][3 + y]);
            }
            a->b[x] += G[0][x] * f[0] + G[1][x] * f[1];
            b->b[x] += G[0][3 + x] * f[0] + G[1][3 + x] * f[1];
        }
        a->D[2][2] += r;
        b->D[2][2] += r;
        a->U[2][2] -= r;
    }
}

/* What a contact adds to its link and the border, by its state: columns of what it bears, rows that
 * hold, and their right side.  How many. */
typedef struct rows {
    double column[2][3], row[2][3], border_column[2][2], border_row[2][2], right[2];
} rows;

static int fill_rows(const plain_chain *c, const contact *a, rows *w)
{
    const double nx = a->n[0], ny = a->n[1], on = a->pulley ? 1.0 : 0.0;
    const double n[3] = {nx, ny, a->lever_n}, t[3] = {-ny, nx, a->lever_t};
    const double p_n[2] = {-nx * on, 0.0}, p_t[2] = {ny * on, -a->distance * on};
    const double f = a->state == PLUS ? CHAIN_MU : a->state == MINUS ? -CHAIN_MU : 0.0;
    for (int k = 0; k < 3; k++) {
        w->row[0][k] = n[k];
        w->row[1][k] = w->column[1][k] = t[k];
        w->column[0][k] = n[k] + f * t[k];
    }
    for (int k = 0; k < 2; k++) {
        w->border_row[0][k] = p_n[k];
        w->border_row[1][k] = w->border_column[1][k] = p_t[k];
        w->border_column[0][k] = p_n[k] + f * p_t[k];
    }
    w->right[0] = -a->ahead;
    w->right[1] = a->pulley ? 0.0 : -c->turn * a->distance;
    return a->state == STICK ? 2 : 1;
}

/* The inverse of [S -C; R 0] with n columns C and rows R. */
static void invert(double S[3][3], const rows *w, int n, double B[BLOCK][BLOCK])
{
    double I[3][3], IC[3][2], RI[2][3], g[2][2] = {{0.0}}, k[2][2] = {{0.0}};
    const double a = S[1][1] * S[2][2] - S[1][2] * S[2][1],
                 b = S[1][2] * S[2][0] - S[1][0] * S[2][2];
    const double d = S[1][0] * S[2][1] - S[1][1] * S[2][0];
    const double one = 1.0 / (S[0][0] * a + S[0][1] * b + S[0][2] * d);
    I[0][0] = a * one, I[1][0] = b * one, I[2][0] = d * one;
    I[0][1] = (S[0][2] * S[2][1] - S[0][1] * S[2][2]) * one;
    I[1][1] = (S[0][0] * S[2][2] - S[0][2] * S[2][0]) * one;
    I[2][1] = (S[0][1] * S[2][0] - S[0][0] * S[2][1]) * one;
    I[0][2] = (S[0][1] * S[1][2] - S[0][2] * S[1][1]) * one;
    I[1][2] = (S[0][2] * S[1][0] - S[0][0] * S[1][2]) * one;
    I[2][2] = (S[0][0] * S[1][1] - S[0][1] * S[1][0]) * one;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 3; j++) {
            IC[j][i] = RI[i][j] = 0.0;
            for (int l = 0; l < 3; l++) {
                IC[j][i] += I[j][l] * w->column[i][l];
                RI[i][j] += w->row[i][l] * I[l][j];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            g[i][j] = w->row[i][0] * IC[0][j] + w->row[i][1] * IC[1][j] + w->row[i][2] * IC[2][j];
        }
    }
    const double det = n == 2 ? 1.0 / (g[0][0] * g[1][1] - g[0][1] * g[1][0]) : 1.0;
    k[0][0] = n == 2 ? g[1][1] * det : 1.0 / g[0][0];
    k[1][1] = g[0][0] * det, k[0][1] = -g[0][1] * det, k[1][0] = -g[1][0] * det;
    memset(B, 0, sizeof(double[BLOCK][BLOCK]));
    for (int i = 0; i < 3; i++) {
        memcpy(B[i], I[i], sizeof I[i]);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 3; j++) {
            for (int l = 0; l < n; l++) {
                B[3 + i][j] -= k[i][l] * RI[l][j];
                B[j][3 + i] += IC[j][l] * k[l][i];
            }
        }
        for (int j = 0; j < n; j++) {
            B[3 + i][3 + j] = k[i][j];
        }
    }
    for (int i = 0; i < 3 && n > 0; i++) {
        for (int j = 0; j < 3; j++) {
            for (int l = 0; l < n; l++) {
                B[i][j] += IC[i][l] * B[3 + l][j];
            }
        }
    }
}

/* The border while links are eliminated: columns of the link at hand, rows of it, its right side.
 */
typedef struct border {
    double S[3][3], C[3][BORDER], R[BORDER][3], b[3];
    double M[BORDER + 2][BORDER + 2], right[BORDER + 2];
} border;

static int rows_of(const plain_chain *c, const link *l, rows *w)
{
    const contact *a = l->at < 0 ? NULL : &c->contact[l->at];
    return a && a->state != OPEN ? fill_rows(c, a, w) : 0;
}

/* Link i with its contact, from the next link and the border. */
static void eliminate(plain_chain *c, int i, border *g)
{
    link *l = &c->l[i];
    const link *next = &c->l[i + 1];
    const int last = i == c->n - 2; /* the next link is in the border */
    double C[BLOCK][WIDE] = {{0.0}}, R[BORDER][BLOCK] = {{0.0}};
    double z[BLOCK] = {g->b[0], g->b[1], g->b[2]};
    rows w;
    const int k = rows_of(c, l, &w), n = l->n = 3 + k;
    invert(g->S, &w, k, l->B);
    for (int x = 0; x < 3; x++) {
        memcpy(C[x] + 3, g->C[x], sizeof g->C[x]);
        for (int y = 0; y < BORDER; y++) {
            R[y][x] = g->R[y][x];
        }
        for (int y = 0; y < 3; y++) {
            C[x][last ? 3 + y : y] += l->U[x][y];
            R[y][x] += last ? l->U[x][y] : 0.0;
        }
    }
    for (int x = 0; x < k; x++) {
        z[3 + x] = w.right[x];
        for (int y = 0; y < 2; y++) {
            C[3 + x][6 + y] = w.border_row[x][y];
            R[3 + y][3 + x] = -w.border_column[x][y];
        }
    }
    for (int x = 0; x < n; x++) {
        double sum = 0.0, X[WIDE] = {0.0};
        for (int m = 0; m < n; m++) {
            const double B = l->B[x][m];
            sum += B * z[m];
            for (int y = 0; y < WIDE; y++) {
                X[y] += B * C[m][y];
            }
        }
        l->y[x] = sum;
        memcpy(l->X[x], X, sizeof X);
    }
    for (int x = 0; x < 3; x++) {
        double T[WIDE] = {0.0}, b = next->b[x];
        for (int m = 0; m < 3; m++) {
            const double L = l->U[m][x];
            b -= L * l->y[m];
            for (int y = 0; y < WIDE; y++) {
                T[y] -= L * l->X[m][y];
            }
        }
        g->b[x] = b;
        for (int y = 0; y < 3; y++) {
            g->S[x][y] = next->D[x][y] + T[y];
        }
        memcpy(g->C[x], T + 3, sizeof g->C[x]);
    }
    for (int x = 0; x < BORDER; x++) {
        double T[WIDE] = {0.0}, b = 0.0;
        for (int m = 0; m < n; m++) {
            b -= R[x][m] * l->y[m];
            for (int y = 0; y < WIDE; y++) {
                T[y] -= R[x][m] * l->X[m][y];
            }
        }
        g->right[x] += b;
        memcpy(g->R[x], T, sizeof g->R[x]);
        for (int y = 0; y < BORDER; y++) {
            g->M[x][y] += T[3 + y];
        }
    }
}

/* The border before anything is eliminated. */
static border begin_border(const plain_chain *c)
{
    const link *first = &c->l[0], *last = &c->l[c->n - 1];
    const double dt = c->dt;
    border g;
    memset(&g, 0, sizeof g);
    for (int x = 0; x < 3; x++) {
        g.b[x] = first->b[x];
        g.right[x] = last->b[x];
        for (int y = 0; y < 3; y++) {
            g.S[x][y] = first->D[x][y];
            g.M[x][y] = last->D[x][y];
            g.C[x][y] = last->U[y][x];
            g.R[x][y] = last->U[x][y];
        }
    }
    g.M[3][3] = CHAIN_M_PULLEY + dt * CHAIN_SLIDE;
    g.M[4][4] = CHAIN_J_PULLEY;
    g.right[3] = c->b_slide;
    g.right[4] = c->b_spin;
    return g;
}

/* x of M x = right with n rows, in right. */
static void solve_border(border *g, int n)
{
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j + 1; i < n; i++) {
            best = fabs(g->M[i][j]) > fabs(g->M[best][j]) ? i : best;
        }
        for (int l = j; l < n; l++) {
            const double x = g->M[j][l];
            g->M[j][l] = g->M[best][l];
            g->M[best][l] = x;
        }
        const double b = g->right[j];
        g->right[j] = g->right[best];
        g->right[best] = b;
        for (int i = j + 1; i < n; i++) {
            const double f = g->M[i][j] / g->M[j][j];
            for (int l = j; l < n; l++) {
                g->M[i][l] -= f * g->M[j][l];
            }
            g->right[i] -= f * g->right[j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            g->right[i] -= g->M[i][j] * g->right[j];
        }
        g->right[i] /= g->M[i][i];
    }
}

static void bear(plain_chain *c, const link *l, const double *P)
{
    if (l->at < 0) {
        return;
    }
    contact *a = &c->contact[l->at];
    a->P_n = a->state == OPEN ? 0.0 : P[0];
    a->P_t = a->state == STICK ? P[1] : a->state == PLUS ? CHAIN_MU * a->P_n : -CHAIN_MU * a->P_n;
}

/* u_E and P where all contacts do what their states say. */
static void solve_states(plain_chain *c)
{
    const int n = c->n;
    border g = begin_border(c);
    for (int i = 0; i < n - 1; i++) {
        eliminate(c, i, &g);
    }
    link *last = &c->l[n - 1];
    rows w;
    const int k = rows_of(c, last, &w);
    for (int y = 0; y < k; y++) {
        for (int x = 0; x < BORDER; x++) {
            g.M[x][BORDER + y] = -(x < 3 ? w.column[y][x] : w.border_column[y][x - 3]);
            g.M[BORDER + y][x] = x < 3 ? w.row[y][x] : w.border_row[y][x - 3];
        }
        g.right[BORDER + y] = w.right[y];
    }
    solve_border(&g, BORDER + k);
    const double *z = g.right, *next = z;
    memcpy(last->u, z, sizeof last->u);
    c->slide = z[3];
    c->spin = z[4];
    bear(c, last, z + BORDER);
    for (int i = n - 2; i >= 0; i--) {
        link *l = &c->l[i];
        double x[BLOCK];
        for (int j = 0; j < l->n; j++) {
            const double *X = l->X[j];
            x[j] = l->y[j] - X[0] * next[0] - X[1] * next[1] - X[2] * next[2] - X[3] * z[0] -
                   X[4] * z[1] - X[5] * z[2] - X[6] * z[3] - X[7] * z[4];
        }
        memcpy(l->u, x, sizeof l->u);
        bear(c, l, x + 3);
        next = l->u;
    }
}

/* The state that the laws ask for at the velocities at hand. */
static int wanted(const plain_chain *c, const contact *a)
{
    const double rho = 0.5 * CHAIN_M_LINK;
    double n, t;
    slips(c, a, &n, &t);
    const double z_n = a->P_n - rho * n, z_t = a->P_t - rho * t;
    const double limit = CHAIN_MU * (a->P_n > 0.0 ? a->P_n : z_n);
    return z_n <= 0.0                           ? OPEN
           : fabs(z_t) <= limit * (1.0 + 1e-12) ? STICK
           : z_t > 0.0                          ? PLUS
                                                : MINUS;
}

/* All wrong contacts change their states, after some rounds only the worst.  Whether any did. */
static int change_states(plain_chain *c, int round)
{
    double worst = SOLVED;
    int changes = 0, who = -1;
    for (int k = 0; k < c->n_contact; k++) {
        contact *a = &c->contact[k];
        const double off = defect(c, a);
        const int to = off > SOLVED ? wanted(c, a) : a->state;
        if (to == a->state) {
            continue;
        }
        if (round < TOGETHER) {
            a->state = to;
            changes++;
        } else if (off > worst) {
            worst = off;
            who = k;
        }
    }
    if (who >= 0) {
        c->contact[who].state = wanted(c, &c->contact[who]);
        changes++;
    }
    return changes;
}

void plain_chain_implicit(plain_chain *c)
{
    drift(c);
    find_contacts(c);
    assemble(c);
    for (int round = 0; round < ROUNDS; round++) {
        solve_states(c);
        if (!change_states(c, round)) {
            break;
        }
    }
    keep(c);
    drift(c);
}
