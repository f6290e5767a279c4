/* The spec: a tree filled by path, looked up by key, overridden by name. */
#include "model/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fresh(void **ctx)
{
    *ctx = sp_spec_new(NULL);
    return *ctx ? 0 : -1;
}

static int done(void **ctx)
{
    sp_spec_free(*ctx);
    return 0;
}

/* Set and want success. */
static void set(sp_spec *spec, const char *path, const char *text)
{
    sp_error err = {.status = SP_OK};
    const sp_status status = sp_spec_set(spec, path, text, &err);
    if (status != SP_OK) {
        print_message("%s\n", err.text);
    }
    assert_int_equal(status, SP_OK);
}

/* Apply an override and want success. */
static void override(sp_spec *spec, const char *assignment)
{
    sp_error err = {.status = SP_OK};
    const sp_status status = sp_spec_override(spec, assignment, &err);
    if (status != SP_OK) {
        print_message("%s\n", err.text);
    }
    assert_int_equal(status, SP_OK);
}

/* Apply an override and want this message. */
static void refuse(sp_spec *spec, const char *assignment, const char *message)
{
    sp_error err = {.status = SP_OK};
    const int n = spec->n_override;
    assert_int_equal(sp_spec_override(spec, assignment, &err), SP_E_INPUT);
    assert_int_equal(err.status, SP_E_INPUT);
    assert_string_equal(err.text, message);
    assert_int_equal(spec->n_override, n);
}

/* The slider-crank, as far as paths are concerned. */
static void fill_machine(sp_spec *spec)
{
    set(spec, "specht", "1");
    set(spec, "parameters.l1", "153 mm");
    set(spec, "parameters.omega_0", "150 rad/s");
    set(spec, "parameters.n_plate.value", "5");
    set(spec, "parameters.n_plate.max", "8");
    set(spec, "bodies.crank.mass", "38 g");
    set(spec, "bodies.rod.mass", "38 g");
    set(spec, "bodies.rod.center.1", "l2/2");
    set(spec, "bodies.rod.center.2", "0");
}

static void a_path_makes_the_maps_above_its_leaf(void **ctx)
{
    sp_spec *spec = *ctx;
    set(spec, "bodies.crank.mass", "38 g");
    set(spec, "bodies.crank.joint.revolute", "ground");
    set(spec, "bodies.rod.mass", "76 g");
    const sp_node *bodies = sp_node_get(spec->root, "bodies");
    assert_non_null(bodies);
    assert_int_equal(bodies->kind, SP_NODE_MAP);
    assert_int_equal(bodies->n_child, 2);
    assert_string_equal(bodies->first->key, "crank");
    assert_string_equal(bodies->last->key, "rod");
    assert_ptr_equal(bodies->first->next, bodies->last);
    assert_ptr_equal(bodies->last->parent, bodies);
    assert_string_equal(sp_spec_get(spec, "bodies.crank.joint.revolute"), "ground");
    assert_null(sp_spec_get(spec, "bodies.crank"));
    assert_null(sp_spec_get(spec, "bodies.crank.joint.prismatic"));
    assert_null(sp_spec_get(spec, "bodies.crank.mass.x"));
    assert_null(sp_spec_get(spec, "bodies.crank.mass."));
    assert_null(sp_spec_get(spec, ""));
}

static void a_leaf_is_replaced_and_a_map_is_not(void **ctx)
{
    sp_spec *spec = *ctx;
    sp_error err;
    set(spec, "run.step", "1 ms");
    set(spec, "run.step", "2 ms");
    assert_string_equal(sp_spec_get(spec, "run.step"), "2 ms");
    assert_int_equal(sp_node_get(spec->root, "run")->n_child, 1);
    assert_int_equal(sp_spec_set(spec, "run", "fast", &err), SP_E_INPUT);
    assert_string_equal(err.text, "'run' is a map, set its leaves one by one");
    assert_int_equal(sp_spec_set(spec, "run.step.size", "3", &err), SP_E_INPUT);
    assert_string_equal(err.text, "path 'run.step.size': 'step' is the value '2 ms', not a map");
}

