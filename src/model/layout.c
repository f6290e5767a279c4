/* model/layout.c - what every step reads, laid out in the order in which it is read. */
#include "model/model.h"

/* Joints and degrees of freedom, and which of them have springs. */
static void lay_tree(const sp_model *m, sp_body_layout *body, sp_dof_layout *dof,
                     unsigned char *turns, int *spring, sp_layout *layout)
{
    for (int i = 0; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        body[i] = (sp_body_layout){.parent = b->parent,
                                   .dof = b->dof,
                                   .n_slide = b->n_slide,
                                   .turn = b->turns ? b->dof + b->n_slide : SP_NONE,
                                   .track = b->track};
        layout->tracks = layout->tracks || b->track;
        layout->follows = layout->follows || b->follows;
    }
    for (int k = 0; k < m->n_dof; k++) {
        const sp_dof *d = &m->dof[k];
        dof[k] =
            (sp_dof_layout){.parent = d->parent, .depth = d->depth, .row = d->row, .body = d->body};
        turns[k] = d->slide == SP_NONE;
        layout->deep = layout->deep || (d->depth >= SP_DEEP && m->formula.n == 0);
        if (d->spring) {
            spring[layout->n_spring++] = k;
        }
    }
}

/* Bodies that are not rigid. */
static void lay_kinds(const sp_model *m, sp_layout *layout)
{
    for (int i = 0; i < m->n_body; i++) {
        const sp_body *b = &m->body[i];
        layout->mixed = layout->mixed || b->kind;
        layout->most_own = b->n_own > layout->most_own ? b->n_own : layout->most_own;
    }
}

/* Every body turns about its origin on the one before it. */
static bool is_chain(const sp_model *m)
{
    bool chain = m->dim != 3 && (m->formula.n == 0 || m->n_body == 1);
    for (int i = 1; i < m->n_body && chain; i++) {
        const sp_body *b = &m->body[i];
        const double *from = m->numbers.body[i].from;
        chain = !b->kind && b->parent == i - 1 && b->turns && b->n_slide == 0 && b->dof == i - 1 &&
                from[0] == 0.0 && from[1] == 0.0;
    }
    return chain;
}

/* Radii of the discs and holes at the vertices. */
static void lay_radii(const sp_model *m, double *radius)
{
    for (int i = 0; i < m->n_contour && m->dim != 3; i++) {
        const sp_contour *c = &m->contour[i];
        const bool round = c->kind == SP_CONTOUR_CIRCLE || c->kind == SP_CONTOUR_HOLLOW;
        radius[c->vertex] = round ? m->numbers.contour[i].radius : 0.0;
    }
}

/* Which vertices have to be placed in the world, and which of them move together. */
static void lay_vertices(const sp_model *m, unsigned char *used, sp_vertex_run *run,
                         sp_layout *layout)
{
    for (int i = 0; i < m->n_slot; i++) {
        if (m->slot[i].is.planar && !m->slot[i].is.on_line) {
            used[m->slot[i].contour_a] = used[m->slot[i].contour_b] = 1;
        }
    }
    for (int i = 0; i < m->n_contour; i++) {
        const sp_contour *c = &m->contour[i];
        sp_vertex_run *last = layout->n_vertex_run > 0 ? &run[layout->n_vertex_run - 1] : NULL;
        if (!used[i]) {
            continue;
        }
        const bool joins = last && m->contour[last->contour].body == c->body &&
                           m->body[c->body].n_own == 0 && last->vertex + last->n == c->vertex;
        if (joins) {
            last->n += c->n_vertex;
        } else {
            run[layout->n_vertex_run++] =
                (sp_vertex_run){.contour = i, .vertex = c->vertex, .n = c->n_vertex};
        }
    }
}

/* The slot goes on where the run ends. */
static bool continues(const sp_slot_run *run, int slot, const sp_slot *s)
{
    return run->kind == (int)s->kind && run->contour == s->contour_b &&
           run->contour_a == s->contour_a && run->slot + run->n == slot &&
           run->a + run->n == s->vertex_a;
}

