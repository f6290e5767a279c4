#include "kinematics/flex.h"

#include "kinematics/algebra_real.h"
#include "kinematics/flex.inc"
#include "kinematics/kind.h"

#include <string.h>

bool sp_flex_alloc(sp_arena *arena, const sp_model *m, sp_kin *kin)
{
    sp_flex *x = SP_NEW(arena, sp_flex, 1);
    unsigned char *deforms = SP_NEW(arena, unsigned char, m->n_body);
    if (!x || !deforms) {
        return false;
    }
    *x = (sp_flex){.m = m,
                   .q = SP_NEW(arena, double, m->n_dof),
                   .u = SP_NEW(arena, double, m->n_dof),
                   .q_stamp = SP_NEW(arena, uint64_t, m->n_body),
                   .u_stamp = SP_NEW(arena, uint64_t, m->n_body),
                   .memo = SP_NEW(arena, void *, m->n_body),
                   .looks = SP_NEW(arena, sp_flex_looks, m->n_body),
                   .hung = SP_NEW(arena, sp_hung, m->n_body)};
    bool ok = x->q && x->u && x->q_stamp && x->u_stamp && x->memo && x->looks && x->hung;
    for (int i = 0; ok && i < m->n_body; i++) {
        const size_t size = m->body[i].kind ? m->body[i].kind->memo : 0;
        x->memo[i] = size > 0 ? sp_arena_alloc(arena, 1, size) : NULL;
        ok = size == 0 || x->memo[i];
    }
    for (int i = 0; ok && i < m->n_body * SP_FLEX_LOOKS; i++) {
        const sp_body *b = &m->body[i / SP_FLEX_LOOKS];
        sp_deformed *d = &x->looks[i / SP_FLEX_LOOKS].look[i % SP_FLEX_LOOKS].place;
        if (b->n_own > 0) {
            d->phi = SP_NEW(arena, sp_vec3, b->n_own + 1);
            d->psi = SP_NEW(arena, sp_vec3, b->n_own + 1);
            ok = d->phi && d->psi;
        }
    }
    for (int i = 0; i < 2; i++) {
        x->rates[i] = SP_NEW(arena, double, m->layout.most_own + 1);
        ok = ok && x->rates[i];
    }
    for (int i = 0; i < m->n_body; i++) {
        deforms[i] = m->body[i].n_own > 0;
    }
    kin->flex = x;
    kin->deforms = deforms;
    return ok;
}

/* ---- one place ------------------------------------------------------------------------------- */

/* Whether a place was looked at and nothing moved since. */
static bool is_known(const sp_flex *x, const sp_flex_look *l, const sp_spot *s, double rate)
{
    const sp_vec3 at = s->at;
    return l->any && l->shape == s->shape && l->q_stamp == x->q_stamp[s->body] &&
           l->u_stamp == x->u_stamp[s->body] && l->at.x == at.x && l->at.y == at.y &&
           l->at.z == at.z && l->guest == s->guest && l->rate == rate;
}

/* A place of a body that deforms, in the axes of its frame; phi and psi are scratch of kin. */
static const sp_deformed *look(const sp_kin *kin, const sp_spot *s)
{
    sp_flex *x = kin->flex;
    const sp_body *b = &x->m->body[s->body];
    const int own = b->dof + b->n_dof;
    const double place[3] = {s->at.x, s->at.y, s->at.z};
    const double rate = s->guest != SP_GROUND ? x->u[x->m->body[s->guest].dof] : 0.0;
    sp_flex_looks *looks = &x->looks[s->body];
    for (int i = 1; i <= SP_FLEX_LOOKS; i++) { /* the last one first */
        const sp_flex_look *known = &looks->look[(unsigned)(looks->next - i) % SP_FLEX_LOOKS];
        if (is_known(x, known, s, rate)) {
            return &known->place;
        }
    }
    sp_flex_look *l = &looks->look[looks->next], *const keep = l;
    looks->next = (looks->next + 1) % SP_FLEX_LOOKS;
    *l = (sp_flex_look){.any = true,
                        .shape = s->shape,
                        .at = s->at,
                        .guest = s->guest,
                        .rate = rate,
                        .q_stamp = x->q_stamp[s->body],
                        .u_stamp = x->u_stamp[s->body],
                        .place = keep->place};
    if (s->guest != SP_GROUND) {
        b->kind->slide(b->form, x->memo[s->body], place, rate, x->q + own, x->u + own, &l->place);
    } else {
        b->kind->place(b->form, x->memo[s->body], place, s->shape, x->q + own, x->u + own,
                       &l->place);
    }
    return &l->place;
}

