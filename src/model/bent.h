/* model/bent.h - the axis of a beam as it is bent in a configuration, and lines beside it that go
 * with its sections: polynomials along the beam.   theory (98.1), (98.2) */
#ifndef SP_MODEL_BENT_H
#define SP_MODEL_BENT_H

#include "math/plane.h"

enum { SP_BENT_MOST = 224 }; /* polynomials */

/* Coefficients of Legendre's polynomials of 2 x/length - 1, `SP_BENT_MOST` apart: in the axes of
 * the body's frame. */
typedef struct sp_bent {
    int n;
    double length;                 /* m                                                     */
    double at[3][SP_BENT_MOST];    /* place of the axis, m                                  */
    double angle[3][SP_BENT_MOST]; /* rotation vector of sections    */
    double rate[3][SP_BENT_MOST], spin[3][SP_BENT_MOST]; /* their rates                  */
} sp_bent;

/* The straight axis. */
void sp_bent_straight(double length, sp_bent *line);

/* In the plane, the line at the height y over the axis: its place at x and two derivatives. */
void sp_bent_line(const sp_bent *line, double x, double y, sp_vec r[3]);

/* The polynomials at a place x of the axis; P: SP_BENT_MOST. */
void sp_bent_polynomials(double length, double x, double *P);

/* The place of the line alone, where the polynomials are P: r[0] of sp_bent_line. */
sp_vec sp_bent_place(const sp_bent *line, const double *P, double y);

/* The derivative along it of the velocity that its material has against the frame. */
sp_vec sp_bent_strain_rate(const sp_bent *line, double x, double y);

#endif
