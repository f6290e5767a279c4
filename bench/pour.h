/* pour.h - spheres that fall into a box: the scene and the measures that all programs share. */
#ifndef SP_BENCH_POUR_H
#define SP_BENCH_POUR_H

#ifdef __cplusplus
extern "C" {
#endif

/* Place, velocity and angular velocity of a sphere, m, m/s, rad/s.  The axes of omega do not matter
 * for a sphere's energy. */
typedef struct pour_ball {
    double x[3], v[3], omega[3];
} pour_ball;

/* Equal solid spheres in a box without lid, floor at z = 0, walls at x, y = -a and a. */
typedef struct pour_scene {
    int n;
    double r, a, mass, mu, g; /* m, m, kg, -, m/s^2 */
    pour_ball *ball;          /* n, as they start   */
} pour_scene;

/* Write a scene to a file, and read it.  0: failed. */
int pour_write(const char *path, const pour_scene *s);
int pour_read(const char *path, pour_scene *s);
void pour_free(pour_scene *s);

/* What a program did: totals, and the worst of all steps. */
typedef struct pour_result {
    long steps;
    double seconds;     /* of the processor                                                       */
    double contacts;    /* of all steps                                                           */
    double penetration; /* deepest, m                                                             */
    double approach;    /* fastest, m/s: what touches goes on approaching after the step          */
    double residual;    /* worst natural map of all rows, relative                                */
    double sum;         /* of the steps' worst ones                                               */
    double box;         /* worst with friction cut along two tangents apart, as Bullet does      */
    double gained;      /* sum of all rises of the energy from step to step, J                    */
    double kinetic;     /* at the end, J                                                          */
    double energy;      /* at the end, potential from the floor, J                                */
} pour_result;

/* One contact of a step: percussion and what the law looks at after the step, along the normal and
 * two tangents, N s and m/s. */
typedef struct pour_contact {
    double P[3], xi[3];
    int moving; /* bodies that it moves, 1 or 2 */
} pour_contact;

/* Energies at the start into r. */
void pour_begin(const pour_scene *s, pour_result *r);

/* Add a step of n contacts to r, of length dt: the code of certify/certificate.h, whoever solved
 * it. before: largest velocity at a contact when the step began, m/s; g dt is added and residuals
 * are relative to the sum.  end: all spheres after the step.  0 if there is no memory. */
int pour_judge(const pour_scene *s, double dt, int n, const pour_contact *contact, double before,
               const pour_ball *end, pour_result *r);

/* Print the one line that every program prints, and read it: 1 if it was one. */
void pour_report(const pour_result *r);
int pour_scan(const char *line, pour_result *r);

#ifdef __cplusplus
}
#endif

#endif