static void numbers_in_a_path_count_list_items_from_1(void **ctx)
{
    sp_spec *spec = *ctx;
    sp_error err;
    set(spec, "polygon.1.1", "-a");
    set(spec, "polygon.1.2", "-b");
    set(spec, "polygon.2.1", "a");
    const sp_node *polygon = sp_node_get(spec->root, "polygon");
    assert_int_equal(polygon->kind, SP_NODE_LIST);
    assert_int_equal(polygon->n_child, 2);
    assert_string_equal(sp_spec_get(spec, "polygon.1.2"), "-b");
    set(spec, "polygon.1.2", "-2*b");
    assert_string_equal(sp_spec_get(spec, "polygon.1.2"), "-2*b");
    assert_null(sp_node_path(spec->root, "polygon.3"));
    assert_null(sp_node_path(spec->root, "polygon.0"));
    assert_null(sp_node_path(spec->root, "polygon.99999999999999999999"));
    assert_int_equal(sp_spec_set(spec, "polygon.4.1", "x", &err), SP_E_INPUT);
    assert_string_equal(err.text,
                        "path 'polygon.4.1': '4' is no item of a list of 2, expected 1 to 3");
    assert_int_equal(sp_spec_set(spec, "other.2", "x", &err), SP_E_INPUT);
    assert_null(sp_node_get(spec->root, "other"));
}

static void a_list_is_set_as_a_whole(void **ctx)
{
    sp_spec *spec = *ctx;
    const char *at[] = {"l1", "0"}, *more[] = {"x", "y", "z"};
    assert_int_equal(sp_spec_set_list(spec, "joint.at", 2, at, NULL), SP_OK);
    assert_int_equal(sp_spec_set_list(spec, "joint.at", 3, more, NULL), SP_OK);
    const sp_node *list = sp_node_path(spec->root, "joint.at");
    assert_int_equal(list->kind, SP_NODE_LIST);
    assert_int_equal(list->n_child, 3);
    assert_string_equal(list->last->text, "z");
    assert_ptr_equal(list->first->parent, list);
    assert_int_equal(sp_spec_set_list(spec, "joint.at", 0, NULL, NULL), SP_OK);
    assert_int_equal(list->n_child, 0);
    assert_null(list->first);
    set(spec, "joint.at", "0");
    assert_int_equal(list->kind, SP_NODE_TEXT);
    assert_int_equal(sp_spec_set_list(spec, "joint", 2, at, NULL), SP_E_INPUT);
}

static void below_start_the_rest_of_a_path_is_one_key(void **ctx)
{
    sp_spec *spec = *ctx;
    set(spec, "start.crank.omega", "150 rad/s");
    set(spec, "start.rod.1.x", "0");
    const sp_node *start = sp_node_get(spec->root, "start");
    assert_int_equal(start->n_child, 2);
    assert_string_equal(start->first->key, "crank.omega");
    assert_string_equal(start->last->key, "rod.1.x");
    set(spec, "start.crank.omega", "151 rad/s");
    assert_int_equal(start->n_child, 2);
    assert_string_equal(sp_spec_get(spec, "start.crank.omega"), "151 rad/s");
    /* elsewhere, quotes; and the longest key that is there wins */
    set(spec, "study.scatter.\"part.vx\"", "10 mm/s");
    assert_string_equal(sp_spec_get(spec, "study.scatter.part.vx"), "10 mm/s");
    set(spec, "study.scatter.part.vx", "11 mm/s");
    assert_int_equal(sp_node_path(spec->root, "study.scatter")->n_child, 1);
    assert_string_equal(sp_spec_get(spec, "study.\"scatter\".\"part.vx\""), "11 mm/s");
}

static void an_empty_text_becomes_the_map_or_list_a_path_needs(void **ctx)
{
    sp_spec *spec = *ctx;
    set(spec, "run", "");
    set(spec, "start", "");
    set(spec, "gravity", "");
    set(spec, "run.step", "1 ms");
    set(spec, "start.1.x", "0");
    set(spec, "gravity.1", "0");
    assert_int_equal(sp_node_get(spec->root, "run")->kind, SP_NODE_MAP);
    assert_int_equal(sp_node_get(spec->root, "start")->kind, SP_NODE_MAP);
    assert_string_equal(sp_node_get(spec->root, "start")->first->key, "1.x");
    assert_int_equal(sp_node_get(spec->root, "gravity")->kind, SP_NODE_LIST);
}

