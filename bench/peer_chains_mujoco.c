/* peer_chains_mujoco.c - a chain of 63 rigid links on two pulleys by MuJoCo.
 *
 *     peer_chains_mujoco steps [repetitions]
 *
 * The machine of chains_plain.h with hinges in place of plates: links are bodies inside bodies, the
 * last one is connected with the first. Pins are small spheres, pulleys cylinders that are smaller
 * by as much; each pin has a pair with each pulley. Contacts and the connection are soft, with time
 * constants of two steps, the least that MuJoCo takes; cones are elliptic, the solver is Newton's.
 * The driving pulley is set to its speed before every step of 20 us.
 *
 * Prints the time of all steps as "seconds" and the place of the carriage as "checksum". */
#include "bench.h"
#include "chains_plain.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS = 63, TEXT = 100000, REPETITIONS_MAX = 100, PULLEYS = 3 };
#define STEP 2e-5
#define PIN  1e-3 /* m */

static void put(char *text, const char *format, double a, double b, double c)
{
    const size_t used = strlen(text);
    snprintf(text + used, TEXT - used, format, a, b, c);
}

/* Links, one inside the other. */
static void put_links(char *text)
{
    for (int i = 0; i < LINKS; i++) {
        put(text, "<body name='link%.0f' pos='%.17g 0 0'>", i, i ? CHAIN_PITCH : 0.0, 0.0);
        put(text,
            i ? "<joint type='hinge' axis='0 0 1' damping='%.17g'/>"
              : "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint "
                "type='hinge' axis='0 0 1'/>",
            CHAIN_HINGE_D, 0.0, 0.0);
        put(text, "<inertial pos='%.17g 0 0' mass='%.17g' diaginertia='1e-6 1e-6 %.17g'/>",
            0.5 * CHAIN_PITCH, CHAIN_M_LINK, CHAIN_J_LINK);
        put(text, "<geom name='pin%.0f' type='sphere' size='%.17g'/>", i, PIN, 0.0);
    }
    for (int i = 0; i < LINKS; i++) {
        put(text, "</body>", 0.0, 0.0, 0.0);
    }
}

static void put_pulley(char *text, int k, double radius)
{
    put(text,
        "<joint type='hinge' axis='0 0 1'/><inertial pos='0 0 0' mass='4' diaginertia='1 1 "
        "%.17g'/>",
        CHAIN_J_PULLEY, 0.0, 0.0);
    put(text, "<geom name='rim%.0f' type='cylinder' size='%.17g 0.01'/></body>", k, radius - PIN,
        0.0);
}

static mjModel *load(const plain_chain *c)
{
    char message[512] = "out of memory";
    const plain_chain_sizes s = plain_chain_size(c);
    char *text = calloc(1, TEXT);
    mjVFS *files = malloc(sizeof *files);
    mjModel *m = NULL;
    if (text && files) {
        put(text,
            "<mujoco><size njmax='2000' nconmax='300'/><option timestep='%g' gravity='0 0 0' "
            "cone='elliptic' solver='Newton' tolerance='1e-10' iterations='100'/><default><geom "
            "contype='0' conaffinity='0'/></default><worldbody><body>",
            STEP, 0.0, 0.0);
        put_pulley(text, 0, s.radius);
        put(text,
            "<body pos='%.17g 0 0'><joint type='slide' axis='1 0 0' damping='%g'/><inertial pos='0 "
            "0 0' mass='4' diaginertia='1 1 1'/><body>",
            s.apart, CHAIN_SLIDE, 0.0);
        put_pulley(text, 1, s.radius);
        put(text, "</body>", 0.0, 0.0, 0.0);
        put_links(text);
        put(text,
            "</worldbody><equality><connect body1='link0' body2='link%.0f' anchor='0 0 0' "
            "solref='%g 1'/></equality><contact>",
            LINKS - 1, 2.0 * STEP, 0.0);
        for (int i = 0; i < 2 * LINKS; i++) {
            put(text, "<pair geom1='pin%.0f' geom2='rim%.0f' condim='3' solref='%g 1' ", i / 2,
                i % 2, 2.0 * STEP);
            put(text, "friction='%g %g 0 0 0'/>", CHAIN_MU, CHAIN_MU, 0.0);
        }
        put(text, "</contact></mujoco>", 0.0, 0.0, 0.0);
        mj_defaultVFS(files);
        mj_makeEmptyFileVFS(files, "chain.xml", (int)strlen(text));
        memcpy(files->filedata[mj_findFileVFS(files, "chain.xml")], text, strlen(text));
        m = mj_loadXML("chain.xml", files, message, sizeof message);
        mj_deleteVFS(files);
    }
    if (m) { /* the anchor on the last link, which is not where the straight chain has it */
        m->eq_data[3] = CHAIN_PITCH;
        m->eq_data[4] = m->eq_data[5] = 0.0;
    } else {
        fprintf(stderr, "peer_chains_mujoco: %s\n", message);
    }
    free(files);
    free(text);
    return m;
}

