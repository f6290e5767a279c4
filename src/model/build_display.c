/* model/build_display.c - shapes of bodies for pictures. */
#include "model/build_parts.h"

#include <ctype.h>
#include <string.h>

enum { SMOOTH = 8 }; /* parts of the curve between two corners */

/* ---- colours -------------------------------------------------------------------------------- */

static const struct {
    const char *name, *value;
} colors[] = {{"black", "#1c1c1c"},  {"blue", "#2f6db3"},  {"brown", "#7a4a26"},
              {"gray", "#8a9094"},   {"green", "#4f8a3c"}, {"orange", "#d9822b"},
              {"purple", "#7a4d96"}, {"red", "#c0301f"},   {"white", "#ffffff"},
              {"yellow", "#e3b81f"}, {"wood", "#c99a5b"},  {"steel", "#b4bcc2"}};

enum { N_COLOR = sizeof colors / sizeof *colors };

/* "#rrggbb" of a colour as written; NULL after an error. */
static const char *read_color(sp_build *b, const sp_scope *scope, const sp_node *node)
{
    const char *text = sp_build_text(node);
    bool hex = text && text[0] == '#' && strlen(text) == 7;
    for (int i = 1; hex && i < 7; i++) {
        hex = isxdigit((unsigned char)text[i]) != 0;
    }
    if (hex) {
        return sp_build_printf(b, "%s", text);
    }
    const char *name[N_COLOR];
    char hint[256];
    for (int i = 0; i < N_COLOR; i++) {
        if (text && strcmp(text, colors[i].name) == 0) {
            return colors[i].value;
        }
        name[i] = colors[i].name;
    }
    sp_build_suggest(b, text ? text : "", name, N_COLOR, hint, sizeof hint);
    sp_build_error(b, node->place, 0, "%s: display: color '%.40s', expected '#rrggbb' or a name%s",
                   scope->what, text ? text : "", hint);
    return NULL;
}

/* ---- areas ---------------------------------------------------------------------------------- */

/* Corners of a closed curve through n points, SMOOTH for each: cubic parts whose slope at a point
 * is half the way between its neighbours (Catmull and Rom). */
static void smooth(int n, const double (*p)[3], double (*out)[3])
{
    for (int i = 0; i < n * SMOOTH; i++) {
        const int k = i / SMOOTH;
        const double t = (double)(i % SMOOTH) / SMOOTH;
        const double *p0 = p[(k + n - 1) % n], *p1 = p[k], *p2 = p[(k + 1) % n],
                     *p3 = p[(k + 2) % n];
        for (int x = 0; x < 3; x++) {
            const double c1 = p2[x] - p0[x], c2 = 2.0 * p0[x] - 5.0 * p1[x] + 4.0 * p2[x] - p3[x],
                         c3 = 3.0 * (p1[x] - p2[x]) + p3[x] - p0[x];
            out[i][x] = p1[x] + 0.5 * t * (c1 + t * (c2 + t * c3));
        }
    }
}

/* The corners of an area, or the middle of a disc, on the body; false after an error. */
static bool read_area(sp_build *b, sp_scope *scope, const sp_node *node, sp_display *d)
{
    const sp_dim length = sp_dim_of(1, 0, 0);
    const sp_node *circle = sp_node_get(node, "circle"), *spline = sp_node_get(node, "spline");
    const sp_node *list = spline ? spline : sp_node_get(node, "polygon");
    const sp_node *at = sp_node_get(node, "at"), *turn = sp_node_get(node, "turn");
    const int n = list ? list->n_child : 1;
    double origin[3] = {0.0, 0.0, 0.0}, zero[3] = {0.0, 0.0, 0.0};
    double(*point)[3] =
        sp_build_alloc(b, b->arena, (size_t)n * (spline ? SMOOTH + 1 : 1), sizeof *point);
    sp_rot3 R = sp_rot3_one();
    if (!point || (at && !sp_build_vector(b, scope, at, "display: at", length, origin)) ||
        (turn && !sp_build_axes(b, scope, turn, "display: turn", &R)) ||
        (circle &&
         !sp_build_positive(b, scope, circle, "display: circle", length, false, &d->s.radius))) {
        return false;
    }
    const sp_node *item = list ? list->first : NULL;
    for (int i = 0; i < n; i++, item = item ? item->next : NULL) {
        double x[3] = {0.0, 0.0, 0.0};
        if (item && !sp_build_vector(b, scope, item, "display: corner", length, x)) {
            return false;
        }
        const sp_vec3 on = sp_add3(sp_vec3_of(origin), sp_rotate3(R, sp_vec3_of(item ? x : zero)));
        point[i][0] = on.x;
        point[i][1] = on.y;
        point[i][2] = 0.0;
    }
    d->point = (const double(*)[3])point;
    d->n_point = n;
    if (spline) {
        smooth(n, d->point, point + n);
        d->point = (const double(*)[3])(point + n);
        d->n_point = n * SMOOTH;
    }
    return true;
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* One shape. */
static void read_display(sp_build *b, sp_scope *scope, int body, const sp_node *node)
{
    sp_display d = {.body = body, .s = {.body = body}};
    const sp_node *color = node->kind == SP_NODE_MAP ? sp_node_get(node, "color") : NULL;
    if (node->kind != SP_NODE_MAP || sp_build_is_reported(b, node->place)) {
        return;
    }
    const bool good = b->dim == 3 ? sp_build_solid(b, scope, "display", node, &d.s)
                                  : read_area(b, scope, node, &d);
    d.color = color ? read_color(b, scope, color) : NULL;
    if (good && (d.color || !color) && SP_BUILD_ROOM(b, b->display, b->n_display)) {
        b->display[b->n_display++] = d;
    }
}

void sp_build_display(sp_build *b, sp_scope *scope, int body, const sp_node *node)
{
    const bool list = node && node->kind == SP_NODE_LIST;
    for (const sp_node *item = list ? node->first : NULL; item; item = item->next) {
        read_display(b, scope, body, item);
    }
}
