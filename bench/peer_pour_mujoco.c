/* peer_pour_mujoco.c - the spheres of pour.h, stepped by MuJoCo.
 *
 *     peer_pour_mujoco SCENE STEPS MICROSECONDS default|newton|cg
 *
 * default: MuJoCo as it comes, but for the solver's matrices, which are sparse: Newton's method,
 * pyramids instead of cones, springs at contacts with a time constant of 20 ms.
 * newton, cg: cones, springs as stiff as MuJoCo allows (a time constant of two steps, impedance
 * 0.9999, friction 100 times as stiff as normals), up to 200 iterations, tolerance 1e-10 (100 and
 * 1e-8).
 *
 * Contacts are springs that sink in and let go later: no setting makes them rigid.  Percussions are
 * MuJoCo's forces times the step, velocities those of its own rows at the end of the step. */
#include "bench.h"
#include "pour.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A scene that is stepped. */
typedef struct poured {
    pour_scene scene;
    double dt;
    mjModel *m;
    mjData *d;
    double *velocity;      /* njmax   */
    pour_contact *contact; /* nconmax */
    pour_ball *end;
} poured;

/* The scene in MuJoCo's language; NULL if there is no memory. */
static char *model_text(const pour_scene *s, double dt, size_t *length)
{
    const size_t size = 4000 + 160 * (size_t)s->n;
    char *text = malloc(size);
    if (!text) {
        return NULL;
    }
    size_t n = (size_t)snprintf(
        text, size,
        "<mujoco><size nconmax='%d' njmax='%d' nstack='%d'/>"
        "<option timestep='%.9g' gravity='0 0 -%.17g' jacobian='sparse'/>"
        "<default><geom condim='3' friction='%.17g 0 0' mass='%.17g'/></default><worldbody>"
        "<geom type='plane' size='1 1 1'/>"
        "<geom type='plane' size='1 1 1' pos='-%.17g 0 0' zaxis='1 0 0'/>"
        "<geom type='plane' size='1 1 1' pos='%.17g 0 0' zaxis='-1 0 0'/>"
        "<geom type='plane' size='1 1 1' pos='0 -%.17g 0' zaxis='0 1 0'/>"
        "<geom type='plane' size='1 1 1' pos='0 %.17g 0' zaxis='0 -1 0'/>",
        3 * s->n, 12 * s->n, 4000000 + 144 * s->n * s->n, dt, s->g, s->mu, s->mass, s->a, s->a,
        s->a, s->a);
    for (int i = 0; i < s->n; i++) {
        const double *x = s->ball[i].x;
        n += (size_t)snprintf(text + n, size - n,
                              "<body pos='%.17g %.17g %.17g'><freejoint/><geom type='sphere' "
                              "size='%.17g'/></body>",
                              x[0], x[1], x[2], s->r);
    }
    n += (size_t)snprintf(text + n, size - n, "</worldbody></mujoco>");
    *length = n;
    return text;
}

/* Load the model from memory; NULL with a message on failure. */
static mjModel *load(const pour_scene *s, double dt)
{
    char message[512] = "out of memory";
    size_t length = 0;
    char *text = model_text(s, dt, &length);
    mjModel *m = NULL;
    mjVFS *files = malloc(sizeof *files);
    if (files && text) {
        mj_defaultVFS(files);
        mj_makeEmptyFileVFS(files, "pour.xml", (int)length);
        memcpy(files->filedata[0], text, length);
        m = mj_loadXML("pour.xml", files, message, sizeof message);
        mj_deleteVFS(files);
    }
    free(files);
    free(text);
    if (!m) {
        fprintf(stderr, "peer_pour_mujoco: %s\n", message);
    }
    return m;
}

/* Make it as exact as it can be. */
static void stiffen(mjModel *m, int solver)
{
    m->opt.solver = solver;
    m->opt.cone = mjCONE_ELLIPTIC;
    m->opt.impratio = 100.0;
    m->opt.tolerance = 1e-10;
    m->opt.iterations = 200;
    for (int i = 0; i < m->ngeom; i++) {
        m->geom_solref[mjNREF * i] = 2.0 * m->opt.timestep;
        m->geom_solimp[mjNIMP * i] = m->geom_solimp[mjNIMP * i + 1] = 0.9999;
    }
}

