#include "contact/surface_slot.h"

#include "contact/skin.h"
#include "contact/surface_pair.h"

/* Contacts farther apart than this part of the smaller surface are searched anew every time: what
 * was nearest need not stay so. */
#define FOLLOWED 0.1

static sp_surface_side side_of(const sp_model *m, const sp_numbers *num, const sp_con *con,
                               int contour)
{
    const sp_contour *c = &m->contour[contour];
    if (c->kind == SP_CONTOUR_FACE) {
        const sp_spot origin = sp_spot_origin(con->kin, c->body);
        return (sp_surface_side){sp_skin_face(con, contour), origin.x,
                                 sp_spot_axes(con->kin, &origin)};
    }
    const sp_pose3 p = sp_mark_pose(con->kin, &num->contour[contour].mark);
    return (sp_surface_side){c->form > 0 ? m->surface[c->form - 1] : NULL, p.x, p.R};
}

/* Nearest points of the two sides. */
static void meet(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                 const int pair[2], int hint, sp_surface_contact *out, int *next)
{
    const int a = pair[0], b = pair[1];
    const sp_surface_side side_a = side_of(m, num, con, a), side_b = side_of(m, num, con, b);
    *next = 0;
    if (sp_sides_is_peg(m->contour[a].kind, m->contour[b].kind)) {
        sp_surface_meet_peg(&side_a, &side_b, m->slot[slot].part, con->work, out);
        return;
    }
    if (!side_a.surface) {
        const sp_vec3 center = sp_spot_of(con->kin, &num->contour[a].mark).x;
        sp_surface_meet_ball(center, num->contour[a].radius, &side_b, con->work, out);
        return;
    }
    sp_surface_at at[2];
    const bool known = sp_surface_from_hint(&side_a, &side_b, hint, at);
    sp_surface_meet(&side_a, &side_b, known ? at : NULL, con->work, out);
    if (out->g < FOLLOWED * fmin(side_a.surface->reach, side_b.surface->reach)) {
        *next = sp_surface_hint(&side_a, &side_b, out);
    }
}

double sp_surface_slot_gap(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                           int hint, int *next)
{
    const sp_slot *s = &m->slot[slot];
    sp_surface_contact c;
    meet(m, num, con, slot, (const int[2]){s->contour_a, s->contour_b}, hint, &c, next);
    return c.g;
}

void sp_surface_slot_frame(const sp_model *m, const sp_numbers *num, const sp_con *con, int slot,
                           const int pair[2], sp_contact_frame3 *f)
{
    const int a = pair[0], b = pair[1];
    sp_surface_contact c;
    int next;
    meet(m, num, con, slot, pair, con->hint[slot], &c, &next);
    f->mark[0] = &num->contour[a].mark;
    f->mark[1] = m->contour[b].kind == SP_CONTOUR_FACE
                     ? sp_skin_face_mark(m, con, slot, c.at[1].u, c.at[1].v)
                     : &num->contour[b].mark;
    if (c.fit == SP_FIT_PAST || c.fit == SP_FIT_LOST) { /* no contact: any frame will do */
        const sp_surface_side side = side_of(m, num, con, b);
        c.n = side.R.z;
        c.point[0] = c.point[1] = side.x;
        c.ball = true;
        c.radius = 0.0;
        c.fit = SP_FIT_POINT;
    }
    sp_surface_frame(con->kin, &c, f);
}
