/* peer_mujoco.c - the slider-crank with clearance, stepped by MuJoCo.
 *
 *     peer_mujoco [steps [repetitions]]
 *
 * The same bodies, hinges and start.  MuJoCo has no rigid contact and no restitution: the corners
 * are spheres of 0.1 mm, inside the slider's outline, on stiff and damped planes.  solref makes
 * the first impact last 12 steps and return 0.39 of the speed; the rigid law returns 0.4.  Four
 * explicit pairs spare MuJoCo the search for contacts; friction acts in the plane and across it,
 * since MuJoCo has no planar friction law. */
#include "bench.h"
#include "slider_crank_plain.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The machine of slider_crank_plain.h in MuJoCo's language. */
static const char model_text[] =
    "<mujoco>"
    "<compiler angle='radian'/>"
    "<option timestep='1e-5' gravity='0 -9.81 0' cone='pyramidal'/>"
    "<default>"
    "  <joint type='hinge' axis='0 0 1'/>"
    "  <geom contype='0' conaffinity='0' type='sphere' size='1e-4'/>"
    "  <pair condim='3' friction='0.01 0.01' solref='1e-4 0.45' solimp='0.99 0.99 1e-4'/>"
    "</default>"
    "<worldbody>"
    "  <geom name='upper' type='plane' size='1 1 1' pos='0  0.026 0' zaxis='0 -1 0'/>"
    "  <geom name='lower' type='plane' size='1 1 1' pos='0 -0.026 0' zaxis='0  1 0'/>"
    "  <body name='crank'>"
    "    <joint/>"
    "    <inertial mass='0.038' pos='0.0765 0 0' diaginertia='7.4e-5 7.4e-5 7.4e-5'/>"
    "    <body name='rod' pos='0.153 0 0'>"
    "      <joint/>"
    "      <inertial mass='0.038' pos='0.153 0 0' diaginertia='5.9e-4 5.9e-4 5.9e-4'/>"
    "      <body name='slider' pos='0.306 0 0'>"
    "        <joint/>"
    "        <inertial mass='0.076' pos='0 0 0' diaginertia='2.7e-6 2.7e-6 2.7e-6'/>"
    "        <geom name='c1' pos='-0.0499  0.0249 0'/>"
    "        <geom name='c2' pos=' 0.0499  0.0249 0'/>"
    "        <geom name='c3' pos='-0.0499 -0.0249 0'/>"
    "        <geom name='c4' pos=' 0.0499 -0.0249 0'/>"
    "      </body>"
    "    </body>"
    "  </body>"
    "</worldbody>"
    "<contact>"
    "  <pair geom1='c1' geom2='upper'/>"
    "  <pair geom1='c2' geom2='upper'/>"
    "  <pair geom1='c3' geom2='lower'/>"
    "  <pair geom1='c4' geom2='lower'/>"
    "</contact>"
    "</mujoco>";

/* Load the model from memory; NULL with a message on failure. */
static mjModel *load(void)
{
    char message[512] = "out of memory";
    mjModel *m = NULL;
    mjVFS *files = malloc(sizeof *files);
    if (files) {
        mj_defaultVFS(files);
        mj_makeEmptyFileVFS(files, "slider_crank.xml", (int)sizeof model_text - 1);
        memcpy(files->filedata[0], model_text, sizeof model_text - 1);
        m = mj_loadXML("slider_crank.xml", files, message, sizeof message);
        mj_deleteVFS(files);
        free(files);
    }
    if (!m) {
        fprintf(stderr, "peer_mujoco: %s\n", message);
    }
    return m;
}

/* One timed run from the start; joint angles are relative, the checksum adds absolute ones. */
static double run(const mjModel *m, mjData *d, long steps, double *checksum)
{
    mj_resetData(m, d);
    d->qvel[0] = SC_U1;
    d->qvel[1] = SC_U2 - SC_U1;
    d->qvel[2] = SC_U3 - SC_U2;
    const double start = bench_now();
    for (long i = 0; i < steps; i++) {
        mj_step(m, d);
    }
    const double seconds = bench_now() - start;
    *checksum = 3.0 * d->qpos[0] + 2.0 * d->qpos[1] + d->qpos[2];
    return seconds;
}

int main(int argc, char **argv)
{
    const long steps = bench_argument(argc, argv, 1, 200000);
    const long repetitions = bench_argument(argc, argv, 2, 3);
    if (steps < 0 || repetitions < 0 || repetitions > 100) {
        fprintf(stderr, "usage: peer_mujoco [steps [repetitions <= 100]]\n");
        return 2;
    }
    mjModel *m = load();
    mjData *d = m ? mj_makeData(m) : NULL;
    if (!d) {
        return 1;
    }
    bench_result r = {.peer = "mujoco", .steps = steps};
    double seconds[100];
    for (long k = 0; k < repetitions; k++) {
        seconds[k] = run(m, d, steps, &r.checksum);
    }
    r.seconds = bench_median(seconds, (int)repetitions);
    bench_report(&r);
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