/* The start: pins where the belt runs, at its speed. */
static void start(const plain_chain *c, const mjModel *m, mjData *d)
{
    double q[3], u[3], before[2] = {0.0, 0.0};
    mj_resetData(m, d);
    d->qvel[0] = d->qvel[2] = -plain_chain_size(c).turn;
    for (int i = 0; i < LINKS; i++) {
        double *x = d->qpos + PULLEYS, *v = d->qvel + PULLEYS;
        plain_chain_link(c, i, q, u);
        if (i == 0) {
            const double h = 0.5 * CHAIN_PITCH;
            x[0] = q[0] - h * cos(q[2]);
            x[1] = q[1] - h * sin(q[2]);
            v[0] = u[0] + h * sin(q[2]) * u[2];
            v[1] = u[1] - h * cos(q[2]) * u[2];
        }
        x[2 + i] = q[2] - before[0];
        v[2 + i] = u[2] - before[1];
        before[0] = q[2];
        before[1] = u[2];
    }
}

/* Seconds of n steps. */
static double run(const plain_chain *c, const mjModel *m, mjData *d, long n)
{
    const plain_chain_sizes s = plain_chain_size(c);
    start(c, m, d);
    const double begin = bench_processor();
    for (long k = 0; k < n; k++) {
        const double x = fmin((double)k * STEP / CHAIN_RAMP, 1.0);
        d->qvel[0] = -s.turn;
        d->qfrc_applied[1] = CHAIN_TENSION;
        d->qfrc_applied[2] = s.load * x * x * (3.0 - 2.0 * x);
        mj_step(m, d);
    }
    return bench_processor() - begin;
}

int main(int argc, char **argv)
{
    const long steps = bench_argument(argc, argv, 1, 100);
    const long repetitions = bench_argument(argc, argv, 2, 1);
    if (steps < 0 || repetitions < 0 || repetitions > REPETITIONS_MAX) {
        fprintf(stderr, "usage: peer_chains_mujoco steps [repetitions]\n");
        return 2;
    }
    plain_chain *c = plain_chain_new(LINKS, STEP);
    mjModel *m = c ? load(c) : NULL;
    mjData *d = m ? mj_makeData(m) : NULL;
    if (!d) {
        return 1;
    }
    bench_result r = {.peer = "mujoco", .steps = steps};
    double seconds[REPETITIONS_MAX];
    for (long k = 0; k < repetitions; k++) {
        seconds[k] = run(c, m, d, steps);
    }
    r.seconds = bench_median(seconds, (int)repetitions);
    r.checksum = d->qpos[1];
    if (d->warning[mjWARN_BADQACC].number + d->warning[mjWARN_BADQPOS].number > 0) {
        fprintf(stderr, "peer_chains_mujoco: the run came apart\n");
        return 1;
    }
    bench_report(&r);
    mj_deleteData(d);
    mj_deleteModel(m);
    plain_chain_free(c);
    return isfinite(r.checksum) ? 0 : 1;
}