static void a_bad_path_is_refused_and_makes_nothing(void **ctx)
{
    sp_spec *spec = *ctx;
    static const char *const bad[] = {
        "",           ".",     "a.",         ".a",        "a..b",
        "\"a",        "\"\"",  "\"a\"b",     "a.\"b",     "start.",
        "start..a.b", "a.b..", "start.a..b", "start.\"a", "start.\"a\".b.\"c"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        sp_error err = {.status = SP_OK};
        assert_int_equal(sp_spec_set(spec, bad[k], "1", &err), SP_E_INPUT);
        assert_true(err.text[0] != '\0');
    }
    char path[4000];
    memset(path, 'a', sizeof path);
    path[257] = '\0'; /* a key of 257 bytes */
    assert_int_equal(sp_spec_set(spec, path, "1", NULL), SP_E_INPUT);
    path[256] = '\0';
    path[3] = '.';
    for (int i = 1; i < 256; i += 2) { /* 128 levels */
        path[i] = '.';
    }
    path[255] = '\0';
    assert_int_equal(sp_spec_set(spec, path, "1", NULL), SP_E_INPUT);
    memset(path, 'a', sizeof path);
    path[3999] = '\0';
    assert_int_equal(sp_spec_set(spec, path, "1", NULL), SP_E_INPUT);
    assert_int_equal(spec->root->n_child, 0);
}

static void a_number_comes_back_to_the_last_bit(void **ctx)
{
    sp_spec *spec = *ctx;
    static const double value[] = {0.1, -1.0 / 3.0, 6.02214076e23, 5e-324, 1e308, 0.0, 153e-3, 42};
    for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
        assert_int_equal(sp_spec_set_number(spec, "a.b", value[k], NULL), SP_OK);
        assert_true(strtod(sp_spec_get(spec, "a.b"), NULL) == value[k]);
    }
    sp_error err;
    assert_int_equal(sp_spec_set_number(spec, "a.b", NAN, &err), SP_E_INPUT);
    assert_string_equal(err.text, "'a.b' = nan, expected a finite number");
    assert_int_equal(sp_spec_set_number(spec, "a.b", INFINITY, NULL), SP_E_INPUT);
    assert_string_equal(sp_spec_get(spec, "a.b"), "42");
}

static void a_number_has_a_point_in_every_locale(void **ctx)
{
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "de_DE")) {
        skip();
    }
    assert_int_equal(sp_spec_set_number(*ctx, "a", 0.5, NULL), SP_OK);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(sp_spec_get(*ctx, "a"), "0.5");
}

static void a_large_map_keeps_order_and_finds_every_key(void **ctx)
{
    sp_spec *spec = *ctx;
    enum { N = 10000 };
    char path[40];
    for (int i = 0; i < N; i++) { /* prefixes of each other and long common beginnings */
        snprintf(path, sizeof path, "bodies.b%d", (int)((i * 7919LL) % N));
        set(spec, path, path + 7);
    }
    const sp_node *bodies = sp_node_get(spec->root, "bodies");
    assert_int_equal(bodies->n_child, N);
    assert_non_null(bodies->index);
    int i = 0;
    for (const sp_node *c = bodies->first; c; c = c->next, i++) {
        snprintf(path, sizeof path, "b%d", (int)((i * 7919LL) % N));
        assert_string_equal(c->key, path);
        assert_string_equal(c->text, path);
        assert_ptr_equal(sp_node_get(bodies, path), c);
    }
    assert_int_equal(i, N);
    assert_null(sp_node_get(bodies, "b10000"));
    assert_null(sp_node_get(bodies, "b"));
    assert_null(sp_node_get(bodies, ""));
    assert_null(sp_node_get(bodies, "c1"));
}

/* Store a node under a key. */
static bool put(sp_index_link *index, sp_spec *spec, const char *key, sp_node *node)
{
    return sp_index_put(index, &spec->arena, (sp_index_link){.key = key, .node = node});
}

