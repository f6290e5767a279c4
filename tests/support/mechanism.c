#include "support/mechanism.h"

enum { BODIES = 8, POINTS = 12 };

typedef enum shape_kind { BOX, ROD, DISC, LINK, SLIDE } shape_kind;

typedef struct part {
    shape_kind kind;
    double a, b; /* half width and height, radius, length */
    bool stands; /* on the floor at the start             */
} part;

typedef struct plan {
    rng *r;
    bool lasting, all_laws;
    int n, n_point;
    part part[BODIES];
    bool walls;
    double slope;
} plan;

/* A law with friction or without, with restitution or without. */
static void write_law(plan *p, text *out)
{
    const double mu = rng_int(p->r, 4) == 0 ? 0.0 : rng_in(p->r, 0.05, 0.9);
    const double eps = rng_int(p->r, 3) == 0 ? 0.0 : rng_in(p->r, 0.0, 0.85);
    text_add(out, "{mu: %.4f, eps_N: %.4f}", mu, eps);
}

/* Friction that falls with the speed of sliding, or rises, or is the same; half of them hold more
 * at rest than they begin to slide with. */
static void write_friction(plan *p, text *out)
{
    const double slow = rng_in(p->r, 0.05, 0.7), fast = rng_in(p->r, 0.02, 0.7);
    const int kind = rng_int(p->r, 4);
    if (kind == 0) {
        text_add(out, "mu: %.4f", slow);
    } else {
        text_add(out, "mu: %.4f + %.4f*exp(-v/%.4f)", fast, slow - fast, rng_in(p->r, 0.02, 0.5));
    }
    if (rng_flip(p->r)) {
        text_add(out, ", mu_0: %.4f", slow + 0.001 + rng_in(p->r, 0.0, 0.3));
    }
}

/* A law of every kind; one in five without friction. */
static void write_any_law(plan *p, text *out)
{
    const double eps = rng_in(p->r, 0.0, 0.85);
    text_add(out, "{");
    if (rng_int(p->r, 5) != 0) {
        write_friction(p, out);
        text_add(out, ", eps_T: %.4f, ", rng_flip(p->r) ? rng_in(p->r, 0.0, 0.9) : 0.0);
    }
    if (rng_int(p->r, 3) == 0) {
        text_add(out, "eps_N: %.4f/(1 + v_N/%.4f)}", eps, rng_in(p->r, 0.5, 3.0));
    } else {
        text_add(out, "eps_N: %.4f}", rng_int(p->r, 3) == 0 ? 0.0 : eps);
    }
}

/* What body i is: links hang on the body before. */
static shape_kind choose(plan *p)
{
    const int left = POINTS - p->n_point;
    for (;;) {
        const shape_kind kind = (shape_kind)rng_int(p->r, 5);
        const int points = kind == BOX ? 4 : kind == ROD ? 2 : 1;
        if (points * (p->walls ? 2 : 1) <= left || kind == LINK) {
            return kind;
        }
    }
}

/* A body that is free: place and velocity at the start. */
static void write_start(plan *p, int i, double height, text *out)
{
    const bool stands = p->part[i].stands = p->lasting && rng_int(p->r, 4) != 0;
    const double turn = stands || p->part[i].kind == DISC ? 0.0 : rng_in(p->r, -0.6, 0.6);
    const double room = p->part[i].kind == DISC ? 0.0 : p->part[i].a + p->part[i].b;
    const double y = stands ? height : height + room + rng_in(p->r, 0.02, 0.3);
    text_add(out, "  b%d.y: %.17g\n  b%d.phi: %.5f\n", i, y, i, turn);
    text_add(out, "  b%d.vx: %.5f\n", i, rng_flip(p->r) ? rng_in(p->r, -1.5, 1.5) : 0.0);
    if (!stands) {
        text_add(out, "  b%d.vy: %.5f\n  b%d.omega: %.5f\n", i, rng_in(p->r, -1.0, 0.5), i,
                 rng_in(p->r, -3.0, 3.0));
    }
}

