#include "contact/skin.h"

#include "kinematics/flex_face.h"
#include "kinematics/spot.h"

struct sp_skin {
    sp_bent bent;
    sp_curve curve;
    sp_curve_sample *sample;
    double *P; /* polynomials at the samples, SP_BENT_MOST each */
};

static const sp_curve *at_rest(const sp_model *m, int contour)
{
    return m->curve[m->contour[contour].form - 1];
}

static bool is_bent(const sp_model *m, int contour)
{
    const sp_contour *c = &m->contour[contour];
    return m->dim == 2 && c->kind == SP_CONTOUR_CURVE && m->body[c->body].n_own > 0 &&
           at_rest(m, contour)->kind == SP_CURVE_BENT;
}

/* A side, as it is at rest. */
static sp_skin *new_skin(sp_arena *arena, const sp_curve *rest)
{
    sp_skin *s = SP_NEW(arena, sp_skin, 1);
    sp_curve_sample *sample = SP_NEW(arena, sp_curve_sample, rest->n_sample);
    double *P = SP_NEW(arena, double, rest->n_sample *SP_BENT_MOST);
    if (!s || !sample || !P) {
        return NULL;
    }
    s->curve = *rest;
    s->sample = sample;
    s->P = P;
    s->curve.bent = &s->bent;
    s->curve.sample = s->curve.fine = sample;
    s->curve.n_fine = rest->n_sample;
    for (int k = 0; k < rest->n_sample; k++) {
        sample[k] = rest->sample[k];
        sp_bent_polynomials(rest->bent->length, sample[k].s, P + k * SP_BENT_MOST);
    }
    return s;
}

/* A face, likewise. */
struct sp_bent_face {
    sp_surface surface;
    sp_flex_now now;
};

static sp_bent_face *new_face(sp_arena *arena, const sp_model *m, int contour)
{
    const sp_contour *c = &m->contour[contour];
    sp_bent_face *f = SP_NEW(arena, sp_bent_face, 1);
    if (f) {
        f->surface = *m->surface[c->form - 1];
        f->surface.bent = sp_flex_face;
        f->surface.now = &f->now;
        f->now.body = c->body;
    }
    return f;
}

bool sp_skin_alloc(sp_arena *arena, const sp_model *m, sp_con *con)
{
    con->skin = NULL;
    con->face = NULL;
    con->skin_mark = NULL;
    for (int i = 0; i < m->n_contour; i++) {
        const bool face = m->contour[i].kind == SP_CONTOUR_FACE;
        if (!is_bent(m, i) && !face) {
            continue;
        }
        con->skin = con->skin || face ? con->skin : SP_NEW(arena, sp_skin *, m->n_contour);
        con->face = con->face || !face ? con->face : SP_NEW(arena, sp_bent_face *, m->n_contour);
        con->skin_mark = con->skin_mark ? con->skin_mark : SP_NEW(arena, sp_mark, 2 * m->n_slot);
        if (!(face ? con->face != NULL : con->skin != NULL) || !con->skin_mark) {
            return false;
        }
        if (face) {
            con->face[i] = new_face(arena, m, i);
        } else {
            con->skin[i] = new_skin(arena, at_rest(m, i));
        }
        if (face ? !con->face[i] : !con->skin[i]) {
            return false;
        }
    }
    return true;
}

const sp_surface *sp_skin_face(const sp_con *con, int contour)
{
    sp_bent_face *f = con->face[contour];
    f->now.kin = con->kin;
    return &f->surface;
}

const sp_mark *sp_skin_face_mark(const sp_model *m, const sp_con *con, int slot, double u, double v)
{
    const int contour = m->slot[slot].contour_b;
    sp_mark *mark = &con->skin_mark[2 * slot + 1];
    sp_vec3 rest[6];
    sp_face_at_rest(con->face[contour]->surface.face, u, v, rest);
    *mark = (sp_mark){
        .body = m->contour[contour].body, .at = {rest[0].x, rest[0].y, rest[0].z}, .wanders = true};
    return mark;
}

void sp_skin_place(const sp_model *m, sp_con *con)
{
    for (int i = 0; con->skin && i < m->n_contour; i++) {
        sp_skin *s = con->skin[i];
        if (!s) {
            continue;
        }
        sp_flex_axis(con->kin, m->contour[i].body, &s->bent);
        for (int k = 0; k < s->curve.n_sample; k++) {
            s->sample[k].r = sp_bent_place(&s->bent, s->P + k * SP_BENT_MOST, s->curve.height);
        }
    }
}

const sp_curve *sp_skin_curve(const sp_model *m, const sp_con *con, int contour)
{
    return sp_skin_is(con, contour) ? &con->skin[contour]->curve : at_rest(m, contour);
}

sp_pose2 sp_skin_pose(const sp_kin *kin, int body)
{
    const sp_spot origin = sp_spot_origin(kin, body);
    const sp_rot3 R = sp_spot_axes(kin, &origin);
    return (sp_pose2){sp_spot_flat(origin.x), {R.x.x, R.x.y}};
}

const sp_mark *sp_skin_mark(const sp_model *m, const sp_con *con, int slot, int k, sp_vec x)
{
    const sp_slot *s = &m->slot[slot];
    const int contour = k == 0 ? s->contour_a : s->contour_b, body = m->contour[contour].body;
    const sp_curve *c = &con->skin[contour]->curve;
    const sp_pose2 pose = sp_skin_pose(con->kin, body);
    const sp_vec own = sp_rotate_back(pose.R, sp_sub(x, pose.x));
    sp_mark *mark = &con->skin_mark[2 * slot + k];
    sp_curve_foot foot = {.s = c->lo};
    sp_curve_nearest(c, own, con->work, &foot);
    *mark = (sp_mark){.body = body, .at = {foot.s, c->height, 0.0}};
    return mark;
}

/* The line has the direction d = r' and its material the velocity v: d turns and becomes longer by
 * v'.   theory (98.3) */
sp_skin_rate sp_skin_rate_at(const sp_kin *kin, const sp_con *con, int contour, const sp_mark *mark)
{
    sp_skin *s = con->skin[contour];
    sp_vec r[3];
    sp_flex_axis(kin, mark->body, &s->bent);
    sp_bent_line(&s->bent, mark->at[0], mark->at[1], r);
    const sp_vec rate = sp_bent_strain_rate(&s->bent, mark->at[0], mark->at[1]);
    const double square = sp_inner(r[1], r[1]);
    return (sp_skin_rate){.spin =
                              sp_spot_frame_spin(kin, mark->body).z + sp_cross(r[1], rate) / square,
                          .stretch = sp_inner(r[1], rate) / square};
}
