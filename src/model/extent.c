#include "model/extent.h"

#include "model/model.h"
#include "model/state.h"

#include <math.h>
#include <string.h>

/* Stops are never judged by less than this part of a radian or of the machine. */
#define NARROW 1e-3

enum { ARMS = 3 }; /* of a body: to its joint, from there, and to what touches */

/* Length of a vector of the plane or of space. */
static double length_of(const sp_model *m, const double *x)
{
    return m->dim == 3 ? sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) : hypot(x[0], x[1]);
}

/* How far corners go from the origin. */
static double corners_size(int n, const sp_vec3 *corner)
{
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, sp_length3(corner[i]));
    }
    return size;
}

/* How far a shape goes from its own origin, or, with corners, from that of its body. */
static double shape_size(const sp_shape3 *s)
{
    const double hull = s->hull ? corners_size(s->hull->n_vertex, s->hull->vertex) : 0.0;
    const double mesh = s->mesh ? corners_size(s->mesh->n_vertex, s->mesh->vertex) : 0.0;
    return fmax(s->radius + s->half, fmax(hull, mesh));
}

/* How far the contour goes from the origin of its body. */
static double contour_size(const sp_model *m, int i)
{
    const sp_contour *c = &m->contour[i];
    const sp_contour_numbers *n = &m->numbers.contour[i];
    double size = 0.0;
    for (int v = c->vertex; v < c->vertex + c->n_vertex; v++) {
        const double *at = m->numbers.vertex[v];
        size = fmax(size, hypot(at[0], at[1]) + fabs(n->radius));
    }
    if (m->dim == 3) {
        size = fmax(size, length_of(m, n->mark.at) + fabs(n->radius));
        size = c->shape ? fmax(size, shape_size(c->shape)) : size;
        const sp_surface *s = c->form > 0 ? m->surface[c->form - 1] : NULL;
        return s && isfinite(s->reach) ? fmax(size, s->reach) : size;
    }
    return c->form > 0 ? fmax(size, m->curve[c->form - 1]->size) : size;
}

/* size[b] of each body: arms to its joint and centre, contours, points. */
static void own_sizes(const sp_model *m, double *size)
{
    for (int b = 0; b < m->n_body; b++) {
        const sp_body_numbers *n = &m->numbers.body[b];
        const double *from = m->dim == 3 ? m->numbers.space[b].from : n->from;
        const double *center = m->dim == 3 ? m->numbers.space[b].center : n->center;
        size[b] = fmax(length_of(m, n->mark.at), fmax(length_of(m, from), length_of(m, center)));
    }
    for (int i = 0; i < m->n_contour; i++) {
        const int b = m->contour[i].body;
        size[b] = fmax(size[b], contour_size(m, i));
    }
    for (int i = 0; i < m->n_point; i++) {
        const int b = m->point[i].body;
        size[b] = fmax(size[b], length_of(m, m->numbers.point[i]));
    }
}

/* Where bodies start. */
static void add_starts(const sp_model *m, double *size)
{
    for (int i = 0; i < m->n_start; i++) {
        const sp_start_value *v = &m->start[i];
        const bool place = v->kind == SP_START_X || v->kind == SP_START_Y || v->kind == SP_START_Z;
        const bool slide = v->kind == SP_START_Q && m->dof[v->index].slide != SP_NONE;
        const int body = place ? v->index : slide ? m->dof[v->index].body : SP_NONE;
        if (body != SP_NONE) {
            size[body] = fmax(size[body], fabs(v->value));
        }
    }
}

/* The longest on the way from the ground, for each body; returns the longest of all. */
static double along_the_tree(const sp_model *m, double *size)
{
    double longest = 0.0;
    for (int b = 1; b < m->n_body; b++) { /* parents come first */
        const int parent = m->body[b].parent;
        size[b] = parent > 0 ? fmax(size[b], size[parent]) : size[b];
        longest = fmax(longest, size[b]);
    }
    longest = fmax(longest, size[0]);
    return longest > 0.0 ? longest : 1.0;
}

/* The other stop of the same measure beside slot i, SP_NONE: none. */
static int opposite(const sp_model *m, int i)
{
    for (int j = i - 1; j <= i + 1; j += 2) {
        if (j >= 0 && j < m->n_slot && m->slot[j].kind == SP_SLOT_GAP &&
            m->slot[j].contact == m->slot[i].contact &&
            m->rule[m->slot[j].rule].sign == -m->rule[m->slot[i].rule].sign) {
            return j;
        }
    }
    return SP_NONE;
}

