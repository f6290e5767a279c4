/* The numbers of figures 2 to 9 of Leine and Glocker's paper on Coulomb-Contensou friction, from
 * the exact law; one file per figure in the folder named on the command line.  Forces over
 * mu lambda_N, drilling torques over mu lambda_N R. */
#include "laws/contensou.h"

#include <math.h>
#include <stdio.h>

static const double PI = 3.14159265358979323846;

/* folder/name.dat for writing; NULL and a word about it if that fails. */
static FILE *begin(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.dat", folder, name);
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
    }
    return f;
}

/* Force and torque at the velocities v and b = R omega, both of any sign. */
static void at(sp_pressure p, double v, double b, double *force, double *torque)
{
    const sp_contensou c = sp_contensou_at(p, fabs(v), fabs(b));
    *force = copysign(c.f, v);
    *torque = copysign(c.m, b);
}

/* Figure 2: the potential phi(v, R omega), uniform pressure. */
static void potential(FILE *f)
{
    enum { CELLS = 10 };
    for (int i = -CELLS; i <= CELLS; i++) {
        for (int j = -CELLS; j <= CELLS; j++) {
            const double v = (double)i / CELLS, b = (double)j / CELLS;
            fprintf(f, "%g %g %.15g\n", v, b,
                    sp_contensou_at(SP_PRESSURE_UNIFORM, fabs(v), fabs(b)).phi);
        }
        fprintf(f, "\n");
    }
}

/* Figure 3: the friction disc, the cut of the ball without torque. */
static void disc(FILE *f)
{
    for (int k = 0; k <= 180; k++) {
        const double t = 2.0 * PI * k / 180.0;
        fprintf(f, "%.15g %.15g\n", cos(t), sin(t));
    }
}

/* Figure 4: the friction plate, force against torque, one block per pressure. */
static void plate(FILE *f)
{
    for (int p = 0; p < 2; p++) {
        for (int k = 0; k <= 240; k++) {
            const double t = 2.0 * PI * k / 240.0;
            double force, torque;
            at((sp_pressure)p, cos(t), sin(t), &force, &torque);
            fprintf(f, "%.15g %.15g\n", force, torque);
        }
        fprintf(f, "\n\n");
    }
}

/* Figure 5: the friction ball, uniform pressure. */
static void ball(FILE *f)
{
    for (int i = 0; i <= 24; i++) {
        const double tilt = PI * (i / 24.0 - 0.5);
        double force, torque;
        at(SP_PRESSURE_UNIFORM, cos(tilt), sin(tilt), &force, &torque);
        for (int k = 0; k <= 36; k++) {
            const double t = 2.0 * PI * k / 36.0;
            fprintf(f, "%.15g %.15g %.15g\n", force * cos(t), force * sin(t), torque);
        }
        fprintf(f, "\n");
    }
}

/* Figures 6 and 7: force and torque against u and 1/u, one block per pressure. */
static void against_u(FILE *f, int of_torque)
{
    for (int p = 0; p < 2; p++) {
        for (int k = 0; k <= 250; k++) {
            const double x = 5.0 * k / 250.0;
            double force, torque;
            at((sp_pressure)p, of_torque ? 1.0 : x, of_torque ? x : 1.0, &force, &torque);
            fprintf(f, "%g %.15g\n", x, of_torque ? torque : force);
        }
        fprintf(f, "\n\n");
    }
}

/* Figures 8 and 9: force against v at held spins, torque against R omega at held v; uniform
 * pressure, one block per held velocity, the first is zero and has its set as a vertical line. */
static void characteristic(FILE *f, int of_torque)
{
    const double held[5] = {0.0, 0.1, 0.3, 0.6, 1.0};
    for (int h = 0; h < 5; h++) {
        for (int k = -100; k <= 100; k++) {
            const double x = k / 100.0;
            double force, torque;
            at(SP_PRESSURE_UNIFORM, of_torque ? held[h] : x, of_torque ? x : held[h], &force,
               &torque);
            if (h == 0 && k == 0) { /* all values between the limits */
                const double most = of_torque ? 2.0 / 3.0 : 1.0;
                fprintf(f, "0 %.15g\n0 %.15g\n", -most, most);
                continue;
            }
            fprintf(f, "%g %.15g\n", x, of_torque ? torque : force);
        }
        fprintf(f, "\n\n");
    }
}

/* What the four terms of the paper's series for uniform pressure leave out: force by the series and
 * by the law around u = 1. */
static void series(FILE *f)
{
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k <= 80; k++) {
            const double u = side ? 1.0 + 0.4 * k / 80.0 : 0.6 + 0.4 * k / 80.0;
            const double x = side ? 1.0 / (u * u) : u * u;
            const double cut = side ? 1.0 - x / 8.0 - x * x / 64.0 - 5.0 * x * x * x / 1024.0
                                    : u * (1.0 - x / 8.0 - x * x / 64.0);
            fprintf(f, "%g %.15g %.15g\n", u, cut, sp_contensou_at(SP_PRESSURE_UNIFORM, u, 1.0).f);
        }
        fprintf(f, "\n\n");
    }
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : ".";
    const char *name[9] = {"fig2", "fig3", "fig4", "fig5",  "fig6",
                           "fig7", "fig8", "fig9", "series"};
    for (int k = 0; k < 9; k++) {
        FILE *f = begin(folder, name[k]);
        if (!f) {
            return 1;
        }
        switch (k) {
        case 0:
            potential(f);
            break;
        case 1:
            disc(f);
            break;
        case 2:
            plate(f);
            break;
        case 3:
            ball(f);
            break;
        case 4:
        case 5:
            against_u(f, k == 5);
            break;
        case 6:
        case 7:
            characteristic(f, k == 7);
            break;
        default:
            series(f);
            break;
        }
        if (fclose(f) != 0) {
            perror(name[k]);
            return 1;
        }
    }
    return 0;
}