/* Slots that can be measured one after the other, those on lines apart from all others. */
static void lay_slots(const sp_model *m, sp_slot_run *line_run, sp_slot_run *other_run,
                      sp_layout *layout)
{
    for (int i = 0; i < m->n_slot; i++) {
        const sp_slot *s = &m->slot[i];
        if (!s->is.planar) {
            continue;
        }
        const bool line = s->kind == SP_SLOT_LINE;
        sp_slot_run *run = line ? line_run : other_run;
        int *n = line ? &layout->n_line_run : &layout->n_other_run;
        if (*n > 0 && continues(&run[*n - 1], i, s)) {
            run[*n - 1].n++;
            continue;
        }
        run[(*n)++] = (sp_slot_run){.kind = (int)s->kind,
                                    .slot = i,
                                    .n = 1,
                                    .grounded = s->body_b == SP_GROUND,
                                    .a = s->vertex_a,
                                    .contour_a = s->contour_a,
                                    .contour = s->contour_b,
                                    .b = m->contour[s->contour_b].vertex};
    }
}

/* Slots of two contours in space. */
static void lay_space(const sp_model *m, int *slot, sp_layout *layout)
{
    for (int i = 0; i < m->n_slot; i++) {
        if (m->slot[i].is.space && !m->slot[i].is.pooled) {
            slot[layout->n_space_slot++] = i;
        }
    }
}

/* Whether a curve has several slots. */
static bool has_seams(const sp_model *m)
{
    bool any = false;
    for (int i = 0; i < m->n_slot; i++) {
        any = any || (m->slot[i].places && !m->slot[i].is.edged);
    }
    return any;
}

/* Whether any law of contacts depends on velocities. */
static bool has_speeds(const sp_model *m)
{
    bool any = false;
    for (int i = 0; i < m->n_law && m->law; i++) {
        any = any || m->law[i].by_speed || m->law[i].by_approach;
    }
    return any;
}

/* Most rows of a contact: normal and tangents, in space drilling and rolling, if laws have them. */
static int most_rows(const sp_model *m)
{
    int most = m->dim;
    for (int i = 0; i < m->n_slot; i++) {
        most = m->slot[i].is.two_slips ? 3 : most;
    }
    for (int i = 0; i < m->n_law && m->law && m->dim == 3; i++) {
        const int rows =
            3 + (m->law[i].drills ? 1 : 0) + (m->numbers.law[i].spot.rolling > 0.0 ? 2 : 0);
        most = rows > most ? rows : most;
    }
    return most;
}

/* Slots by expressions, and those of them with friction by reactions. */
static void lay_rules(const sp_model *m, int *slot, int *grip, sp_layout *layout)
{
    layout->grip = grip;
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        const sp_slot_traits is = m->slot[i].is;
        if (is.rule) {
            slot[layout->n_rule_slot++] = i;
            if (is.dry && m->rule[m->slot[i].rule].grip.body > 0) {
                grip[layout->n_grip++] = i;
            }
            layout->n_always += is.gapless;
            layout->n_threshold += is.stores;
        }
    }
}

/* Most bodies, points and coordinates that a force element acts on without being conservative. */
static int n_action_of(const sp_model *m, const sp_force *f)
{
    const int weights = 2 * m->n_body + m->n_dof;
    return f->kind == SP_FORCE_GRAVITY ? weights : 4 + SP_LINE_BOOKED * f->measure.n_signal;
}

/* Lines of the ledger, those that are booked first. */
static void lay_lines(sp_model *m, sp_line *line)
{
    int n = 0;
    for (int i = 0; i < m->n_force; i++) {
        line[n++] = (sp_line){m->force[i].name, SP_LINE_FORCE, i};
        m->n_action += n_action_of(m, &m->force[i]);
    }
    for (int i = 0; i < m->layout.n_spring; i++) {
        const int k = m->layout.spring[i];
        line[n++] = (sp_line){m->dof[k].name, SP_LINE_JOINT, k};
    }
    for (int i = 0; i < m->n_body; i++) {
        if (m->body[i].kind) {
            line[n++] = (sp_line){m->body[i].name, SP_LINE_BODY, i};
            m->n_action += 1 + m->body[i].n_own;
        }
    }
    if (m->formula.n > 0) {
        line[n++] = (sp_line){"formula", SP_LINE_FORMULA, 0};
    }
    m->n_action += m->layout.n_spring + 2 * SP_LINE_BOOKED * m->formula.n;
    m->n_book = SP_LINE_BOOKED * n;
    for (int i = 0; i < m->n_slot; i++) {
        if (m->slot[i].is.stores) {
            line[n++] = (sp_line){m->slot[i].name, SP_LINE_THRESHOLD, i};
        }
    }
    const double *g = m->numbers.gravity;
    if (m->n_body > 1 && (g[0] != 0.0 || g[1] != 0.0 || g[2] != 0.0)) {
        line[n++] = (sp_line){"gravity", SP_LINE_GRAVITY, 0};
    }
    m->n_line = n;
    m->line = line;
}

