#include "support/scene.h"

#include "contact/edges.h"

#include <stdio.h>
#include <string.h>

static const char *const kind_name[] = {
    [SP_CONTOUR_POINT] = "point",   [SP_CONTOUR_LINE] = "line",   [SP_CONTOUR_SEGMENT] = "segment",
    [SP_CONTOUR_CIRCLE] = "circle", [SP_CONTOUR_HOLLOW] = "hole", [SP_CONTOUR_POLYGON] = "polygon"};

const char *scene_kind_name(sp_contour_kind kind)
{
    return kind_name[kind];
}

bool scene_pair(int k, sp_contour_kind *a, sp_contour_kind *b)
{
    static const sp_contour_kind pair[][2] = {
        {SP_CONTOUR_POINT, SP_CONTOUR_LINE},      {SP_CONTOUR_POINT, SP_CONTOUR_SEGMENT},
        {SP_CONTOUR_POINT, SP_CONTOUR_CIRCLE},    {SP_CONTOUR_POINT, SP_CONTOUR_HOLLOW},
        {SP_CONTOUR_POINT, SP_CONTOUR_POLYGON},   {SP_CONTOUR_SEGMENT, SP_CONTOUR_LINE},
        {SP_CONTOUR_SEGMENT, SP_CONTOUR_SEGMENT}, {SP_CONTOUR_SEGMENT, SP_CONTOUR_CIRCLE},
        {SP_CONTOUR_SEGMENT, SP_CONTOUR_HOLLOW},  {SP_CONTOUR_SEGMENT, SP_CONTOUR_POLYGON},
        {SP_CONTOUR_CIRCLE, SP_CONTOUR_LINE},     {SP_CONTOUR_CIRCLE, SP_CONTOUR_CIRCLE},
        {SP_CONTOUR_CIRCLE, SP_CONTOUR_HOLLOW},   {SP_CONTOUR_CIRCLE, SP_CONTOUR_POLYGON},
        {SP_CONTOUR_POLYGON, SP_CONTOUR_LINE},    {SP_CONTOUR_POLYGON, SP_CONTOUR_HOLLOW},
        {SP_CONTOUR_POLYGON, SP_CONTOUR_POLYGON}};
    const int n = (int)(sizeof pair / sizeof *pair);
    if (k >= 2 * n) {
        return false;
    }
    *a = pair[k % n][k / n]; /* then all of them the other way round */
    *b = pair[k % n][1 - k / n];
    return true;
}

/* ---- contours ------------------------------------------------------------------------------ */

/* From the contour's frame to the body's. */
static void to_body(const shape *s, const double in[2], double out[2])
{
    const double c = cos(s->turn), sn = sin(s->turn);
    out[0] = s->at[0] + c * in[0] - sn * in[1];
    out[1] = s->at[1] + sn * in[0] + c * in[1];
}

shape shape_random(rng *r, sp_contour_kind kind)
{
    const double pi = acos(-1.0);
    shape s = {.kind = kind, .n = 1, .turn = rng_in(r, -3.0, 3.0)};
    s.at[0] = rng_in(r, -0.3, 0.3);
    s.at[1] = rng_in(r, -0.3, 0.3);
    s.angle = rng_in(r, -3.0, 3.0);
    s.radius = kind == SP_CONTOUR_HOLLOW   ? rng_in(r, 1.0, 3.0)
               : kind == SP_CONTOUR_CIRCLE ? rng_in(r, 0.2, 0.6)
                                           : 0.0;
    if (kind == SP_CONTOUR_POINT) {
        s.raw[0][0] = rng_in(r, -0.5, 0.5);
        s.raw[0][1] = rng_in(r, -0.5, 0.5);
    }
    if (kind == SP_CONTOUR_SEGMENT || kind == SP_CONTOUR_POLYGON) { /* corners on an ellipse */
        const double half[2] = {rng_in(r, 0.4, 1.2), rng_in(r, 0.4, 1.2)};
        const double first = rng_in(r, -3.0, 3.0);
        s.n = kind == SP_CONTOUR_SEGMENT ? 2 : 3 + rng_int(r, SHAPE_CORNERS - 3);
        for (int i = 0; i < s.n; i++) {
            const double angle = first + 2.0 * pi * (i + rng_in(r, 0.0, 0.4)) / s.n;
            s.raw[i][0] = half[0] * cos(angle);
            s.raw[i][1] = half[1] * sin(angle);
        }
    }
    for (int i = 0; i < s.n; i++) {
        to_body(&s, s.raw[i], s.v[i]);
    }
    s.normal[0] = cos(s.turn + s.angle);
    s.normal[1] = sin(s.turn + s.angle);
    return s;
}

