/* model/build_part.c - elastic bodies by the functions of a file.  theory section 93 */
#include "model/build_parts.h"
#include "model/part.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.141592653589793;

/* ---- how many functions -----------------------------------------------------------------------
 */

/* The part that `elastic: {file: ...}` names; NULL: none, which the reader of files has reported.
 */
static const sp_part *part_of(const sp_build *b, const sp_node *elastic)
{
    const sp_node *file = sp_node_get(elastic, "file");
    const sp_spec_mesh *found = file && file->kind == SP_NODE_TEXT && file->text
                                    ? sp_spec_find_mesh(b->spec, file->place.file, file->text)
                                    : NULL;
    return found ? found->part : NULL;
}

int sp_build_part_count(sp_build *b, const sp_scope *scope, const sp_node *elastic)
{
    int pick[SP_PART_MOST];
    const sp_part *part = part_of(b, elastic);
    const sp_node *file = sp_node_get(elastic, "file");
    if (!part) {
        sp_build_error(b, file->place, 0,
                       "%s: elastic: '%.200s' was not read: files belong to "
                       "models in files",
                       scope->what, file->text ? file->text : "");
        return 0;
    }
    return sp_part_pick(part, b->dim == 2, pick);
}

/* ---- numbers of the body ----------------------------------------------------------------------
 */

/* Mass, centre, and inertia about it. */
static void fill_mass(sp_build *b, int body, const sp_part *p)
{
    sp_body_numbers *n = &b->body_numbers[body];
    const double *S = p->mdCM, m = p->mass;
    const double c[3] = {S[0] / m, S[1] / m, S[2] / m};
    const double at_center[6] = {p->J0[0] - m * (c[1] * c[1] + c[2] * c[2]),
                                 p->J0[1] - m * (c[0] * c[0] + c[2] * c[2]),
                                 p->J0[2] - m * (c[0] * c[0] + c[1] * c[1]),
                                 p->J0[3] + m * c[0] * c[1],
                                 p->J0[4] + m * c[0] * c[2],
                                 p->J0[5] + m * c[1] * c[2]};
    n->mass = m;
    if (b->dim == 3) {
        memcpy(b->space[body].inertia, at_center, sizeof at_center);
        memcpy(b->space[body].center, c, sizeof c);
    } else {
        n->inertia = at_center[2];
        memcpy(n->center, c, sizeof n->center);
    }
}

/* Centre, without what round-off left of zeros. */
static double center(const sp_part *p, int d)
{
    const double c = p->mdCM[d] / p->mass;
    return fabs(c) > 1e-12 * p->size ? c : 0.0;
}

static void remark_part(sp_build *b, const sp_body *body, const sp_modal *form,
                        const sp_modal_plan *shape)
{
    const int n_all = shape->part->n;
    const double damping = shape->damping;
    enum { SHOWN = 6 };
    const sp_part *p = form->part;
    char list[SHOWN * 16 + 8] = "";
    size_t used = 0;
    for (int k = 0; k < p->n && k < SHOWN; k++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.5g", k > 0 ? ", " : "",
                                 form->omega[k] / (2.0 * pi));
    }
    sp_build_remark(
        b, sp_build_printf(
               b,
               "%s: %s, mass %.6g kg, centre at [%.6g, %.6g, %.6g] m, %s; %d of %d "
               "functions%s, e1 ... e%d; alone they swing with %s%s Hz; %s; damping "
               "%.4g%s",
               body->name, shape->what, p->mass, center(p, 0), center(p, 1), center(p, 2),
               shape->axes, p->n, n_all, p->n < n_all ? " (those that move in the plane)" : "",
               p->n, list, p->n > SHOWN ? ", ..." : "",
               p->stiffens ? "with geometric stiffness" : "NO geometric stiffness", damping,
               p->De           ? " beside that of the file"
               : damping > 0.0 ? ""
                               : " (waves never end; steel has 0.1 to 1 %)"));
}

