/* slider_crank_plain.h - the planar slider-crank with clearance in its guide as one hand-written
 * loop: the speed a program made for this machine alone can reach. */
#ifndef SP_SLIDER_CRANK_PLAIN_H
#define SP_SLIDER_CRANK_PLAIN_H

/* The machine of [FLG10] Table 1; the guide is 2 (b + c) wide, c is the play on each side. */
#define SC_L1    0.153 /* crank [m]                                  */
#define SC_L2    0.306 /* connecting rod [m]                         */
#define SC_A     0.05  /* half length of the slider [m]              */
#define SC_B     0.025 /* half height of the slider [m]              */
#define SC_C     0.001 /* play on each side [m]                      */
#define SC_M1    0.038 /* masses [kg]                                */
#define SC_M2    0.038
#define SC_M3    0.076
#define SC_J1    7.4e-5 /* inertias about the centres of mass [kg m2] */
#define SC_J2    5.9e-4
#define SC_J3    2.7e-6
#define SC_G     9.81 /* [m/s2] */
#define SC_EPS_N 0.4
#define SC_MU    0.01
#define SC_U1    150.0 /* start: q = 0, u = (150, -75, 0) rad/s */
#define SC_U2    (-75.0)
#define SC_U3    0.0
#define SC_DT    1e-5 /* step of the benchmark [s] */

#ifdef __cplusplus
extern "C" {
#endif

/* What a corner remembers from step to step, see the source file. */
typedef struct plain_corner {
    double lift, reach, old_reach; /* [m] */
    int closed, loaded;
} plain_corner;

/* State and counters.  q, u: absolute angles [rad] and rates [rad/s] of crank, rod, slider. */
typedef struct plain_state {
    double q[3], u[3];
    plain_corner corner[4];
    int touched;        /* some corner has something to remember                         */
    long contact_steps; /* steps with at least one active corner                         */
    long corrections;   /* position projections                                          */
    long fallbacks;     /* contact problems the first guesses did not solve              */
    long failed;        /* contact problems solved by nobody, or corrections left undone */
} plain_state;

/* The start of [FLG10] Table 1, counters zero. */
plain_state plain_slider_crank_start(void);

/* Advance n_steps of dt [s].  The scheme is described at the top of the source file. */
void plain_slider_crank_run(plain_state *s, double dt, long n_steps);

/* Kinetic plus potential energy [J]. */
double plain_slider_crank_energy(const plain_state *s);

/* Gaps [m] of the corners 1 upper left, 2 upper right, 3 lower left, 4 lower right. */
void plain_slider_crank_gaps(const plain_state *s, double g_N[4]);

#ifdef __cplusplus
}
#endif

#endif
