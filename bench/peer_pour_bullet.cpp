/* peer_pour_bullet.cpp - the spheres of pour.h, stepped by Bullet.
 *
 *     peer_pour_bullet SCENE STEPS MICROSECONDS ITERATIONS default|exact
 *
 * default: Bullet as it comes (sequential impulses with warm starts; one friction direction, along
 * what slides; part of the penetration is corrected through the velocities), but for bodies falling
 * asleep, damping and restitution, which the scene has not.
 * exact: two friction directions, and penetration is corrected apart from the velocities (split
 * impulses at every depth).
 *
 * Lengths are in decimetres, since Bullet is meant for bodies of 0.05 to 10 units.  Friction of a
 * pair is the product of both.  Contacts that are still open by d may approach by d in the step:
 * the law looks at gamma_N + d/dt there.  Normals, places and arms are those of the beginning of
 * the step, where Bullet formed its rows. */
#include "bench.h"
#include "pour.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static const double UNIT = 10.0; /* lengths per metre */

/* Where a body is and how it moves. */
struct motion {
    btVector3 at, v, omega;
};

/* Add a body of this shape, mass 0: fixed. */
static btRigidBody *add(btDiscreteDynamicsWorld &world, btCollisionShape *shape, double mass,
                        double mu, const btVector3 &at)
{
    btVector3 inertia(0, 0, 0);
    if (mass > 0.0) {
        shape->calculateLocalInertia(btScalar(mass), inertia);
    }
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape, inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(at);
    info.m_friction = btScalar(std::sqrt(mu));
    auto *body = new btRigidBody(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    body->setUserIndex(world.getNumCollisionObjects());
    world.addRigidBody(body);
    return body;
}

/* x times a factor. */
static btVector3 scaled(const double *x, double factor)
{
    return btVector3(btScalar(x[0] * factor), btScalar(x[1] * factor), btScalar(x[2] * factor));
}

/* All bodies as they are now. */
static void look(const btDiscreteDynamicsWorld &world, std::vector<motion> &all)
{
    all.resize(size_t(world.getNumCollisionObjects()));
    for (size_t i = 0; i < all.size(); i++) {
        const btRigidBody *b = btRigidBody::upcast(world.getCollisionObjectArray()[int(i)]);
        all[i] = {b->getCenterOfMassPosition(), b->getLinearVelocity(), b->getAngularVelocity()};
    }
}

/* Velocity at a place of a body that moves as m does and was where it was in `start`, m/s. */
static btVector3 velocity(const motion &m, const motion &start, const btVector3 &at)
{
    return (m.v + m.omega.cross(at - start.at)) / btScalar(UNIT);
}

/* A scene that is stepped. */
struct poured {
    pour_scene scene;
    double dt;
    bool exact;
    std::vector<motion> before, after;
    std::vector<pour_contact> contact;
    std::vector<pour_ball> end;
};

/* Percussion and velocity of one point; the largest velocity that it had before. */
static double note(poured &p, const btManifoldPoint &m, const btCollisionObject *a,
                   const btCollisionObject *b)
{
    const size_t ia = size_t(a->getUserIndex()), ib = size_t(b->getUserIndex());
    const btVector3 &at_a = m.getPositionWorldOnA(), &at_b = m.getPositionWorldOnB();
    const btVector3 v =
        velocity(p.after[ia], p.before[ia], at_a) - velocity(p.after[ib], p.before[ib], at_b);
    const btVector3 was =
        velocity(p.before[ia], p.before[ia], at_a) - velocity(p.before[ib], p.before[ib], at_b);
    const btVector3 &n = m.m_normalWorldOnB, &t = m.m_lateralFrictionDir1;
    const btVector3 direction[3] = {n, t, p.exact ? m.m_lateralFrictionDir2 : n.cross(t)};
    const double impulse[3] = {m.m_appliedImpulse, m.m_appliedImpulseLateral1,
                               p.exact ? m.m_appliedImpulseLateral2 : 0.0};
    const double distance = m.getDistance() / UNIT;
    double size = 0.0;
    if (distance > 0.0 && !(m.m_appliedImpulse > 0)) {
        return 0.0;
    }
    pour_contact c;
    c.moving = (a->isStaticObject() ? 0 : 1) + (b->isStaticObject() ? 0 : 1);
    for (int e = 0; e < 3; e++) {
        c.P[e] = impulse[e] / UNIT;
        c.xi[e] = v.dot(direction[e]);
        size = std::fmax(size, std::fabs(double(was.dot(direction[e]))));
    }
    c.xi[0] += distance > 0.0 ? distance / p.dt : 0.0;
    p.contact.push_back(c);
    return size;
}

/* Contacts, penetration and residual of the step that was just taken. */
static int measure(btDiscreteDynamicsWorld &world, poured &p, pour_result *r)
{
    double before = 0.0;
    p.contact.clear();
    look(world, p.after);
    btDispatcher *dispatcher = world.getDispatcher();
    for (int i = 0; i < dispatcher->getNumManifolds(); i++) {
        const btPersistentManifold *m = dispatcher->getManifoldByIndexInternal(i);
        for (int k = 0; k < m->getNumContacts(); k++) {
            const double size = note(p, m->getContactPoint(k), m->getBody0(), m->getBody1());
            before = std::fmax(before, size);
        }
    }
    p.end.resize(size_t(p.scene.n));
    for (size_t i = 0; i < p.end.size(); i++) {
        const motion &m = p.after[p.after.size() - p.end.size() + i];
        for (int e = 0; e < 3; e++) {
            p.end[i].x[e] = m.at[e] / UNIT;
            p.end[i].v[e] = m.v[e] / UNIT;
            p.end[i].omega[e] = m.omega[e];
        }
    }
    return pour_judge(&p.scene, p.dt, int(p.contact.size()), p.contact.data(), before, p.end.data(),
                      r);
}

/* Floor, four walls, then the spheres. */
static void fill(btDiscreteDynamicsWorld &world, const pour_scene &s)
{
    const double wall[5][4] = {
        {0, 0, 1, 0}, {1, 0, 0, -s.a}, {-1, 0, 0, -s.a}, {0, 1, 0, -s.a}, {0, -1, 0, -s.a}};
    for (const auto &w : wall) {
        add(world, new btStaticPlaneShape(scaled(w, 1.0), btScalar(w[3] * UNIT)), 0.0, s.mu,
            btVector3(0, 0, 0));
    }
    auto *shape = new btSphereShape(btScalar(s.r * UNIT));
    for (int i = 0; i < s.n; i++) {
        add(world, shape, s.mass, s.mu, scaled(s.ball[i].x, UNIT))
            ->setLinearVelocity(scaled(s.ball[i].v, UNIT));
    }
}

/* Step it and print the line. */
static int run(poured &p, long steps, long iterations)
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broad, &solver, &configuration);
    world.setGravity(btVector3(0, 0, btScalar(-p.scene.g * UNIT)));
    world.getSolverInfo().m_numIterations = int(iterations);
    if (p.exact) {
        world.getSolverInfo().m_splitImpulsePenetrationThreshold = btScalar(1e-6);
        world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    }
    fill(world, p.scene);
    pour_result r;
    pour_begin(&p.scene, &r);
    for (long i = 0; i < steps; i++) {
        look(world, p.before);
        const double start = bench_processor();
        world.stepSimulation(btScalar(p.dt), 0);
        r.seconds += bench_processor() - start;
        if (!measure(world, p, &r)) {
            return 1;
        }
    }
    pour_report(&r);
    return 0; /* bodies and shapes live as long as the program */
}

int main(int argc, char **argv)
{
    const long steps = bench_argument(argc, argv, 2, -1), us = bench_argument(argc, argv, 3, -1),
               iterations = bench_argument(argc, argv, 4, -1);
    poured p;
    if (argc != 6 || steps < 1 || us < 1 || iterations < 1) {
        std::fprintf(stderr,
                     "usage: peer_pour_bullet SCENE STEPS MICROSECONDS ITERATIONS default|exact\n");
        return 2;
    }
    if (!pour_read(argv[1], &p.scene)) {
        std::fprintf(stderr, "peer_pour_bullet: no scene in '%s'\n", argv[1]);
        return 1;
    }
    p.dt = 1e-6 * double(us);
    p.exact = std::strcmp(argv[5], "exact") == 0;
    const int status = run(p, steps, iterations);
    pour_free(&p.scene);
    return status;
}