static sp_rot3 frame_axes(const sp_kin *kin, int body)
{
    return kin->frame3 ? kin->frame3[body].R : sp_spot_lift_axes(kin->frame[body].R);
}

/* A place of the material; guest: as in sp_spot. */
static sp_spot material_spot(const sp_kin *kin, int body, sp_vec3 local, const double *shape,
                             int guest)
{
    sp_spot s = {.body = body, .bends = true, .at = local, .shape = shape, .guest = guest};
    s.r = sp_rotate3(frame_axes(kin, body), look(kin, &s)->at);
    s.x = sp_add3(sp_spot_origin(kin, body).x, s.r);
    return s;
}

sp_spot sp_flex_spot(const sp_kin *kin, int body, sp_vec3 local, const double *shape)
{
    return material_spot(kin, body, local, shape, SP_GROUND);
}

/* A point of the frame as one of the material: where that is in the body at rest is taken to be
 * where it is now. */
sp_spot sp_flex_on(const sp_kin *kin, const sp_spot *on_frame)
{
    return (sp_spot){.body = on_frame->body,
                     .bends = true,
                     .x = on_frame->x,
                     .r = on_frame->r,
                     .at = sp_rotate_back3(frame_axes(kin, on_frame->body), on_frame->r)};
}

sp_spot sp_flex_arm(const sp_kin *kin, const sp_spot *s, sp_vec3 x)
{
    sp_spot arm = *s;
    arm.d = sp_add3(s->d, sp_sub3(x, s->x));
    arm.r = sp_sub3(x, sp_spot_frame_place(kin, s->body));
    arm.x = x;
    return arm;
}

sp_spot sp_flex_fixed(const sp_kin *kin, const sp_mark *mark, sp_vec3 x)
{
    const sp_spot s = sp_spot_of(kin, mark);
    return sp_flex_arm(kin, &s, x);
}

sp_pose3 sp_flex_pose(const sp_kin *kin, const sp_mark *mark)
{
    const sp_spot s = sp_spot_of(kin, mark);
    const sp_rot3 R = sp_spot_axes(kin, &s);
    return (sp_pose3){sp_sub3(s.x, sp_rotate3(R, sp_vec3_of(mark->at))), R};
}

double sp_flex_angle(const sp_kin *kin, int body, sp_rot3 R)
{
    const sp_frame *f = &kin->frame[body];
    return f->phi + atan2(f->R.c * R.x.y - f->R.s * R.x.x, f->R.c * R.x.x + f->R.s * R.x.y);
}

sp_rot3 sp_flex_axes(const sp_kin *kin, const sp_spot *s)
{
    return sp_rot3_mul(frame_axes(kin, s->body), look(kin, s)->R);
}

/* The axis of a body that has one; its own coordinates are those of the frames in kin. */
void sp_flex_axis(const sp_kin *kin, int body, sp_bent *out)
{
    const sp_body *b = &kin->flex->m->body[body];
    const int own = b->dof + b->n_dof;
    b->kind->axis(b->form, kin->flex->q + own, kin->flex->u + own, out);
}

/* Half of the growth of the distance squared from x to the line along it, less than zero where the
 * nearest place is farther on; its derivative. */
static double grows(const sp_bent *line, double height, sp_vec x, double s, double *slope)
{
    sp_vec r[3];
    sp_bent_line(line, s, height, r);
    const sp_vec d = sp_sub(r[0], x);
    *slope = sp_inner(r[1], r[1]) + sp_inner(d, r[2]);
    return sp_inner(d, r[1]);
}

enum { FOOT_SAMPLES = 32, FOOT_STEPS = 60 };

/* The nearest of samples, then Newton's method between its neighbours. */
static double nearest_on(const sp_bent *line, double height, sp_vec x)
{
    double best = INFINITY, s = 0.0;
    for (int k = 0; k <= FOOT_SAMPLES; k++) {
        sp_vec r[3];
        const double at = line->length * k / FOOT_SAMPLES;
        sp_bent_line(line, at, height, r);
        const sp_vec d = sp_sub(r[0], x);
        if (sp_inner(d, d) < best) {
            best = sp_inner(d, d);
            s = at;
        }
    }
    double low = fmax(0.0, s - line->length / FOOT_SAMPLES);
    double high = fmin(line->length, s + line->length / FOOT_SAMPLES);
    for (int k = 0; k < FOOT_STEPS; k++) {
        double slope;
        const double f = grows(line, height, x, s, &slope);
        if (f < 0.0) {
            low = s;
        } else {
            high = s;
        }
        const double next = s - f / slope, middle = 0.5 * (low + high), before = s;
        s = next >= low && next <= high ? next : middle;
        if (s == before) {
            break;
        }
    }
    return s;
}