static void the_index_agrees_with_a_plain_search_on_random_keys(void **ctx)
{
    sp_spec *spec = *ctx;
    enum { N = 3000 };
    static char key[N][6];
    static sp_node node[N];
    sp_index_link index = {.key = NULL};
    uint32_t random = 12345;
    int n = 0;
    assert_null(sp_index_get(&index, "a", 1));
    for (int i = 0; i < N; i++) { /* 1 to 5 bytes, each one of three, also above 127: many twins */
        random = random * 1664525U + 1013904223U;
        uint32_t bits = random >> 8;
        const int length = 1 + (int)(bits % 5);
        for (int k = 0; k < length; k++) {
            bits /= 3;
            key[n][k] = (char)"a\xc3z"[bits % 3];
        }
        key[n][length] = '\0';
        int twin = 0;
        while (twin < n && strcmp(key[twin], key[n]) != 0) {
            twin++;
        }
        assert_ptr_equal(sp_index_get(&index, key[n], (size_t)length),
                         twin < n ? &node[twin] : NULL);
        if (twin == n) {
            assert_true(put(&index, spec, key[n], &node[n]));
            n++;
        }
    }
    assert_true(n > 200 && n < 364); /* of 3 + 9 + 27 + 81 + 243 */
    for (int i = 0; i < n; i++) {
        assert_ptr_equal(sp_index_get(&index, key[i], strlen(key[i])), &node[i]);
    }
    assert_true(put(&index, spec, key[7], &node[8])); /* instead of the first */
    assert_ptr_equal(sp_index_get(&index, key[7], strlen(key[7])), &node[8]);
}

static void a_node_says_where_it_is(void **ctx)
{
    sp_spec *spec = *ctx;
    char where[64], small[8];
    set(spec, "bodies.rod.points.1.1", "0");
    set(spec, "bodies.rod.points.1.2", "0");
    const sp_node *node = sp_node_path(spec->root, "bodies.rod.points.1.2");
    sp_node_where(node, where, sizeof where);
    assert_string_equal(where, "bodies.rod.points.1.2");
    sp_node_where(node, small, sizeof small);
    assert_string_equal(small, "bodies.");
    sp_node_where(spec->root, where, sizeof where);
    assert_string_equal(where, "");
}

static void hertz_for_an_angular_velocity_is_refused(void **ctx)
{
    sp_spec *spec = *ctx;
    fill_machine(spec);
    refuse(spec, "omega_0=20 Hz",
           "--set: omega_0 = 20 Hz, but the model has '150 rad/s': a frequency or an angular "
           "velocity? 1 Hz is 2*pi rad/s; write it as the model does");
    assert_string_equal(sp_spec_get(spec, "parameters.omega_0"), "150 rad/s");
    override(spec, "omega_0=0"); /* stays in rad/s */
    assert_string_equal(sp_spec_get(spec, "parameters.omega_0"), "0 rad/s");
    override(spec, "l1=20 Hz"); /* what is no rate is refused where it is used */
    refuse(spec, "l1=20 rad/s",
           "--set: l1 = 20 rad/s, but the model has '20 Hz': a frequency or an angular velocity? "
           "1 Hz is 2*pi rad/s; write it as the model does");
    override(spec, "l1=21 Hz");
}

static void an_override_sets_a_parameter(void **ctx)
{
    sp_spec *spec = *ctx;
    fill_machine(spec);
    override(spec, "omega_0=200 rad/s");
    override(spec, " l1 = 2*(a == b) ");
    override(spec, "n_plate=3");
    override(spec, "parameters.l1=150 mm");
    assert_string_equal(sp_spec_get(spec, "parameters.omega_0"), "200 rad/s");
    assert_string_equal(sp_spec_get(spec, "parameters.n_plate.value"), "3");
    assert_string_equal(sp_spec_get(spec, "parameters.n_plate.max"), "8");
    assert_string_equal(sp_spec_get(spec, "parameters.l1"), "150 mm");
    assert_string_equal(sp_node_path(spec->root, "parameters.l1")->place.file, "--set");
    assert_int_equal(sp_node_get(spec->root, "parameters")->n_child, 3);
    assert_int_equal(spec->n_override, 4);
    assert_string_equal(spec->first_override->next->name, "l1");
    assert_string_equal(spec->first_override->next->value, "2*(a == b)");
}