/* "name: {circle: 0.3, at: ..., turn: ...}" */
static void write_shape(const shape *s, const char *name, text *out)
{
    text_add(out, "%s: {", name);
    if (s->kind == SP_CONTOUR_POINT) {
        text_add(out, "point: [%.17g, %.17g]", s->raw[0][0], s->raw[0][1]);
    } else if (s->kind == SP_CONTOUR_LINE) {
        text_add(out, "line: [%.17g, %.17g]", 3.0 * cos(s->angle), 3.0 * sin(s->angle));
    } else if (s->kind == SP_CONTOUR_CIRCLE || s->kind == SP_CONTOUR_HOLLOW) {
        text_add(out, "circle: %.17g, inside: %s", s->radius,
                 s->kind == SP_CONTOUR_HOLLOW ? "yes" : "no");
    } else {
        text_add(out, "%s: [", kind_name[s->kind]);
        for (int i = 0; i < s->n; i++) {
            text_add(out, "%s[%.17g, %.17g]", i ? ", " : "", s->raw[i][0], s->raw[i][1]);
        }
        text_add(out, "]");
    }
    text_add(out, ", at: [%.17g, %.17g], turn: %.17g}", s->at[0], s->at[1], s->turn);
}

/* ---- scenes -------------------------------------------------------------------------------- */

/* The first body on the way from the ground to i with which i moves as one, -1: the ground. */
static int rigid_root(const tree *t, int i)
{
    while (i >= 0) {
        const tree_body *b = &t->body[i];
        const bool moves = b->joint == TREE_REVOLUTE || b->joint == TREE_PRISMATIC ||
                           b->joint == TREE_DRIVEN ||
                           (b->joint == TREE_FREE && (b->has[0] || b->has[1] || b->has[2]));
        if (moves) {
            return i;
        }
        i = b->parent;
    }
    return -1;
}

void scene_compile(scene *s, rng *r, sp_contour_kind a, sp_contour_kind b)
{
    static text out;
    out.n = 0;
    s->shape[0] = shape_random(r, a);
    s->shape[1] = shape_random(r, b);
    tree_write_head(&s->t, &out);
    text_add(&out, "bodies:\n");
    for (int i = -1; i < s->t.n; i++) {
        if (i < 0) {
            text_add(&out, "  ground: {text: fixed");
        } else {
            tree_write_body(&s->t, i, &out);
        }
        if (s->on[0] == i || s->on[1] == i) {
            text_add(&out, ", contours: {");
            write_shape(&s->shape[s->on[0] == i ? 0 : 1], s->on[0] == i ? "ca" : "cb", &out);
            text_add(&out, "}");
        }
        text_add(&out, "}\n");
    }
    const char *first = s->on[0] < 0 ? "ground" : s->t.body[s->on[0]].name;
    const char *second = s->on[1] < 0 ? "ground" : s->t.body[s->on[1]].name;
    text_add(&out, "contacts: {c: {between: [%s.ca, %s.cb], law: {mu: 0.3, eps_N: 0.5}}}\n", first,
             second);
    text_add(&out, "run: {until: 1, method: moreau, step: 0.1}\n");
    s->c = machine_of_text(out.s);
    tree_bind(&s->t, &s->c);
    random_motion(r, s->t.n_dof, s->q, s->u, s->a);
}

void scene_random(scene *s, rng *r, sp_contour_kind a, sp_contour_kind b)
{
    do {
        s->t = tree_random(r, 2 + rng_int(r, 4), 0.5);
        s->on[0] = rng_int(r, s->t.n + 1) - 1;
        s->on[1] = rng_int(r, s->t.n + 1) - 1;
    } while (rigid_root(&s->t, s->on[0]) == rigid_root(&s->t, s->on[1]));
    scene_compile(s, r, a, b);
}

void scene_free(scene *s)
{
    machine_free(&s->c);
}

void scene_poses(const scene *s, const double *q, const double *u, const double *a, pose *p)
{
    tree_poses(&s->t, q, u, a, p);
}

/* ---- the oracle ---------------------------------------------------------------------------- */

static double dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

