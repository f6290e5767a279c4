#include "model/bent.h"

#include <math.h>
#include <string.h>

/* Polynomials at a place, and their derivatives by x. */
typedef struct polynomials {
    double P[3][SP_BENT_MOST];
} polynomials;

/* (k + 1) P_k+1 = (2 k + 1) z P_k - k P_k-1 */
static double next(const double *P, int k, double z)
{
    return ((2 * k + 1) * z * P[k] - k * P[k - 1]) / (k + 1);
}

static void look(const sp_bent *line, double x, polynomials *p)
{
    const double z = 2.0 * x / line->length - 1.0, by_x = 2.0 / line->length;
    double(*P)[SP_BENT_MOST] = p->P;
    P[0][0] = 1.0;
    P[0][1] = z;
    P[1][0] = P[2][0] = P[2][1] = 0.0;
    P[1][1] = by_x;
    for (int k = 1; k + 1 < line->n; k++) {
        P[0][k + 1] = next(P[0], k, z);
        for (int d = 1; d < 3; d++) { /* P'_k+1 = P'_k-1 + (2 k + 1) P_k */
            P[d][k + 1] = P[d][k - 1] + (2 * k + 1) * by_x * P[d - 1][k];
        }
    }
}

static double sum(const sp_bent *line, const double *coef, const double *P)
{
    double all = 0.0;
    for (int k = 0; k < line->n; k++) {
        all += coef[k] * P[k];
    }
    return all;
}

void sp_bent_straight(double length, sp_bent *line)
{
    memset(line, 0, sizeof *line);
    line->n = 2;
    line->length = length;
    line->at[0][0] = line->at[0][1] = 0.5 * length;
}

/* r = at + y j, j = (- sin, cos) of the angle, j' = - angle' i, i' = angle' j.   theory (98.2) */
void sp_bent_line(const sp_bent *line, double x, double y, sp_vec r[3])
{
    polynomials p;
    double a[3];
    look(line, x, &p);
    for (int d = 0; d < 3; d++) {
        r[d] = (sp_vec){sum(line, line->at[0], p.P[d]), sum(line, line->at[1], p.P[d])};
        a[d] = sum(line, line->angle[2], p.P[d]);
    }
    const sp_vec i = {cos(a[0]), sin(a[0])}, j = {-i.y, i.x};
    r[0] = sp_axpy(r[0], y, j);
    r[1] = sp_axpy(r[1], -y * a[1], i);
    r[2] = sp_axpy(sp_axpy(r[2], -y * a[2], i), -y * a[1] * a[1], j);
}

void sp_bent_polynomials(double length, double x, double *P)
{
    const double z = 2.0 * x / length - 1.0;
    P[0] = 1.0;
    P[1] = z;
    for (int k = 1; k + 1 < SP_BENT_MOST; k++) {
        P[k + 1] = next(P, k, z);
    }
}

sp_vec sp_bent_place(const sp_bent *line, const double *P, double y)
{
    const double angle = sum(line, line->angle[2], P);
    const sp_vec j = {-sin(angle), cos(angle)};
    return sp_axpy((sp_vec){sum(line, line->at[0], P), sum(line, line->at[1], P)}, y, j);
}

sp_vec sp_bent_strain_rate(const sp_bent *line, double x, double y)
{
    polynomials p;
    look(line, x, &p);
    const double a = sum(line, line->angle[2], p.P[0]), a_x = sum(line, line->angle[2], p.P[1]);
    const double w = sum(line, line->spin[2], p.P[0]), w_x = sum(line, line->spin[2], p.P[1]);
    const sp_vec i = {cos(a), sin(a)}, j = {-i.y, i.x};
    const sp_vec v_x = {sum(line, line->rate[0], p.P[1]), sum(line, line->rate[1], p.P[1])};
    return sp_axpy(sp_axpy(v_x, -y * w_x, i), -y * w * a_x, j);
}