/* One body and its contours; x is where it stands. */
static void write_body(plan *p, int i, double x, text *out)
{
    part *s = &p->part[i];
    s->a = 1e-4 * round(rng_in(p->r, 500.0, 3000.0)); /* as it is written */
    s->b = 1e-4 * round(rng_in(p->r, 500.0, 3000.0));
    const double mass = rng_in(p->r, 0.2, 3.0);
    text_add(out, "  b%d: {mass: %.4f, inertia: %.6f, ", i, mass, mass * s->a * s->a * 0.4);
    switch (s->kind) {
    case BOX:
        text_add(out,
                 "joint: {free: ground, at: [%.3f, 0]}, contours: {c: {polygon: [[%g, %g], [%g, "
                 "%g], [%g, %g], [%g, %g]]}}}\n",
                 x, -s->a, -s->b, s->a, -s->b, s->a, s->b, -s->a, s->b);
        p->n_point += 4;
        break;
    case ROD:
        text_add(out,
                 "joint: {free: ground, at: [%.3f, 0]}, contours: {c: {point: [%g, 0]}, d: {point: "
                 "[%g, 0]}}}\n",
                 x, s->a, -s->a);
        p->n_point += 2;
        break;
    case DISC:
        text_add(out, "joint: {free: ground, at: [%.3f, 0]}, contours: {c: {circle: %g}}}\n", x,
                 s->a);
        p->n_point += 1;
        break;
    case LINK:
        if (i > 0 && rng_flip(p->r)) {
            text_add(out, "center: [%g, 0], joint: {revolute: b%d, at: [%g, 0]%s}", 0.5 * s->b,
                     i - 1, 0.8 * p->part[i - 1].a, rng_flip(p->r) ? ", friction: 0.1" : "");
        } else {
            text_add(out, "center: [%g, 0], joint: {revolute: ground, at: [%.3f, %.3f]%s}",
                     0.5 * s->b, x, rng_in(p->r, 0.05, 0.4),
                     rng_flip(p->r) ? ", stiffness: 3, damping: 0.02" : "");
        }
        text_add(out, ", contours: {c: {point: [%g, 0]}}}\n", s->b);
        p->n_point += 1;
        break;
    default:
        text_add(out,
                 "joint: {prismatic: ground, at: [%.3f, 0], axis: [0.6, 0.8]%s}, contours: {c: "
                 "{point: [0, "
                 "0]}}}\n",
                 x, rng_flip(p->r) ? ", stiffness: 20" : "");
        p->n_point += 1;
        break;
    }
}

static void write_contacts(plan *p, text *out)
{
    text_add(out, "contacts:\n");
    for (int i = 0; i < p->n; i++) {
        for (int k = 0; k < 1 + (p->walls && p->part[i].kind != BOX); k++) {
            text_add(out,
                     p->part[i].kind == ROD ? "  k%d%d: {between: [[b%d.c, b%d.d]"
                                            : "  k%d%d: {between: [b%d.c",
                     i, k, i, i);
            text_add(out, ", ground.%s], law: ", k == 0 ? "floor" : "wall");
            (p->all_laws ? write_any_law : write_law)(p, out);
            text_add(out, "}\n");
        }
    }
    for (int i = 1; i < p->n; i++) { /* discs also meet each other */
        if (p->part[i].kind == DISC && p->part[i - 1].kind == DISC) {
            text_add(out, "  d%d: {between: [b%d.c, b%d.c], law: ", i, i, i - 1);
            (p->all_laws ? write_any_law : write_law)(p, out);
            text_add(out, "}\n");
        }
    }
}

/* Couplings of bodies with one coordinate: dry friction that comes and goes, one-way rows,
 * preloads, two that move together. */