void sp_flex_nearest(const sp_kin *kin, sp_vec3 x, sp_mark *mark, sp_flex_foot *foot)
{
    const sp_spot origin = sp_spot_origin(kin, mark->body);
    const sp_rot3 R = sp_spot_axes(kin, &origin);
    const sp_vec own = sp_spot_flat(sp_rotate_back3(R, sp_sub3(x, origin.x)));
    sp_bent line;
    sp_vec r[3];
    double slope;
    sp_flex_axis(kin, mark->body, &line);
    const double s = nearest_on(&line, mark->at[1], own);
    const double f = grows(&line, mark->at[1], own, s, &slope);
    sp_bent_line(&line, s, mark->at[1], r);
    const double size = sqrt(sp_inner(r[1], r[1]));
    mark->at[0] = s;
    *foot = (sp_flex_foot){.end = (s <= 0.0 && f > 0.0) || (s >= line.length && f < 0.0),
                           .t = sp_rotate3(R, (sp_vec3){r[1].x / size, r[1].y / size, 0.0}),
                           .n = sp_rotate3(R, (sp_vec3){-r[1].y / size, r[1].x / size, 0.0}),
                           .size = size,
                           .bend = sp_cross(r[1], r[2]) / (size * size * size),
                           .wander = size * size / slope};
}

double sp_flex_line_spin(const sp_kin *kin, const sp_mark *mark)
{
    sp_bent line;
    sp_vec r[3];
    sp_flex_axis(kin, mark->body, &line);
    sp_bent_line(&line, mark->at[0], mark->at[1], r);
    const sp_vec rate = sp_bent_strain_rate(&line, mark->at[0], mark->at[1]);
    return sp_spot_frame_spin(kin, mark->body).z + sp_cross(r[1], rate) / sp_inner(r[1], r[1]);
}

double sp_flex_part(const sp_kin *kin, const sp_mark *mark, bool section, int part)
{
    const sp_body *b = &kin->flex->m->body[mark->body];
    const sp_vec3 at = sp_vec3_of(mark->at);
    if (section) {
        double force[SP_SECTION];
        for (int k = 0; k < SP_SECTION; k++) {
            force[k] = NAN;
        }
        if (b->kind->section) {
            b->kind->section(b->form, mark->at, kin->flex->q + b->dof + b->n_dof, force);
        }
        return force[part];
    }
    const sp_spot s = {.body = mark->body, .at = at, .shape = mark->shape};
    const sp_deformed *d = look(kin, &s);
    const double all[] = {d->at.x - at.x,
                          d->at.y - at.y,
                          d->at.z - at.z,
                          atan2(d->R.x.y, d->R.x.x),
                          atan2(d->R.x.z, d->R.x.x),
                          atan2(d->R.y.z, d->R.y.y)};
    return all[part];
}

/* ---- motion ---------------------------------------------------------------------------------- */

static deformed inside(const sp_deformed *d)
{
    return (deformed){d->phi, d->psi, d->bias, d->spin_bias};
}

/* Velocities of the body of a spot itself, and behind them that of its guest. */
static const double *own_rates(const sp_kin *kin, const sp_spot *s, const double *u, double *to)
{
    const sp_body *body = kin->flex->m->body, *b = &body[s->body];
    if (!u || s->guest == SP_GROUND) {
        return u ? u + b->dof + b->n_dof : NULL;
    }
    memcpy(to, u + b->dof + b->n_dof, (size_t)b->n_own * sizeof *to);
    to[b->n_own] = u[body[s->guest].dof];
    return to;
}

static relative moved(const sp_kin *kin, const sp_spot *s, const double *du)
{
    const sp_flex *x = kin->flex;
    const deformed d = inside(look(kin, s));
    const int n = x->m->body[s->body].n_own + (s->guest != SP_GROUND);
    return against_frame(&d, frame_axes(kin, s->body), s->d, n,
                         own_rates(kin, s, x->u, x->rates[0]), own_rates(kin, s, du, x->rates[1]));
}