/* The place of a joint that holds the body must not move in its frame. */
static void check_joint(sp_build *b, const sp_scope *scope, int plan, const sp_node *map,
                        const sp_modal *form)
{
    const int body = b->plan[plan].body, n = form->part->n;
    const double *from = b->dim == 3 ? b->space[body].from : b->body_numbers[body].from;
    const double at[3] = {from[0], from[1], b->dim == 3 ? from[2] : 0.0};
    double *row = SP_BUILD_NEW(b, &b->scratch, double, sp_modal_row_size(form)), most = 0.0;
    if (!row || b->plan[plan].kind == SP_JOINT_FREE) {
        return;
    }
    sp_modal_row(form, at, row);
    for (int k = 0; k < 6 * n; k++) {
        most = fmax(most, fabs(row[k]) * (k < 3 * n ? 1.0 : form->part->size));
    }
    if (!(most < 1e-6)) {
        char faces[200] = "";
        size_t used = 0;
        for (int f = 0; f < form->part->n_face && used < sizeof faces - 80; f++) {
            const sp_part_face *face = &form->part->face[f];
            used += (size_t)snprintf(
                faces + used, sizeof faces - used, "%s%.20s [%.4g, %.4g, %.4g]",
                f ? ", " : "; interfaces: ", face->name, face->at[0], face->at[1], face->at[2]);
        }
        sp_build_error(
            b, map->key_place, 0,
            "%s: elastic: the joint holds the part at [%g, %g, %g] m, where its functions "
            "are not zero; expected 'from' of the joint at the interface that was named "
            "first in 'specht reduce', or a free joint%s",
            scope->what, at[0], at[1], at[2], faces);
    }
}

void sp_build_modal(sp_build *b, const sp_scope *scope, int plan, const sp_node *map,
                    const sp_modal_plan *shape)
{
    sp_body *body = &b->body[b->plan[plan].body];
    int pick[SP_PART_MOST];
    const int n = shape->part ? sp_part_pick(shape->part, b->dim == 2, pick) : 0;
    const sp_part *part = n > 0 ? sp_part_of(b->arena, shape->part, n, pick) : NULL;
    sp_modal *form = part ? sp_modal_of(b->arena, &b->scratch, part, shape->damping) : NULL;
    b->no_memory = b->no_memory || (n > 0 && !form);
    if (!form) {
        return;
    }
    fill_mass(b, b->plan[plan].body, part);
    body->form = form;
    form->shape = shape->shape ? shape->shape : form->shape;
    form->slopes = shape->slopes;
    form->more = shape->more;
    remark_part(b, body, form, shape);
    check_joint(b, scope, plan, map, form);
}

/* Mass and form of the part of a file. */
void sp_build_part(sp_build *b, sp_scope *scope, int plan, const sp_node *body,
                   const sp_node *elastic)
{
    static const char *const alone[] = {"bending", "stretch", "torsion",
                                        "ends",    "frame",   "functions"};
    sp_modal_plan shape = {.part = part_of(b, elastic)};
    for (size_t k = 0; k < sizeof alone / sizeof *alone; k++) {
        const sp_node *other = sp_node_get(elastic, alone[k]);
        if (other) {
            sp_build_error(b, other->key_place, 0,
                           "%s: elastic: '%s' is a matter of beams; the file has its functions, "
                           "leave it out",
                           scope->what, alone[k]);
        }
    }
    if (sp_node_get(body, "beam")) {
        sp_build_error(b, sp_node_get(body, "beam")->key_place, 0,
                       "%s: 'beam' beside the 'file' of 'elastic'; leave one of them out",
                       scope->what);
        return;
    }
    sp_build_positive(b, scope, sp_node_get(elastic, "damping"), "elastic: damping",
                      sp_dim_of(0, 0, 0), true, &shape.damping);
    if (sp_build_alone(b, scope, body, "file") && shape.part && !b->plan[plan].broken) {
        shape.what = sp_build_printf(b, "part '%.100s'", sp_node_get(elastic, "file")->text);
        shape.axes = "axes and origin as in the file";
        sp_build_modal(b, scope, plan, elastic, &shape);
    }
}

const double *sp_build_modal_shape(sp_arena *arena, const sp_body *body, const double *at,
                                   bool *failed)
{
    const sp_modal *form = body->form;
    double *row = form ? SP_NEW(arena, double, sp_modal_row_size(form)) : NULL;
    if (row) {
        sp_modal_row(form, at, row);
    }
    *failed = *failed || (form && !row);
    return row;
}
