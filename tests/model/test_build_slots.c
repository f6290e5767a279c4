/* Contact points: which pairs give which, names, degrees of freedom, limits. */
#include "test_build.h"

#include <stdlib.h>
#include <time.h>

#define KINDS                                                                                      \
    "point: {point: [0, 0]}, line: {line: [0, 1]}, segment: {segment: [[0, 0], [1 m, 0]]}, "       \
    "circle: {circle: 1 m}, hollow: {circle: 5 m, inside: yes}, "                                  \
    "polygon: {polygon: [[0, 0], [1 m, 0], [0, 1 m]]}"

static const char *const kind[] = {"point", "line", "segment", "circle", "hollow", "polygon"};

/* Number of slots between two kinds; the kind of the first; which side of the file gives corners.
 */
static int n_slots(int a, int b, sp_slot_kind *slot_kind, char corners[8])
{
    char text[1200], messages[MESSAGES_MAX];
    snprintf(text, sizeof text,
             TOP "bodies:\n  a: {mass: 1 kg, inertia: 1, contours: {" KINDS "}}\n"
                 "  b: {mass: 1 kg, inertia: 1, contours: {" KINDS "}}\n"
                 "contacts: {c: {between: [a.%s, b.%s], law: {mu: 0}}}\n",
             kind[a], kind[b]);
    sp_model *m = compile(text, messages);
    corners[0] = '\0';
    if (!m) {
        assert_non_null(strstr(messages, "cannot touch"));
        return 0;
    }
    const int n = m->n_slot;
    *slot_kind = m->slot[0].kind;
    for (int k = 0; k < n; k++) {
        const sp_slot *s = &m->slot[k];
        corners[k] = s->body_a == 1 ? 'a' : 'b';
        corners[k + 1] = '\0';
        assert_int_equal(s->kind, *slot_kind);
        assert_int_equal(s->body_a + s->body_b, 3);
        assert_int_equal(m->contour[s->contour_a].body, s->body_a);
        assert_int_equal(m->contour[s->contour_b].body, s->body_b);
        assert_in_range(s->vertex_a, m->contour[s->contour_a].vertex,
                        m->contour[s->contour_a].vertex + m->contour[s->contour_a].n_vertex - 1);
    }
    sp_model_free(m);
    return n;
}

static void every_pair_of_kinds_gives_the_points_it_should(void **ctx)
{
    (void)ctx;
    enum { P, L, S, C, H, G };
    static const struct {
        int a, b;
        sp_slot_kind kind;
        const char *corners;
    } pair[] = {
        {P, L, SP_SLOT_LINE, "a"},         {S, L, SP_SLOT_LINE, "aa"},
        {C, L, SP_SLOT_LINE, "a"},         {G, L, SP_SLOT_LINE, "aaa"},
        {P, H, SP_SLOT_HOLLOW, "a"},       {S, H, SP_SLOT_HOLLOW, "aa"},
        {C, H, SP_SLOT_HOLLOW, "a"},       {G, H, SP_SLOT_HOLLOW, "aaa"},
        {P, C, SP_SLOT_DISC, "a"},         {C, C, SP_SLOT_DISC, "a"},
        {C, S, SP_SLOT_POLYGON, "a"},      {C, G, SP_SLOT_POLYGON, "a"},
        {P, S, SP_SLOT_POLYGON, "a"},      {P, G, SP_SLOT_POLYGON, "a"},
        {S, S, SP_SLOT_POLYGON, "aabb"},   {S, G, SP_SLOT_POLYGON, "aabbb"},
        {G, G, SP_SLOT_POLYGON, "aaabbb"}, {L, L, SP_SLOT_LINE, ""},
        {L, H, SP_SLOT_LINE, ""},          {P, P, SP_SLOT_DISC, ""},
        {H, H, SP_SLOT_HOLLOW, ""},
    };
    assert_int_equal(sizeof pair / sizeof *pair, 6 * 7 / 2);
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++) {
        for (int swapped = 0; swapped < 2; swapped++) {
            const int a = swapped ? pair[k].b : pair[k].a, b = swapped ? pair[k].a : pair[k].b;
            char corners[8], expected[8];
            sp_slot_kind is = SP_SLOT_LINE;
            snprintf(expected, sizeof expected, "%s", pair[k].corners);
            if (swapped && a != b && strcmp(expected, "aabbb") == 0) {
                memcpy(expected, "aaabb", 6); /* of A first, then of B */
            } else if (swapped && a != b && !strchr(expected, 'b')) {
                for (char *p = expected; *p; p++) {
                    *p = 'b';
                }
            }
            assert_int_equal(n_slots(a, b, &is, corners), (int)strlen(expected));
            assert_string_equal(corners, expected);
            if (*expected) {
                assert_int_equal(is, pair[k].kind);
            }
        }
    }
}