/* Of a slot by expressions: the range between two stops, else a whole radian or the machine. */
static double rule_size(const sp_model *m, int i, double length)
{
    const sp_rule *rule = &m->rule[m->slot[i].rule];
    const double whole = rule->angle ? 1.0 : length;
    const int other = m->slot[i].kind == SP_SLOT_GAP ? opposite(m, i) : SP_NONE;
    if (other == SP_NONE) {
        return whole;
    }
    const double range = rule->offset + m->rule[m->slot[other].rule].offset;
    return fmin(fmax(range, NARROW * whole), whole);
}

/* Of a slot: the ways to both parts, or its rule. */
static double slot_size(const sp_model *m, int i, const double *size, double length)
{
    const sp_slot *s = &m->slot[i];
    if (s->is.rule && !s->is.loop) {
        return rule_size(m, i, length);
    }
    if (s->is.turns) {
        return 1.0;
    }
    const double a = s->body_a >= 0 ? size[s->body_a] : 0.0;
    const double b = s->body_b >= 0 ? size[s->body_b] : 0.0;
    return s->is.pooled ? length : fmax(a, b) > 0.0 ? fmax(a, b) : length;
}

/* The degree of freedom that slot i stops, one of two stops; SP_NONE: none. */
static int stopped(const sp_model *m, int i)
{
    if (m->slot[i].kind != SP_SLOT_GAP || opposite(m, i) == SP_NONE) {
        return SP_NONE;
    }
    const sp_func *f = &m->rule[m->slot[i].rule].measure;
    return f->n_signal == 1 && f->signal[0].kind == SP_SIG_Q ? f->signal[0].dof : SP_NONE;
}

bool sp_model_measure(sp_model *m)
{
    double *size = SP_NEW(&m->arena, double, m->n_body);
    double *slot = SP_NEW(&m->arena, double, m->n_slot + m->n_bond);
    double *dof = SP_NEW(&m->arena, double, m->n_dof);
    if (!size || !slot || !dof) {
        return false;
    }
    own_sizes(m, size);
    add_starts(m, size);
    const double length = along_the_tree(m, size);
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof *d = &m->dof[k];
        const bool slides = d->slide != SP_NONE && d->body != SP_NONE;
        dof[k] = !slides ? 1.0 : size[d->body] > 0.0 ? size[d->body] : length;
    }
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        slot[i] = slot_size(m, i, size, length);
        const int k = stopped(m, i);
        if (k != SP_NONE) {
            dof[k] = fmin(dof[k], slot[i]);
        }
    }
    double gap = 0.0;
    for (int i = 0; i < m->n_slot; i++) {
        gap = fmax(gap, slot[i]);
    }
    m->extent = (sp_extent){length, gap > 0.0 ? gap : 1.0, slot, dof};
    return true;
}

double sp_model_longest(const sp_model *m, const sp_numbers *num)
{
    double longest = 0.0;
    for (int i = 1; i < m->n_body; i++) {
        const sp_body_numbers *b = &num->body[i];
        const bool space = m->dim == 3;
        const double *arm[3] = {b->mark.at, space ? num->space[i].from : b->from,
                                space ? num->space[i].center : b->center};
        for (int k = 0; k < 3 * m->dim; k++) {
            longest = fmax(longest, fabs(arm[k / m->dim][k % m->dim]));
        }
    }
    return longest;
}

double sp_model_arm(const sp_model *m)
{
    const double longest = sp_model_longest(m, &m->numbers);
    return longest > 0.0 ? longest : 1.0;
}

int sp_model_units(const sp_model *m, unsigned char *kind, bool *is_angle, const char **unit)
{
    int n = 0;
    for (int k = 0; k < m->n_dof; k++) {
        int i = 0;
        while (i < n && strcmp(unit[i], m->dof[k].unit) != 0) {
            i++;
        }
        if (i == n && n < SP_CONTROL_KINDS) {
            unit[n++] = m->dof[k].unit;
        }
        kind[k] = (unsigned char)(i < SP_CONTROL_KINDS ? i : SP_CONTROL_KINDS - 1);
    }
    for (int i = 0; i < n; i++) {
        is_angle[i] = strcmp(unit[i], "rad") == 0;
    }
    return n;
}

double sp_model_off(const sp_model *m, double most, const double *off)
{
    double arms = ARMS * m->n_body * m->extent.length, slides = 0.0, turns = 0.0;
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof *dof = &m->dof[k];
        if (dof->move == SP_MOVE_SLIDE) {
            arms += most;
            slides += off[dof->q];
        } else if (dof->move == SP_MOVE_TURN) {
            turns += off[dof->q];
        } else {
            return INFINITY;
        }
    }
    return slides + arms * turns;
}