static void an_override_sets_or_adds_a_leaf_in_a_map_that_exists(void **ctx)
{
    sp_spec *spec = *ctx;
    fill_machine(spec);
    override(spec, "bodies.rod.mass=40 g");
    override(spec, "bodies.rod.inertia=1e-4");
    override(spec, "bodies.rod.center.1=0");
    override(spec, "run.step=1e-5");
    override(spec, "run.until=1");
    override(spec, "start.crank.omega=0");
    override(spec, "gravity=[0, -9.81 m/s^2]");
    override(spec, "seed=7");
    assert_string_equal(sp_spec_get(spec, "bodies.rod.mass"), "40 g");
    assert_string_equal(sp_spec_get(spec, "bodies.rod.inertia"), "1e-4");
    assert_string_equal(sp_spec_get(spec, "bodies.rod.center.1"), "0");
    assert_string_equal(sp_spec_get(spec, "run.step"), "1e-5");
    assert_string_equal(sp_spec_get(spec, "run.until"), "1");
    assert_string_equal(sp_node_get(spec->root, "start")->first->key, "crank.omega");
    assert_string_equal(sp_spec_get(spec, "gravity.2"), "-9.81 m/s^2");
    assert_string_equal(sp_node_path(spec->root, "gravity.2")->place.file, "--set");
    assert_string_equal(sp_node_path(spec->root, "run")->key_place.file, "--set");
}

static void an_override_that_means_nothing_suggests_names(void **ctx)
{
    sp_spec *spec = *ctx;
    refuse(spec, "omega=1", "--set: no parameter 'omega'");
    fill_machine(spec);
    refuse(spec, "omgea_0=1", "--set: no parameter 'omgea_0', did you mean 'omega_0'?");
    refuse(spec, "mass=1", "--set: no parameter 'mass' (has: l1, omega_0, n_plate)");
    refuse(spec, "parameters.l2=1", "--set: no parameter 'l2', did you mean 'l1'?");
    refuse(spec, "parameters.specht=2", "--set: no parameter 'specht' (has: l1, omega_0, n_plate)");
    refuse(spec, "bodies.rood.mass=1", "--set: 'bodies' has no 'rood', did you mean 'rod'?");
    refuse(spec, "bodys.rod.mass=1", "--set: the model has no 'bodys', did you mean 'bodies'?");
    refuse(spec, "bodies=1", "--set: 'bodies' is a map, set one of its leaves (has: crank, rod)");
    refuse(spec, "bodies.rod=1",
           "--set: 'bodies.rod' is a map, set one of its leaves (has: mass, center)");
    refuse(spec, "bodies.rod.mass.x=1",
           "--set: 'bodies.rod.mass' is the value '38 g', it has no 'x'");
    refuse(spec, "bodies.rod.center.3=1", "--set: 'bodies.rod.center' has 2 items, no item '3'");
    refuse(spec, "step", "--set: 'step', expected name=value");
    refuse(spec, "=3", "--set: '=3' has no name, expected name=value");
    refuse(spec, "l1= ", "--set: 'l1= ' has no value, expected name=value");
    refuse(spec, "l1={a: 1}", "--set: '{a: 1}' is a map, set its leaves one by one");
    refuse(spec, "bodies.rod.=1", "path 'bodies.rod.' ends with a dot");
}