/* The feature of a polygon or segment nearest to x (in the body's frame): edge i, or corner i. */
typedef struct feature {
    bool corner, behind;
    int i;
    double distance, doubt;
} feature;

/* Outward normal of edge i: its direction turned by -90 degrees (a polygon goes round
 * counter-clockwise), for a segment by +90. */
static void edge_normal(const shape *s, int i, double e[2], double n[2], double *length)
{
    const double *v = s->v[i], *w = s->v[(i + 1) % s->n];
    *length = hypot(w[0] - v[0], w[1] - v[1]);
    e[0] = (w[0] - v[0]) / *length;
    e[1] = (w[1] - v[1]) / *length;
    const double side = s->kind == SP_CONTOUR_POLYGON ? 1.0 : -1.0;
    n[0] = side * e[1];
    n[1] = -side * e[0];
}

static feature nearest(const shape *s, const double x[2])
{
    const int edges = s->kind == SP_CONTOUR_POLYGON ? s->n : 1;
    feature inside = {.distance = -INFINITY}, outside = {.distance = INFINITY};
    double second_inside = -INFINITY, second_outside = INFINITY, border = INFINITY;
    bool within = true;
    for (int i = 0; i < edges; i++) {
        double e[2], n[2], length;
        edge_normal(s, i, e, n, &length);
        const double d[2] = {x[0] - s->v[i][0], x[1] - s->v[i][1]};
        const double height = dot2(n, d), along = dot2(e, d);
        within = within && height <= 0.0;
        if (s->kind == SP_CONTOUR_SEGMENT) { /* the strip */
            within = within && along >= 0.0 && along <= length && height >= -SP_STRIP * length;
            border =
                fmin(fmin(fabs(along), fabs(along - length)), fabs(height + SP_STRIP * length));
        }
        second_inside = check_worse(second_inside, fmin(height, inside.distance));
        if (height > inside.distance) {
            second_inside = inside.distance;
            inside = (feature){.i = i, .distance = height};
        }
        const double foot = fmin(fmax(along, 0.0), length);
        const double far = hypot(along - foot, height);
        const bool corner = along <= 0.0 || along >= length;
        border = fmin(border, fmin(fabs(along), fabs(along - length)));
        const int which = along >= length ? (i + 1) % s->n : i;
        if (far < outside.distance) {
            second_outside =
                corner && outside.corner && which == outside.i ? second_outside : outside.distance;
            outside = (feature){.corner = corner, .i = which, .distance = far};
        } else if (!(corner && outside.corner && which == outside.i)) {
            second_outside = fmin(second_outside, far);
        }
        outside.behind = s->kind == SP_CONTOUR_SEGMENT && height < 0.0 && !corner;
    }
    feature f = within ? inside : outside;
    const double second = within ? f.distance - second_inside : second_outside - f.distance;
    f.doubt = fmin(second, border);
    return f;
}

/* Components of a world point in the body's frame, at t = 0. */
static void local(const pose *p, jet2 x, double out[2])
{
    const double d[2] = {x.x.c[0] - p->r.x.c[0], x.y.c[0] - p->r.y.c[0]};
    out[0] = p->c.c[0] * d[0] + p->s.c[0] * d[1];
    out[1] = -p->s.c[0] * d[0] + p->c.c[0] * d[1];
}

/* A direction fixed to the body. */
static jet2 direction(const pose *p, const double n[2])
{
    return jet2_sub(pose_point(p, n[0], n[1]), p->r);
}

/* sigma of theory (4.2): on lines t points to the right, or up, in the line's body. */
static double sense(const shape *b)
{
    const double t[2] = {b->normal[1], -b->normal[0]};
    return b->kind != SP_CONTOUR_LINE || t[0] > 0.0 || (t[0] == 0.0 && t[1] > 0.0) ? 1.0 : -1.0;
}

/* Against a line through v with normal n, or against a disc (hole: outward = -1) about v. */
static void against_line(touch *w, jet2 x, double r_a, const pose *b, const double v[2],
                         const double n[2])
{
    w->n = direction(b, n);
    w->g = jet_sub(jet2_dot(w->n, jet2_sub(x, pose_point(b, v[0], v[1]))), jet_of(r_a, 0.0, 0.0));
}