/* Names of all slots of a model, joined with blanks. */
static void expect_names(const char *text, const char *expected)
{
    char names[2000] = "";
    sp_model *m = model_of(text);
    for (int k = 0; k < m->n_slot; k++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", k ? " " : "", m->slot[k].name);
    }
    assert_string_equal(names, expected);
    sp_model_free(m);
}

#define PARTS                                                                                      \
    TOP "bodies:\n"                                                                                \
        "  ground: {contours: {floor: {line: [0, 1]}, wall: {line: [1, 0]}}}\n"                    \
        "  disc: {count: 3, mass: 1 kg, inertia: 1, contours: {rim: {circle: 1 m}}}\n"             \
        "  box: {count: 2, mass: 1 kg, inertia: 1, contours: {hull: {box: [1 m, 1 m]}}}\n"         \
        "  wedge: {mass: 1 kg, inertia: 1, contours: {w: {polygon: [[0, 0], [1 m, 0], [0, 1 m]], " \
        "names: [a, b, c]}, nose: {point: [2 m, 0]}}}\n"

static void names_leave_out_what_is_the_same(void **ctx)
{
    (void)ctx;
    expect_names(PARTS "contacts: {k: {between: [disc.2, ground.floor], law: {mu: 0}}}\n", "k");
    expect_names(PARTS "contacts: {k: {between: [disc, ground.floor], law: {mu: 0}}}\n",
                 "k.1 k.2 k.3");
    expect_names(PARTS "contacts: {k: {between: [disc, ground], law: {mu: 0}}}\n",
                 "k.1.floor k.1.wall k.2.floor k.2.wall k.3.floor k.3.wall");
    expect_names(PARTS "contacts: {k: {between: [ground.floor, wedge], law: {mu: 0}}}\n",
                 "k.w.a k.w.b k.w.c k.nose");
    expect_names(PARTS
                 "contacts: {k: {between: [[disc.1, wedge.nose], ground.floor], law: {mu: 0}}}\n",
                 "k.disc.1.rim k.wedge.nose");
}

static void every_pair_of_an_array_comes_once(void **ctx)
{
    (void)ctx;
    expect_names(PARTS "contacts: {k: {between: [disc, disc], law: {mu: 0}}}\n",
                 "k.1.2 k.1.3 k.2.3");
    expect_names(PARTS "contacts: {k: {between: [[disc.3, disc], [disc, disc.1]], law: {mu: 0}}}\n",
                 "k.3.1 k.3.2 k.1.2");
    expect_names(PARTS
                 "contacts: {k: {between: [disc.rim, [disc.2, ground.floor, disc.2.rim]], law: "
                 "{mu: 0}}}\n",
                 "k.1.disc.2.rim k.1.ground.floor k.2.ground.floor k.3.disc.2.rim "
                 "k.3.ground.floor");
}

static void names_stay_different_when_both_sides_have_corners(void **ctx)
{
    (void)ctx;
    expect_names(PARTS "contacts: {k: {between: [box, wedge.w], law: {mu: 0}}}\n",
                 "k.1.1 k.1.2 k.1.3 k.1.4 k.1.a k.1.b k.1.c "
                 "k.2.1 k.2.2 k.2.3 k.2.4 k.2.a k.2.b k.2.c");
    /* corner 1 of box 1 on box 2 and corner 1 of box 2 on box 1 */
    expect_names(PARTS "contacts: {k: {between: [box, box], law: {mu: 0}}}\n",
                 "k.hull.1.hull k.hull.2.hull k.hull.3.hull k.hull.4.hull "
                 "k.hull.hull.1 k.hull.hull.2 k.hull.hull.3 k.hull.hull.4");
}

static void senseless_pairs_in_lists_are_left_out(void **ctx)
{
    (void)ctx;
    expect_names(PARTS
                 "contacts: {k: {between: [[wedge.nose, ground], [ground, disc.1]], law: {mu: "
                 "0}}}\n",
                 "k.wedge.nose.ground.floor k.wedge.nose.ground.wall k.wedge.nose.disc.1.rim "
                 "k.ground.floor.disc.1.rim k.ground.wall.disc.1.rim");
}

