/* kinematics/kin.c - frames of all bodies: loops over the tree, in the plane and in space. */
#include "kinematics/flex.h"

/* Coordinates or velocities that body i has itself. */
static void take_own(const sp_model *m, const double *from, bool by_q, int i, double *to)
{
    const sp_body *b = &m->body[i];
    for (int k = b->dof + b->n_dof; k < b->dof + b->n_dof + b->n_own; k++) {
        to[k] = from[by_q ? m->dof[k].q : k];
    }
}

void sp_kin_place_body(const sp_model *m, const sp_numbers *num, const double *q, int i,
                       sp_kin *kin)
{
    const sp_hung *h = kin->flex ? sp_flex_hang(num, i, kin) : NULL;
    const int on = m->body[i].parent;
    if (h) {
        take_own(m, q, true, i, kin->flex->q);
    }
    if (m->dim == 3) {
        sp_body3_place(m, num, q, i, h ? &h->space : &kin->frame3[on], kin);
        return;
    }
    sp_body_turn(m, num, q, i, false, false, h ? &h->plane : &kin->frame[on], kin);
    sp_body_place(m, num, q, i, false, h ? &h->plane : &kin->frame[on], kin);
}

void sp_kin_move_body(const sp_model *m, const double *u, int i, sp_kin *kin)
{
    const sp_hung *h = kin->flex ? sp_flex_carry(i, kin) : NULL;
    const int on = m->body[i].parent;
    if (h) {
        take_own(m, u, false, i, kin->flex->u);
    }
    if (m->dim == 3) {
        sp_body3_move(m, u, i, h ? &h->space : &kin->frame3[on], kin);
        return;
    }
    sp_body_move(m, u, i, false, h ? &h->plane : &kin->frame[on], kin);
}

/* Bias of one body. */
static void bend_body(const sp_model *m, const double *u, int i, sp_kin *kin)
{
    const sp_hung *h = kin->flex ? sp_flex_bend(i, kin) : NULL;
    const int on = m->body[i].parent;
    if (h) {
        take_own(m, u, false, i, kin->flex->u);
    }
    if (m->dim == 3) {
        sp_body3_bend(m, u, i, h ? &h->space : &kin->frame3[on], kin);
        return;
    }
    sp_body_bend(m, u, i, false, h ? &h->plane : &kin->frame[on], kin);
}

void sp_kin_positions(const sp_model *m, const sp_numbers *num, const double *q, sp_kin *kin)
{
    const bool any = kin->flex, space = !any && m->dim == 3, plane = !any && !space;
    if (m->dim == 3) {
        kin->frame3[SP_GROUND] = (sp_frame3){.R = sp_rot3_one()};
    } else {
        kin->frame[SP_GROUND] = (sp_frame){.R = {1.0, 0.0}};
    }
    for (int i = 1; i < m->n_body && any; i++) {
        sp_kin_place_body(m, num, q, i, kin);
    }
    for (int i = 1; i < m->n_body && space; i++) {
        sp_body3_place(m, num, q, i, &kin->frame3[m->body[i].parent], kin);
    }
    for (int i = 1; i < m->n_body && plane; i++) {
        const sp_frame *parent = &kin->frame[m->layout.body[i].parent];
        sp_body_turn(m, num, q, i, false, false, parent, kin);
        sp_body_place(m, num, q, i, false, parent, kin);
    }
}

void sp_kin_velocities(const sp_model *m, const double *u, sp_kin *kin)
{
    const bool any = kin->flex, space = !any && m->dim == 3, plane = !any && !space;
    for (int i = 1; i < m->n_body && any; i++) {
        sp_kin_move_body(m, u, i, kin);
    }
    for (int i = 1; i < m->n_body && space; i++) {
        sp_body3_move(m, u, i, &kin->frame3[m->body[i].parent], kin);
    }
    for (int i = 1; i < m->n_body && plane; i++) {
        sp_body_move(m, u, i, false, &kin->frame[m->layout.body[i].parent], kin);
    }
}

void sp_kin_bias(const sp_model *m, const double *u, sp_kin *kin)
{
    const bool any = kin->flex, space = !any && m->dim == 3, plane = !any && !space;
    for (int i = 1; i < m->n_body && any; i++) {
        bend_body(m, u, i, kin);
    }
    for (int i = 1; i < m->n_body && space; i++) {
        sp_body3_bend(m, u, i, &kin->frame3[m->body[i].parent], kin);
    }
    for (int i = 1; i < m->n_body && plane; i++) {
        sp_body_bend(m, u, i, false, &kin->frame[m->layout.body[i].parent], kin);
    }
}