/* Normal and tangential values of a contact from its rows v: those of a pyramid are the normal one
 * plus and minus mu times a tangential one. */
static void from_rows(const mjModel *m, const mjContact *c, const double *v, double value[3])
{
    if (m->opt.cone == mjCONE_ELLIPTIC) {
        memcpy(value, v, 3 * sizeof *v);
        return;
    }
    value[0] = 0.5 * (v[0] + v[1]);
    value[1] = 0.5 * (v[0] - v[1]) / c->friction[0];
    value[2] = 0.5 * (v[2] - v[3]) / c->friction[1];
}

/* Contacts, penetration and residual of the step just taken. */
static int measure(poured *p, pour_result *r)
{
    const mjModel *m = p->m;
    mjData *d = p->d;
    double before = 0.0;
    int n = 0;
    mj_mulJacVec(m, d, p->velocity, d->qvel);
    for (int i = 0; i < d->ncon; i++) {
        const mjContact *c = &d->contact[i];
        double force[6], was[3];
        if (c->efc_address < 0) {
            continue;
        }
        pour_contact *own = &p->contact[n++];
        own->moving = m->geom_bodyid[c->geom1] > 0 && m->geom_bodyid[c->geom2] > 0 ? 2 : 1;
        mj_contactForce(m, d, i, force);
        from_rows(m, c, p->velocity + c->efc_address, own->xi);
        from_rows(m, c, d->efc_vel + c->efc_address, was);
        for (int e = 0; e < 3; e++) {
            own->P[e] = force[e] * p->dt;
            before = fmax(before, fabs(was[e]));
        }
    }
    for (int i = 0; i < p->scene.n; i++) {
        memcpy(p->end[i].x, d->qpos + 7 * i, 3 * sizeof(double));
        memcpy(p->end[i].v, d->qvel + 6 * i, 3 * sizeof(double));
        memcpy(p->end[i].omega, d->qvel + 6 * i + 3, 3 * sizeof(double));
    }
    return pour_judge(&p->scene, p->dt, n, p->contact, before, p->end, r);
}

/* Read the scene and make everything; 0 with a message if that fails. */
static int prepare(char **argv, double dt, poured *p)
{
    p->dt = dt;
    if (!pour_read(argv[1], &p->scene)) {
        fprintf(stderr, "peer_pour_mujoco: no scene in '%s'\n", argv[1]);
        return 0;
    }
    p->m = load(&p->scene, dt);
    if (!p->m) {
        return 0;
    }
    if (strcmp(argv[4], "default") != 0) {
        stiffen(p->m, strcmp(argv[4], "cg") == 0 ? mjSOL_CG : mjSOL_NEWTON);
    }
    p->d = mj_makeData(p->m);
    p->velocity = malloc((size_t)p->m->njmax * sizeof *p->velocity);
    p->contact = malloc((size_t)p->m->nconmax * sizeof *p->contact);
    p->end = malloc((size_t)p->scene.n * sizeof *p->end);
    for (int i = 0; p->d && i < p->scene.n; i++) {
        memcpy(p->d->qvel + 6 * i, p->scene.ball[i].v, 3 * sizeof(double));
    }
    return p->d && p->velocity && p->contact && p->end;
}

int main(int argc, char **argv)
{
    const long steps = bench_argument(argc, argv, 2, -1), us = bench_argument(argc, argv, 3, -1);
    poured p = {.m = NULL};
    pour_result r;
    if (argc != 5 || steps < 1 || us < 1) {
        fprintf(stderr, "usage: peer_pour_mujoco SCENE STEPS MICROSECONDS default|newton|cg\n");
        return 2;
    }
    int ok = prepare(argv, 1e-6 * (double)us, &p);
    if (ok) {
        pour_begin(&p.scene, &r);
    }
    for (long k = 0; ok && k < steps; k++) {
        const double start = bench_processor();
        mj_step(p.m, p.d);
        r.seconds += bench_processor() - start;
        ok = measure(&p, &r);
    }
    if (ok) {
        pour_report(&r);
    }
    mj_deleteData(p.d);
    mj_deleteModel(p.m);
    free(p.velocity);
    free(p.contact);
    free(p.end);
    pour_free(&p.scene);
    return ok ? 0 : 1;
}