static void an_override_in_brackets_is_a_list(void **ctx)
{
    sp_spec *spec = *ctx;
    set(spec, "parameters.a", "1");
    override(spec, "a=[max(1, 2), [3 ,[] , 4], 5 m]");
    const sp_node *a = sp_node_path(spec->root, "parameters.a");
    assert_int_equal(a->n_child, 3);
    assert_string_equal(sp_spec_get(spec, "parameters.a.1"), "max(1, 2)");
    assert_string_equal(sp_spec_get(spec, "parameters.a.2.1"), "3");
    assert_int_equal(sp_node_path(spec->root, "parameters.a.2.2")->n_child, 0);
    assert_string_equal(sp_spec_get(spec, "parameters.a.2.3"), "4");
    assert_string_equal(sp_spec_get(spec, "parameters.a.3"), "5 m");
    assert_ptr_equal(a->last->parent, a);
    static const char *const bad[] = {"[",
                                      "[1",
                                      "[1,]",
                                      "[,1]",
                                      "[1] 2",
                                      "[1]]",
                                      "[1 [2]",
                                      "[[1] 2]",
                                      "[max(1, 2]",
                                      "[1,,2]",
                                      "[[[[[[[[[1]]]]]]]]]"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char assignment[60], message[100];
        snprintf(assignment, sizeof assignment, "a=%s", bad[k]);
        snprintf(message, sizeof message, "--set: '%s' is no list, expected '[a, b]'", bad[k]);
        refuse(spec, assignment, message);
    }
    assert_int_equal(a->n_child, 3);
}

/* An allocator that fails at its k-th call and counts what is out. */
typedef struct failing {
    int calls, fail_at, out;
} failing;

static void *take(void *ctx, size_t bytes)
{
    failing *f = ctx;
    if (++f->calls == f->fail_at) {
        return NULL;
    }
    f->out++;
    return malloc(bytes);
}

static void give(void *ctx, void *block)
{
    ((failing *)ctx)->out--;
    free(block);
}

/* Fill a spec with everything that takes memory; what the first failing call said. */
static sp_status fill_large(sp_spec *spec)
{
    char path[700];
    const char *items[] = {"1", "2", "3"};
    for (int i = 0; i < 2000; i++) {
        snprintf(path, sizeof path, "parameters.p%d", i);
        sp_status status = sp_spec_set(spec, path, "a text of some length", NULL);
        snprintf(path, sizeof path, "bodies.b%d.at", i);
        status = status ? status : sp_spec_set_list(spec, path, 3, items, NULL);
        snprintf(path, sizeof path, "p%d=[1, [%0*d, 2]]", i, i % 600, 1);
        status = status ? status : sp_spec_override(spec, path, NULL);
        if (status != SP_OK) {
            return status;
        }
    }
    return SP_OK;
}

static void running_out_of_memory_is_an_error_and_leaks_nothing(void **ctx)
{
    (void)ctx;
    int k = 0;
    bool complete = false;
    while (!complete) {
        failing f = {0, ++k, 0};
        const sp_allocator allocator = {take, give, &f};
        sp_spec *spec = sp_spec_new(&allocator);
        const sp_status status = spec ? fill_large(spec) : SP_E_MEMORY;
        complete = f.calls < f.fail_at;
        assert_int_equal(status, complete ? SP_OK : SP_E_MEMORY);
        sp_spec_free(spec);
        assert_int_equal(f.out, 0);
    }
    assert_true(k > 8); /* it did fail at many places */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, done)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_path_makes_the_maps_above_its_leaf),
        TEST(a_leaf_is_replaced_and_a_map_is_not),
        TEST(numbers_in_a_path_count_list_items_from_1),
        TEST(a_list_is_set_as_a_whole),
        TEST(below_start_the_rest_of_a_path_is_one_key),
        TEST(an_empty_text_becomes_the_map_or_list_a_path_needs),
        TEST(a_bad_path_is_refused_and_makes_nothing),
        TEST(a_number_comes_back_to_the_last_bit),
        TEST(a_number_has_a_point_in_every_locale),
        TEST(a_large_map_keeps_order_and_finds_every_key),
        TEST(the_index_agrees_with_a_plain_search_on_random_keys),
        TEST(a_node_says_where_it_is),
        TEST(hertz_for_an_angular_velocity_is_refused),
        TEST(an_override_sets_a_parameter),
        TEST(an_override_sets_or_adds_a_leaf_in_a_map_that_exists),
        TEST(an_override_that_means_nothing_suggests_names),
        TEST(an_override_in_brackets_is_a_list),
        cmocka_unit_test(running_out_of_memory_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