/* Room for the lines, which are laid then. */
static bool make_lines(sp_model *m)
{
    const int most = m->n_force + m->layout.n_spring + m->n_body + m->layout.n_threshold + 2;
    sp_line *line = sp_arena_alloc(&m->arena, (size_t)most, sizeof *line);
    if (line) {
        lay_lines(m, line);
    }
    return line != NULL;
}

sp_status sp_model_layout(sp_model *m, sp_error *err)
{
    sp_body_layout *body = SP_NEW(&m->arena, sp_body_layout, m->n_body);
    sp_dof_layout *dof = SP_NEW(&m->arena, sp_dof_layout, m->n_dof);
    unsigned char *turns = SP_NEW(&m->arena, unsigned char, m->n_dof);
    int *spring = SP_NEW(&m->arena, int, m->n_dof);
    unsigned char *used = SP_NEW(&m->arena, unsigned char, m->n_contour);
    sp_vertex_run *vertex_run = SP_NEW(&m->arena, sp_vertex_run, m->n_contour);
    sp_slot_run *line_run = SP_NEW(&m->arena, sp_slot_run, m->n_slot);
    sp_slot_run *other_run = SP_NEW(&m->arena, sp_slot_run, m->n_slot);
    int *rule_slot = SP_NEW(&m->arena, int, m->n_slot + m->n_bond);
    int *grip = SP_NEW(&m->arena, int, m->n_slot);
    int *space_slot = SP_NEW(&m->arena, int, m->n_slot);
    double *radius = SP_NEW(&m->arena, double, m->n_vertex);
    if (!body || !dof || !turns || !spring || !used || !vertex_run || !line_run || !other_run ||
        !rule_slot || !grip || !space_slot || !radius) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for the model");
    }
    m->layout = (sp_layout){.chain = is_chain(m),
                            .n_hinge = is_chain(m) ? m->n_body - 1 : 0,
                            .body = body,
                            .dof = dof,
                            .dof_turns = turns,
                            .spring = spring,
                            .vertex_run = vertex_run,
                            .line_run = line_run,
                            .other_run = other_run,
                            .rule_slot = rule_slot,
                            .space_slot = space_slot};
    m->numbers.radius = radius;
    lay_tree(m, body, dof, turns, spring, &m->layout);
    lay_kinds(m, &m->layout);
    lay_radii(m, radius);
    lay_vertices(m, used, vertex_run, &m->layout);
    lay_slots(m, line_run, other_run, &m->layout);
    lay_space(m, space_slot, &m->layout);
    lay_rules(m, rule_slot, grip, &m->layout);
    m->layout.speeds = has_speeds(m);
    m->layout.contact_rows = most_rows(m);
    m->layout.extras = m->n_q != m->n_dof || m->formula.n > 0 || m->n_motion > 0 ||
                       m->layout.n_rule_slot > 0 || m->n_aux > 0 || m->layout.mixed;
    m->layout.elements = m->n_force + m->layout.n_spring + m->n_state > 0;
    m->layout.more_gaps = m->layout.n_other_run > 0 || m->layout.n_rule_slot > 0 ||
                          m->layout.n_space_slot > 0 || m->n_pool > 0;
    m->layout.seams = has_seams(m);
    m->layout.remembers = m->layout.n_other_run > 0 || m->n_pool > 0 || m->n_surface > 0;
    return make_lines(m) && sp_model_measure(m)
               ? SP_OK
               : SP_FAIL(err, SP_E_MEMORY, "no memory for the model");
}