static void write_couplings(plan *p, text *out)
{
    int last = -1, n = 0;
    for (int i = 0; i < p->n; i++) {
        const bool slide = p->part[i].kind == SLIDE;
        if (p->part[i].kind != SLIDE && p->part[i].kind != LINK) {
            continue;
        }
        const char *of = slide ? "joint.s" : "joint.phi";
        const int what = rng_int(p->r, 10);
        text_add(out, n == 0 && what < 4 ? "couplings:\n" : "");
        n += what < 4;
        if (what == 0) {
            text_add(out, "  q%d: {of: b%d.%s, friction: %.3f*(1 + sin(%.3f*t))}\n", i, i, of,
                     rng_in(p->r, 0.2, 3.0), rng_in(p->r, 3.0, 15.0));
        } else if (what == 1) {
            text_add(out, "  q%d: {of: b%d.%s, one_way: %s}\n", i, i, of,
                     rng_flip(p->r) ? "forward" : "backward");
        } else if (what == 2) {
            text_add(out, "  q%d: {of: b%d.%s - %.3f, threshold: %.3f}\n", i, i, of,
                     rng_in(p->r, 0.0, 0.1), rng_in(p->r, 0.2, 8.0));
        } else if (what == 3 && last >= 0) {
            text_add(out, "  q%d: {of: b%d.%s - b%d.%s, friction: %.3f}\n", i, i, of, last,
                     p->part[last].kind == SLIDE ? "joint.s" : "joint.phi", rng_in(p->r, 0.2, 2.0));
        } else if (what == 3) {
            text_add(out, "  q%d: {of: b%d.%s, friction: %.3f}\n", i, i, of,
                     rng_in(p->r, 0.2, 2.0));
        }
        last = p->part[i].kind == SLIDE ? last : i;
    }
}

/* Springs with dampers between neighbours. */
static void write_forces(plan *p, text *out)
{
    for (int i = 1, n = 0; i < p->n; i++) {
        if (rng_int(p->r, 5) == 0) {
            text_add(out,
                     "%s  f%d: {spring: [b%d, b%d], stiffness: %.3f, rest: 0.7, damping: %.3f}\n",
                     n++ == 0 ? "forces:\n" : "", i, i - 1, i, rng_in(p->r, 1.0, 30.0),
                     rng_in(p->r, 0.0, 0.5));
        }
    }
}

/* The machine as a model file; impact NULL: plain laws. */
static void write_machine(rng *r, bool lasting, const char *impact, text *out)
{
    plan p = {.r = r, .lasting = lasting, .all_laws = impact, .n = 2 + rng_int(r, BODIES - 1)};
    p.walls = rng_int(r, 3) == 0;
    p.slope = lasting && rng_flip(r) ? 0.0 : rng_in(r, -0.2, 0.2);
    out->n = 0;
    text_add(out, "specht: 1\nunits: off\nspace: planar\ngravity: [%.5f, %.5f]\n",
             9.81 * sin(p.slope), -9.81 * cos(p.slope));
    text_add(out, impact ? "impact: %s\nbodies:\n" : "bodies:\n", impact);
    text_add(out,
             "  ground: {contours: {floor: {line: [0, 1]}, wall: {line: [-1, 0], at: [%.3f, "
             "0]}}}\n",
             0.9 * p.n);
    double x = 0.0;
    int n = 0;
    for (; n < p.n && (p.n_point < POINTS || n < 1); n++) {
        p.part[n].kind = choose(&p);
        write_body(&p, n, x, out);
        x += 0.75;
    }
    p.n = n;
    write_contacts(&p, out);
    write_couplings(&p, out);
    write_forces(&p, out);
    text_add(out, "run: {until: 1, start: project}\nstart:\n");
    for (int i = 0; i < p.n; i++) {
        const part *s = &p.part[i];
        if (s->kind == SLIDE) {
            text_add(out, "  b%d.joint.s: %.4f\n  b%d.joint.v: %.4f\n", i, rng_in(r, 0.01, 0.3), i,
                     rng_in(r, -1.0, 1.0));
        } else if (s->kind == LINK) {
            text_add(out, "  b%d.joint.omega: %.4f\n", i, rng_in(r, -3.0, 3.0));
        } else {
            write_start(&p, i, s->kind == BOX ? s->b : s->kind == DISC ? s->a : 0.0, out);
        }
    }
}

void mechanism_write(rng *r, bool lasting, text *out)
{
    write_machine(r, lasting, NULL, out);
}

void mechanism_write_laws(rng *r, bool lasting, const char *impact, text *out)
{
    write_machine(r, lasting, impact, out);
}