static void slip_on_lines_is_counted_in_one_sense(void **ctx)
{
    (void)ctx;
    static const struct {
        const char *normal;
        double sign;
    } line[] = {{"[0, 1]", 1.0},  {"[0, -1]", -1.0}, {"[1, 0]", -1.0}, {"[-1, 0]", 1.0},
                {"[1, 1]", 1.0},  {"[1, -1]", -1.0}, {"90 deg", 1.0},  {"270 deg", -1.0},
                {"180 deg", 1.0}, {"0", -1.0}};
    for (size_t k = 0; k < sizeof line / sizeof *line; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 TOP "bodies:\n  ground: {contours: {l: {line: %s}}}\n"
                     "  a: {mass: 1 kg, inertia: 1, contours: {p: {point: [0, 0]}}}\n"
                     "contacts: {c: {between: [ground, a], law: {mu: 0}}}\n",
                 line[k].normal);
        sp_model *m = model_of(text);
        assert_true(m->slot[0].sign_t == line[k].sign);
        sp_model_free(m);
    }
}

static void too_many_points_are_refused_at_once(void **ctx)
{
    (void)ctx;
    expect_errors(TOP "bodies: {d: {count: 2000, mass: 1 kg, inertia: 1, contours: {r: {circle: 1 "
                      "m}}}}\n"
                      "contacts: {k: {between: [d, d], law: {mu: 0}}}\n",
                  "6:25: contact 'k': makes more than 1000000 contact points, the largest "
                  "possible number; name fewer pairs\n");
    expect_errors(TOP
                  "bodies: {d: {count: 100000, mass: 1 kg, inertia: 1, contours: {r: {circle: 1 "
                  "m}}}}\n"
                  "contacts: {k: {between: [d, d], law: {mu: 0}}}\n",
                  "6:25: contact 'k': makes more than 1000000 contact points, the largest "
                  "possible number; name fewer pairs\n");
}

/* Memory taken from the allocator, and the most at a time. */
typedef struct meter {
    size_t now, most;
} meter;

static void *take(void *ctx, size_t bytes)
{
    meter *m = ctx;
    size_t *block = malloc(bytes + 64);
    if (!block) {
        return NULL;
    }
    *block = bytes;
    m->now += bytes;
    m->most = m->now > m->most ? m->now : m->most;
    return (char *)block + 64;
}

static void give(void *ctx, void *block)
{
    meter *m = ctx;
    if (block) {
        void *whole = (char *)block - 64;
        m->now -= *(size_t *)whole;
        free(whole);
    }
}

/* Seconds of CPU time and bytes at most; sanitizers make both larger. */
static void compile_within(const char *text, double seconds, size_t bytes, int n_slot)
{
    meter use = {0, 0};
    const sp_allocator allocator = {take, give, &use};
    sp_spec *spec = spec_of(text);
    sp_model *m;
    sp_error err;
    const clock_t start = clock();
    assert_int_equal(sp_model_build(spec, &allocator, &m, &err), SP_OK);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < seconds);
    assert_true(use.most < bytes);
    assert_int_equal(m->n_slot, n_slot);
    sp_model_free(m);
    assert_int_equal(use.now, 0);
    sp_spec_free(spec);
}

static void ten_thousand_bodies_are_quick_and_small(void **ctx)
{
    (void)ctx;
    const double seconds = 10.0; /* under 0.5 s in a release build */
    const size_t bytes = (size_t)100 << 20;
    compile_within(TOP
                   "parameters: {r: 10 mm}\nbodies:\n"
                   "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                   "  ball: {count: 10000, mass: 1 g * (1 + i/n), inertia: 1e-8, contours: {skin: "
                   "{circle: r}}, joint: {free: ground, at: [2*r*(i mod 100), 2*r*i/n]}}\n"
                   "contacts: {rest: {between: [ball, ground], law: {mu: 0.3}}}\n",
                   seconds, bytes, 10000);
    compile_within(TOP
                   "bodies:\n"
                   "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                   "  link: {count: 10000, mass: 1 g, inertia: 1e-8, contours: {tip: {point: [1 m, "
                   "0]}}, joint: {revolute: link.(i-1), first: ground, at: [1 m, 0]}}\n"
                   "contacts: {rest: {between: [link, ground], law: {mu: 0.3}}}\n",
                   seconds, bytes, 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_of_kinds_gives_the_points_it_should),
        cmocka_unit_test(names_leave_out_what_is_the_same),
        cmocka_unit_test(every_pair_of_an_array_comes_once),
        cmocka_unit_test(names_stay_different_when_both_sides_have_corners),
        cmocka_unit_test(senseless_pairs_in_lists_are_left_out),
        cmocka_unit_test(slip_on_lines_is_counted_in_one_sense),
        cmocka_unit_test(too_many_points_are_refused_at_once),
        cmocka_unit_test(ten_thousand_bodies_are_quick_and_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