static void against_disc(touch *w, jet2 x, double r_a, const pose *b, const double v[2], double r_b,
                         double outward)
{
    const jet2 d = jet2_sub(x, pose_point(b, v[0], v[1]));
    const jet length = jet2_length(d), one = jet_of(1.0, 0.0, 0.0);
    w->round = true;
    w->n = jet2_mul(jet_scale(outward, jet_div(one, length)), d);
    w->g = jet_add(jet_scale(outward, length), jet_of(-r_a - outward * r_b, 0.0, 0.0));
}

touch scene_touch(const scene *s, const pose *p, int slot)
{
    const sp_slot *k = &s->c.m->slot[slot];
    const sp_contour *a = &s->c.m->contour[k->contour_a];
    const char *name = strrchr(a->name, '.');
    const int side = strcmp(name, ".ca") == 0 ? 0 : 1;
    const shape *sa = &s->shape[side], *sb = &s->shape[1 - side];
    const pose *pa = &p[s->on[side] < 0 ? s->t.n : s->on[side]];
    const pose *pb = &p[s->on[1 - side] < 0 ? s->t.n : s->on[1 - side]];
    const double *corner = sa->v[k->vertex_a - a->vertex];
    const jet2 x = pose_point(pa, corner[0], corner[1]);
    touch w = {.doubt = INFINITY};
    if (sb->kind == SP_CONTOUR_LINE) {
        against_line(&w, x, sa->radius, pb, sb->v[0], sb->normal);
    } else if (sb->kind == SP_CONTOUR_CIRCLE || sb->kind == SP_CONTOUR_HOLLOW) {
        const double outward = sb->kind == SP_CONTOUR_CIRCLE ? 1.0 : -1.0;
        against_disc(&w, x, sa->radius, pb, sb->v[0], sb->radius, outward);
    } else {
        double in_b[2], e[2], n[2], length;
        local(pb, x, in_b);
        const feature f = nearest(sb, in_b);
        w.doubt = f.doubt;
        w.behind = f.behind;
        if (f.corner) {
            against_disc(&w, x, sa->radius, pb, sb->v[f.i], 0.0, 1.0);
        } else {
            edge_normal(sb, f.i, e, n, &length);
            against_line(&w, x, sa->radius, pb, sb->v[f.i], n);
        }
    }
    const jet sigma = jet_of(sense(sb), 0.0, 0.0);
    w.t = jet2_mul(sigma, (jet2){w.n.y, jet_scale(-1.0, w.n.x)});
    w.point[0] = jet2_sub(x, jet2_mul(jet_of(sa->radius, 0.0, 0.0), w.n));
    w.point[1] = jet2_sub(w.point[0], jet2_mul(w.g, w.n));
    const jet2 v = jet2_sub(pose_velocity(pa, w.point[0]), pose_velocity(pb, w.point[1]));
    w.gamma[0] = jet2_dot(w.n, v);
    w.gamma[1] = jet2_dot(w.t, v);
    return w;
}

/* Gap of a slot at q. */
static double gap_at(const scene *s, const double *q, int slot)
{
    pose p[TREE_BODIES + 1];
    scene_poses(s, q, NULL, NULL, p);
    return scene_touch(s, p, slot).g.c[0];
}

bool scene_elsewhere(const scene *s, const touch *w, int slot)
{
    const sp_con *con = &s->c.w->con;
    if (con->barred[slot]) {
        assert_true(con->g[slot] > 0.0 && con->g[slot] <= SP_BESIDE);
        return true;
    }
    assert_true(con->g[slot] <= w->g.c[0] + 1e-10);
    return con->g[slot] < w->g.c[0] - 1e-10;
}

bool scene_close(scene *s, rng *r, int slot)
{
    double end[2][TREE_DOFS], u[TREE_DOFS];
    bool have[2] = {false, false};
    for (int k = 0; k < 200 && !(have[0] && have[1]); k++) {
        double q[TREE_DOFS];
        random_motion(r, s->t.n_dof, q, u, NULL);
        const int side = gap_at(s, q, slot) < 0.0;
        memcpy(end[side], q, sizeof q);
        have[side] = true;
    }
    if (!have[0] || !have[1]) {
        return false;
    }
    for (int k = 0; k < 80; k++) {
        for (int i = 0; i < s->t.n_dof; i++) {
            s->q[i] = 0.5 * (end[0][i] + end[1][i]);
        }
        memcpy(end[gap_at(s, s->q, slot) < 0.0], s->q, sizeof s->q);
    }
    return fabs(gap_at(s, s->q, slot)) < 1e-12; /* not where the side of a strip makes it jump */
}