sp_vec3 sp_flex_velocity(const sp_kin *kin, const sp_spot *s, sp_vec3 v)
{
    return sp_add3(v, moved(kin, s, NULL).v);
}

sp_vec3 sp_flex_spin(const sp_kin *kin, const sp_spot *s, sp_vec3 omega)
{
    const sp_flex *x = kin->flex;
    const sp_vec3 *psi = look(kin, s)->psi;
    const double *u = own_rates(kin, s, x->u, x->rates[0]);
    const int n = x->m->body[s->body].n_own + (s->guest != SP_GROUND);
    sp_vec3 w = {0.0, 0.0, 0.0};
    for (int k = 0; k < n; k++) {
        w = sp_axpy3(w, u[k], psi[k]);
    }
    return sp_add3(omega, sp_rotate3(frame_axes(kin, s->body), w));
}

/* Frame, Coriolis, and what the place does against the frame.   theory (2.27) */
sp_vec3 sp_flex_bias(const sp_kin *kin, const sp_spot *s, sp_vec3 omega, sp_vec3 a,
                     const double *du)
{
    const relative r = moved(kin, s, du);
    return sp_add3(a, sp_add3(sp_scale3(2.0, sp_cross3(omega, r.v)), r.a));
}

sp_vec3 sp_flex_spin_bias(const sp_kin *kin, const sp_spot *s, sp_vec3 omega, sp_vec3 alpha)
{
    const relative r = moved(kin, s, NULL);
    return sp_add3(alpha, sp_add3(sp_cross3(omega, r.w), r.alpha));
}

/* ---- columns --------------------------------------------------------------------------------- */

void sp_flex_shape(const sp_kin *kin, const sp_spot *s, sp_vec3 *v, sp_vec3 *w)
{
    const deformed d = inside(look(kin, s));
    for (int k = 0; k < kin->flex->m->body[s->body].n_own; k++) {
        shape_of(&d, frame_axes(kin, s->body), s->d, k, &v[k], &w[k]);
    }
}

/* theory (97.2) */
sp_axis3 sp_flex_follow(const sp_kin *kin, int body)
{
    const sp_spot *s = &kin->flex->hung[body].at;
    const sp_deformed *place = look(kin, s);
    const int k = kin->flex->m->body[s->body].n_own;
    const sp_rot3 R = frame_axes(kin, s->body);
    return (sp_axis3){.w = sp_rotate3(R, place->psi[k]),
                      .s = sp_rotate3(R, place->phi[k]),
                      .p = sp_sub3(s->x, s->d)};
}

/* The velocities of the body of a spot itself, falling: the body's frame they do not move. */
static int own_columns(const sp_kin *kin, const sp_spot *s, int *sup, sp_vec3 *v, sp_vec3 *w)
{
    const sp_body *b = &kin->flex->m->body[s->body];
    const sp_vec3 none = {0.0, 0.0, 0.0};
    const int n = b->n_own;
    for (int k = 0; k < n; k++) {
        sup[k] = b->dof + b->n_dof + n - 1 - k;
        v[k] = w[k] = none;
    }
    if (n > 0 && s->bends) {
        const deformed d = inside(look(kin, s));
        const sp_rot3 R = frame_axes(kin, s->body);
        for (int k = 0; k < n; k++) {
            shape_of(&d, R, s->d, n - 1 - k, &v[k], &w[k]);
        }
    }
    return n;
}

/* Body by body: what deforms one moves the spot as it moves the mark that the way comes through.
 * theory (2.28) */
int sp_flex_columns(const sp_model *m, const sp_kin *kin, const sp_spot *s, int *sup, sp_vec3 *v,
                    sp_vec3 *w)
{
    sp_spot at = *s;
    int n = 0;
    while (at.body != SP_GROUND) {
        const sp_body *b = &m->body[at.body];
        n += own_columns(kin, &at, sup + n, v + n, w + n);
        for (int k = b->dof + b->n_dof - 1; k >= b->dof; k--, n++) {
            const sp_axis3 a = sp_spot_axis(m, kin, k);
            sup[n] = k;
            w[n] = a.w;
            v[n] = sp_add3(a.s, sp_cross3(a.w, sp_sub3(s->x, a.p)));
        }
        at = sp_spot_arm(kin, &kin->flex->hung[at.body].at, s->x);
    }
    return n;
}

/* ---- what bodies hang on --------------------------------------------------------------------- */

/* Coordinates or velocities that body i has itself, stamp counts their changes; of a joint that
 * follows an axis. */
