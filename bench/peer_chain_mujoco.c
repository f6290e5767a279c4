/* peer_chain_mujoco.c - forward dynamics of a chain in space by MuJoCo.
 *
 *     peer_chain_mujoco links [repetitions]
 *
 * The chain of chain.h.  Timed are the stages that lead from (q, u) to u' and no others: frames,
 * composite bodies, factor of M, bias forces, solution; and, where it is faster, mj_forward with
 * contacts, constraints and sensors switched off.  Prints the time of one evaluation as "seconds"
 * and the sum of |u'| as "checksum". */
#include "bench.h"
#include "chain.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS_MAX = 2000, PER_FILE = 50, FILE_SIZE = 1000 + 300 * PER_FILE, REPETITIONS_MAX = 100 };

/* Add a text to the files that MuJoCo reads. */
static void put_file(mjVFS *files, const char *name, const char *text)
{
    const size_t length = strlen(text);
    mj_makeEmptyFileVFS(files, name, (int)length);
    memcpy(files->filedata[mj_findFileVFS(files, name)], text, length);
}

/* The file with the links from 'first' on, bodies inside bodies; the innermost includes the next
 * file, since its reader takes no deeper nesting. */
static void put_links(mjVFS *files, int first, int n)
{
    char text[FILE_SIZE], name[32];
    const int end = first + PER_FILE < n ? first + PER_FILE : n;
    size_t at = (size_t)snprintf(text, sizeof text, "<mujocoinclude>");
    for (int k = first; k < end; k++) {
        at += (size_t)snprintf(
            text + at, sizeof text - at,
            "<body pos='%g 0 0'><joint type='hinge' axis='%s'/><inertial mass='%g' pos='%g 0 "
            "0' diaginertia='%g %g %g'/>",
            CHAIN_LENGTH, k % 2 ? "0 0 1" : "0 1 0", CHAIN_MASS, 0.5 * CHAIN_LENGTH, CHAIN_JX,
            CHAIN_JY, CHAIN_JZ);
    }
    if (end < n) {
        at += (size_t)snprintf(text + at, sizeof text - at, "<include file='links_%d.xml'/>", end);
    }
    for (int k = first; k < end; k++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "</body>");
    }
    snprintf(text + at, sizeof text - at, "</mujocoinclude>");
    snprintf(name, sizeof name, "links_%d.xml", first);
    put_file(files, name, text);
}

/* Load the model from memory; NULL with a message on failure. */
static mjModel *load(int n)
{
    char message[512] = "out of memory", text[FILE_SIZE];
    mjModel *m = NULL;
    mjVFS *files = malloc(sizeof *files);
    if (files) {
        mj_defaultVFS(files);
        snprintf(text, sizeof text,
                 "<mujoco><compiler angle='radian'/><option gravity='0 0 %.17g'>"
                 "<flag constraint='disable' contact='disable' limit='disable' "
                 "equality='disable' frictionloss='disable' sensor='disable' "
                 "actuation='disable' passive='disable' warmstart='disable'/>"
                 "</option><worldbody><include file='links_0.xml'/></worldbody></mujoco>",
                 -CHAIN_GRAVITY);
        put_file(files, "chain.xml", text);
        for (int k = 0; k < n; k += PER_FILE) {
            put_links(files, k, n);
        }
        m = mj_loadXML("chain.xml", files, message, sizeof message);
        mj_deleteVFS(files);
        free(files);
    }
    if (!m) {
        fprintf(stderr, "peer_chain_mujoco: %s\n", message);
    }
    return m;
}

/* u' by the stages it takes. */
static void stages(const mjModel *m, mjData *d)
{
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_crb(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    for (int k = 0; k < m->nv; k++) {
        d->qacc[k] = -d->qfrc_bias[k];
    }
    mj_solveM(m, d, d->qacc, d->qacc, 1);
}

/* Seconds of one evaluation. */
static double run(const mjModel *m, mjData *d, void (*evaluate)(const mjModel *, mjData *))
{
    const int repeat = 1 + 20000 / m->nv;
    const double start = bench_now();
    for (int k = 0; k < repeat; k++) {
        evaluate(m, d);
    }
    return (bench_now() - start) / repeat;
}

int main(int argc, char **argv)
{
    const long links = bench_argument(argc, argv, 1, 30);
    const long repetitions = bench_argument(argc, argv, 2, 3);
    if (links < 0 || links > LINKS_MAX || repetitions < 0 || repetitions > REPETITIONS_MAX) {
        fprintf(stderr, "usage: peer_chain_mujoco links [repetitions]\n");
        return 2;
    }
    mjModel *m = load((int)links);
    mjData *d = m ? mj_makeData(m) : NULL;
    if (!d) {
        return 1;
    }
    for (int k = 0; k < (int)links; k++) {
        d->qpos[k] = chain_q(k);
        d->qvel[k] = chain_u(k);
    }
    bench_result r = {.peer = "mujoco", .steps = links};
    double by_stages[REPETITIONS_MAX], whole[REPETITIONS_MAX];
    for (long k = 0; k < repetitions; k++) {
        whole[k] = run(m, d, mj_forward);
        by_stages[k] = run(m, d, stages);
    }
    for (int k = 0; k < m->nv; k++) {
        r.checksum += fabs(d->qacc[k]);
    }
    r.seconds =
        fmin(bench_median(by_stages, (int)repetitions), bench_median(whole, (int)repetitions));
    bench_report(&r);
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