static inline void take_own(const sp_model *m, const double *from, bool by_q, int i, double *to,
                            uint64_t *stamp)
{
    const sp_body *b = &m->body[i];
    bool same = true;
    if (b->n_own == 0 && !b->follows) {
        return;
    }
    for (int k = b->dof + b->n_dof; k < b->dof + b->n_dof + b->n_own; k++) {
        const double x = from[by_q ? m->dof[k].q : k];
        same = same && to[k] == x;
        to[k] = x;
    }
    stamp[i] += same ? 0 : 1;
    if (b->follows) {
        to[b->dof] = from[by_q ? m->dof[b->dof].q : b->dof];
    }
}

/* Where the joint of body i is on what it hangs on: its mark, which slides where it follows the
 * axis, and the place of the frame that goes along with it.   theory (2.29), (97.1) */
static sp_spot hanging_spot(const sp_kin *kin, const sp_mark *mark, int i, sp_pose3 *pose)
{
    const sp_body *b = &kin->flex->m->body[i];
    if (!b->follows) {
        *pose = sp_flex_pose(kin, mark);
        return sp_mark_spot(kin, mark, pose->x);
    }
    sp_vec3 at = sp_vec3_of(mark->at);
    at.x += kin->flex->q[b->dof];
    const sp_spot s = material_spot(kin, mark->body, at, NULL, i);
    pose->R = sp_spot_axes(kin, &s);
    pose->x = sp_sub3(s.x, sp_rotate3(pose->R, sp_vec3_of(mark->at)));
    return sp_flex_arm(kin, &s, pose->x);
}

const sp_hung *sp_flex_hang(const sp_numbers *num, const double *q, int i, sp_kin *kin)
{
    const int parent = kin->flex->m->body[i].parent;
    sp_pose3 pose;
    sp_hung *h = &kin->flex->hung[i];
    kin->flex->moves++;
    kin->flex->motions++;
    take_own(kin->flex->m, q, true, i, kin->flex->q, kin->flex->q_stamp);
    if (!kin->deforms[parent]) { /* the frame of a rigid body carries as it is */
        h->at = sp_spot_origin(kin, parent);
        h->plane = kin->frame ? &kin->frame[parent] : NULL;
        h->space = kin->frame3 ? &kin->frame3[parent] : NULL;
        return h;
    }
    h->at = hanging_spot(kin, &num->body[i].mark, i, &pose);
    h->own_space = (sp_frame3){.x = pose.x, .R = pose.R};
    if (kin->frame) {
        h->own_plane = (sp_frame){.x = sp_spot_flat(pose.x),
                                  .R = {pose.R.x.x, pose.R.x.y},
                                  .phi = sp_flex_angle(kin, parent, pose.R)};
    }
    h->plane = &h->own_plane;
    h->space = &h->own_space;
    return h;
}

const sp_hung *sp_flex_carry(const double *u, int i, sp_kin *kin)
{
    sp_hung *h = &kin->flex->hung[i];
    kin->flex->motions++;
    take_own(kin->flex->m, u, false, i, kin->flex->u, kin->flex->u_stamp);
    if (h->at.bends) {
        h->own_space.v = sp_spot_velocity(kin, &h->at);
        h->own_space.omega = sp_spot_spin(kin, &h->at);
        h->own_plane.v = sp_spot_flat(h->own_space.v);
        h->own_plane.omega = h->own_space.omega.z;
    }
    return h;
}

const sp_hung *sp_flex_bend(const double *u, int i, sp_kin *kin)
{
    sp_hung *h = &kin->flex->hung[i];
    kin->flex->motions++;
    take_own(kin->flex->m, u, false, i, kin->flex->u, kin->flex->u_stamp);
    h->alpha0 = sp_spot_spin_bias(kin, &h->at);
    if (h->at.bends) {
        h->own_space.omega = sp_spot_spin(kin, &h->at);
        h->own_space.a0 = sp_spot_bias(kin, &h->at);
        h->own_space.alpha0 = h->alpha0;
        h->own_plane.omega = h->own_space.omega.z;
        h->own_plane.a0 = sp_spot_flat(h->own_space.a0);
    }
    return h;
}

void sp_flex_turn(int i, sp_kin *kin)
{
    sp_frame *f = &kin->frame[i];
    kin->alpha[i] = kin->flex->hung[i].alpha0.z;
    f->a0 = sp_add(f->a0, sp_spin_cross(kin->alpha[i], sp_add(f->arm, f->own)));
}
