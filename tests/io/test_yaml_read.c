/* One YAML text into a tree: what is read, where it stands, what is refused and in which words. */
#define _POSIX_C_SOURCE 200809L

#include "io/yaml_read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A spec with the messages about it. */
typedef struct bench {
    sp_spec *spec;
    sp_arena arena;
    sp_diag diag;
} bench;

static int fresh(void **ctx)
{
    bench *b = calloc(1, sizeof *b);
    b->spec = sp_spec_new(NULL);
    sp_arena_init(&b->arena, NULL, 0);
    sp_diag_init(&b->diag, &b->arena);
    *ctx = b;
    return b->spec ? 0 : -1;
}

static int done(void **ctx)
{
    bench *b = *ctx;
    sp_spec_free(b->spec);
    sp_arena_free(&b->arena);
    free(b);
    return 0;
}

/* Read a text as m.yaml. */
static sp_status read_text(bench *b, const char *text)
{
    return sp_yaml_read(b->spec, "m.yaml", text, strlen(text), NULL, &b->diag);
}

/* Read and want success. */
static const sp_node *accept(bench *b, const char *text)
{
    const sp_status status = read_text(b, text);
    for (const sp_message *m = b->diag.first; m; m = m->next) {
        print_message("%s:%d:%d: %s\n", m->place.file, m->place.line, m->place.column, m->text);
    }
    assert_int_equal(status, SP_OK);
    assert_null(b->diag.first);
    return b->spec->root;
}

/* Read n bytes in a fresh spec and want this one message, written "file:line:column: text". */
static void refuse_bytes(const char *text, size_t n, const char *message)
{
    void *ctx;
    fresh(&ctx);
    bench *b = ctx;
    const sp_status status = sp_yaml_read(b->spec, "m.yaml", text, n, NULL, &b->diag);
    const sp_message *m = b->diag.first;
    char got[1200] = "nothing";
    if (m) {
        snprintf(got, sizeof got, "%s:%d:%d: %s", m->place.file, m->place.line, m->place.column,
                 m->text);
    }
    assert_string_equal(got, message);
    assert_int_equal(status, SP_E_INPUT);
    assert_int_equal(b->diag.n_error, 1);
    done(&ctx);
}

static void refuse(const char *text, const char *message)
{
    refuse_bytes(text, strlen(text), message);
}

/* Check that a node stands at a place. */
static void assert_place(const sp_node *node, int line, int column)
{
    assert_non_null(node);
    assert_string_equal(node->place.file, "m.yaml");
    assert_int_equal(node->place.line, line);
    assert_int_equal(node->place.column, column);
}

static void a_file_becomes_a_tree_with_places(void **ctx)
{
    const sp_node *root = accept(*ctx, "specht: 1\n"
                                       "bodies: # a comment\n"
                                       "  rod:  {mass: 38 g, center: [l2/2, 0]}\n"
                                       "  bird:\n"
                                       "    mass: '4.5 g'\n"
                                       "list:\n"
                                       "- a\n"
                                       "- \"b\"\n");
    assert_int_equal(root->n_child, 3);
    assert_place(root, 1, 1);
    const sp_node *bodies = sp_node_get(root, "bodies");
    assert_place(bodies, 3, 3);
    assert_int_equal(bodies->key_place.line, 2);
    assert_int_equal(bodies->key_place.column, 1);
    assert_place(sp_node_path(root, "bodies.rod"), 3, 9);
    const sp_node *mass = sp_node_path(root, "bodies.rod.mass");
    assert_place(mass, 3, 16);
    assert_int_equal(mass->key_place.column, 10);
    assert_string_equal(mass->text, "38 g");
    assert_false(mass->quoted);
    assert_place(sp_node_path(root, "bodies.rod.center"), 3, 30);
    assert_place(sp_node_path(root, "bodies.rod.center.2"), 3, 37);
    assert_null(sp_node_path(root, "bodies.rod.center.2")->key);
    const sp_node *quoted = sp_node_path(root, "bodies.bird.mass");
    assert_string_equal(quoted->text, "4.5 g");
    assert_true(quoted->quoted);
    assert_place(sp_node_path(root, "list.2"), 8, 3);
    assert_string_equal(sp_spec_get(((bench *)*ctx)->spec, "list.2"), "b");
}

static void columns_count_characters_and_not_bytes(void **ctx)
{
    const sp_node *root =
        accept(*ctx, "\xef\xbb\xbfname: \"\xc3\xbc\xe2\x82\xac\xf0\x9f\x90\xa6\"\n"
                     "\xc3\xa4\xc3\xb6: {x: \xc3\xbc, y: 2}\r\n"
                     "last: 1\n");
    assert_string_equal(sp_node_get(root, "name")->text, "\xc3\xbc\xe2\x82\xac\xf0\x9f\x90\xa6");
    assert_place(sp_node_get(root, "name"), 1, 7);
    assert_place(sp_node_path(root, "\xc3\xa4\xc3\xb6.y"), 2, 15);
    assert_place(sp_node_get(root, "last"), 3, 7);
}

static void yaml_types_are_not_consulted(void **ctx)
{
    static const char *const text[] = {"no",   "on",    "y",    "1e-3",    "010",
                                       "+.5",  "12:30", "0x1F", "~",       ".inf",
                                       "null", "-l1/2", "y'",   "2 g/s*t", "2001-01-01"};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        char file[60];
        snprintf(file, sizeof file, "k%zu: {no: %s}\n", k, text[k]);
        const sp_node *root = accept(*ctx, file);
        assert_string_equal(sp_node_get(root->last, "no")->text, text[k]);
        assert_int_equal(root->last->first->kind, SP_NODE_TEXT);
    }
}

static void an_empty_value_is_an_empty_text_at_its_key(void **ctx)
{
    const sp_node *root = accept(*ctx, "a:\nb: {c, d: }\ne: ''\n");
    assert_string_equal(sp_node_get(root, "a")->text, "");
    assert_place(sp_node_get(root, "a"), 1, 1);
    assert_place(sp_node_path(root, "b.c"), 2, 5);
    assert_place(sp_node_path(root, "b.d"), 2, 8);
    assert_place(sp_node_get(root, "e"), 3, 4);
}

static void json_and_block_texts_are_read(void **ctx)
{
    const sp_node *root =
        accept(*ctx, "%YAML 1.2\n---\n{\"a\": {\"b\":1, \"c:d\": [true, \"x\"]},\n"
                     " t: \"\\u00fc\\n\"}\n...\n");
    assert_string_equal(sp_node_path(root, "a.b")->text, "1");
    assert_string_equal(sp_node_path(root, "a.c:d.1")->text, "true");
    assert_string_equal(sp_node_path(root, "t")->text, "\xc3\xbc\n");
    const sp_node *more = accept(*ctx, "text: |\n  one\n  two\nfold: >-\n  one\n  two\n");
    assert_string_equal(sp_node_get(more, "text")->text, "one\ntwo\n");
    assert_string_equal(sp_node_get(more, "fold")->text, "one two");
    assert_true(sp_node_get(more, "text")->quoted);
}

static void an_alias_is_a_copy_that_keeps_its_places(void **ctx)
{
    bench *b = *ctx;
    const sp_node *root = accept(b, "bodies:\n"
                                    "  a: &rod {mass: &m 38 g, at: [1, [2, 3]]}\n"
                                    "  b: *rod\n"
                                    "  c: {mass: *m}\n"
                                    "x: [*m, *rod]\n");
    assert_string_equal(sp_node_path(root, "bodies.b.mass")->text, "38 g");
    assert_string_equal(sp_node_path(root, "bodies.b.at.2.2")->text, "3");
    assert_string_equal(sp_node_path(root, "bodies.c.mass")->text, "38 g");
    assert_string_equal(sp_node_path(root, "x.2.at.1")->text, "1");
    assert_null(sp_node_path(root, "x.2")->key);
    assert_place(sp_node_path(root, "bodies.b.at"), 2, 31);
    assert_int_equal(sp_node_path(root, "bodies.b")->key_place.line, 3);
    assert_int_equal(sp_node_path(root, "bodies.b.at")->n_child, 2);
    /* a copy, so that changing one leaves the others */
    assert_int_equal(sp_spec_set(b->spec, "bodies.b.mass", "1 kg", NULL), SP_OK);
    assert_string_equal(sp_node_path(root, "bodies.a.mass")->text, "38 g");
    assert_int_equal(b->spec->n_alias, 16); /* 7 + 1 + 1 + 7 */
}

static void a_missing_blank_after_a_colon_is_explained(void **ctx)
{
    (void)ctx;
    refuse("a: 1\nstart: {crank.omega:150 rad/s}\n",
           "m.yaml:2:9: start: 'crank.omega:150 rad/s' has no value; put a blank after the ':'");
    refuse("{a:1}", "m.yaml:1:2: 'a:1' has no value; put a blank after the ':'");
    refuse("bodies: {a: [{b:2, c: 3}]}",
           "m.yaml:1:15: bodies.a.1: 'b:2' has no value; put a blank after the ':'");
    refuse("law:{mu: 0.3\n", "m.yaml:1:1: 'law:{mu' is no name; put a blank after the ':'");
    refuse("a: {law:{mu: 0.3}}\n", "m.yaml:1:8: not YAML: found unexpected ':' while scanning a "
                                   "plain scalar; put a blank after the ':'");
    refuse("mass:38 g\nb: 2\n", "m.yaml:2:2: not YAML: mapping values are not allowed in this "
                                "context; is a blank missing after a ':'?");
}

static void what_a_model_file_may_not_hold_is_refused_with_its_place(void **ctx)
{
    (void)ctx;
    refuse("", "m.yaml:1:1: the file is empty, expected a model");
    refuse("# only a comment\n", "m.yaml:1:1: the file is empty, expected a model");
    refuse("---\n", "m.yaml:1:1: the file is empty, expected a model");
    refuse("- 1\n", "m.yaml:1:1: the file is a list, expected sections 'name: value'");
    refuse("\nhello", "m.yaml:2:1: the file is a text, expected sections 'name: value'");
    refuse("a: 1\n---\nb: 1\n", "m.yaml:2:1: a second document begins, a model file holds one");
    refuse("rod:\n  mass: 1\n  at: 0\n  mass: 2\n",
           "m.yaml:4:3: rod: key 'mass' is there twice, first in line 2, column 3");
    refuse("a: {<<: b}\n", "m.yaml:1:5: a: '<<' is not part of the language; use 'like:'");
    refuse("a: !!str 5\n",
           "m.yaml:1:4: tag '!!str': tags have no meaning in a model file, leave it out");
    refuse("a: !body {b: 1}\n",
           "m.yaml:1:4: tag '!body': tags have no meaning in a model file, leave it out");
    refuse("a:\n  ? [b, c]\n  : d\n", "m.yaml:2:5: a: a list as key, expected a name");
    refuse("{a: b}: c\n", "m.yaml:1:1: a map as key, expected a name");
    refuse("b: &a 1\n*a : 3\n", "m.yaml:2:1: alias '*a' as key, expected a name");
    refuse("&a b: 3\n", "m.yaml:1:1: anchor '&a' before a key, expected before a value");
    refuse("'': 3\n", "m.yaml:1:1: empty key, expected a name before the ':'");
    refuse("a: *b\n", "m.yaml:1:4: alias '*b' without an anchor '&b' before it");
    refuse("a: &b [1, {c: *b}]\n", "m.yaml:1:15: alias '*b' is inside the node it names (1:4)");
    refuse("a: \"b\\0c\"\n", "m.yaml:1:4: 'b' contains a zero byte");
    refuse("a:\n\tb: 1\n",
           "m.yaml:2:1: not YAML: found character that cannot start any token while scanning for "
           "the next token; there is a tab in this line, indent with blanks");
    refuse("a: [1, 2\nb: 3\n", "m.yaml:2:2: not YAML: did not find expected ',' or ']' while "
                               "parsing a flow sequence that begins in line 1");
}

static void bytes_that_are_no_text_are_refused_with_their_place(void **ctx)
{
    (void)ctx;
    refuse("\xc3\xbc: 1\n\xc3\xbc: \xff\n",
           "m.yaml:2:4: byte 0xFF is not UTF-8, expected a text file in UTF-8");
    refuse("a: \xc0\xaf\n", "m.yaml:1:4: byte 0xC0 is not UTF-8, expected a text file in UTF-8");
    refuse("a: \xed\xa0\x80\n",
           "m.yaml:1:4: byte 0xED is not UTF-8, expected a text file in UTF-8");
    refuse("a: \xe2\x82", "m.yaml:1:4: byte 0xE2 is not UTF-8, expected a text file in UTF-8");
    refuse("a: \xf4\x90\x80\x80",
           "m.yaml:1:4: byte 0xF4 is not UTF-8, expected a text file in UTF-8");
    refuse("a: 1\r\nb: \x1b[31m\n", "m.yaml:2:4: control character U+001B, expected plain text");
    refuse_bytes("a: 1\n\0", 6, "m.yaml:2:1: control character U+0000, expected plain text");
    refuse_bytes("\xff\xfe\x61\x00", 4,
                 "m.yaml:1:1: byte 0xFF is not UTF-8, expected a text file in UTF-8");
}

static void all_errors_of_a_file_are_listed_and_reading_goes_on(void **ctx)
{
    bench *b = *ctx;
    assert_int_equal(read_text(b, "a: 1\na: 2\nb: {c:3}\n<<: {d: 1, d: 2}\ne: !t 5\n"), SP_E_INPUT);
    static const int line[] = {2, 3, 4, 4, 5};
    int n = 0;
    for (const sp_message *m = b->diag.first; m; m = m->next, n++) {
        assert_true(n < 5);
        assert_int_equal(m->place.line, line[n]);
    }
    assert_int_equal(n, 5);
    assert_string_equal(sp_spec_get(b->spec, "a"), "1");
    assert_string_equal(sp_spec_get(b->spec, "e"), "5");
    assert_int_equal(b->spec->root->n_child, 3);
}

static void after_a_syntax_error_the_spec_is_as_it_was(void **ctx)
{
    bench *b = *ctx;
    assert_int_equal(read_text(b, "a: 1\nb: [\n"), SP_E_INPUT);
    assert_int_equal(b->spec->root->n_child, 0);
    assert_int_equal(b->spec->n_source, 0);
}

static void keys_and_nesting_have_limits(void **ctx)
{
    char text[2000];
    memset(text, 'k', sizeof text);
    strcpy(text + 256, ": 1\n");
    accept(*ctx, text);
    memset(text, 'k', sizeof text);
    strcpy(text + 257, ": 1\n");
    refuse(text,
           "m.yaml:1:1: key 'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk...' "
           "has 257 bytes, expected at most 256");
    /* 64 levels: the top map and 63 lists */
    memset(text, '[', sizeof text);
    memcpy(text, "a: ", 3);
    memset(text + 3 + 63, ']', 63);
    text[3 + 126] = '\0';
    accept(*ctx, text);
    memset(text, '[', sizeof text);
    memcpy(text, "a: ", 3);
    text[1000] = '\0';
    refuse(text, "m.yaml:1:67: maps and lists nested deeper than 64");
}

static void deep_nesting_is_refused_quickly(void **ctx)
{
    (void)ctx;
    const size_t n = 2000000;
    char *text = malloc(n);
    memset(text, '[', n);
    memcpy(text, "a: ", 3);
    refuse_bytes(text, n, "m.yaml:1:67: maps and lists nested deeper than 64");
    for (size_t i = 0; i + 1 < n; i += 2) {
        memcpy(text + i, "- ", 2);
    }
    refuse_bytes(text, n, "m.yaml:1:129: maps and lists nested deeper than 64");
    free(text);
}

static void many_directives_are_refused_quickly(void **ctx)
{
    (void)ctx;
    const int n = 200000;
    char *text = malloc((size_t)n * 20), *p = text;
    for (int i = 0; i < n; i++) {
        p += sprintf(p, "%%TAG !t%d! x\n", i);
    }
    refuse(text, "m.yaml:17:1: more than 16 lines begin with '%'");
    free(text);
}

static void an_alias_bomb_is_refused_quickly(void **ctx)
{
    (void)ctx;
    char text[2000];
    size_t n = (size_t)snprintf(text, sizeof text, "a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int k = 1; k <= 9; k++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "a%d: &a%d [", k, k);
        for (int j = 0; j < 9; j++) {
            n += (size_t)snprintf(text + n, sizeof text - n, "*a%d%s", k - 1, j < 8 ? ", " : "]\n");
        }
    }
    /* level k copies 9 + 9^2 + ... + 9^(k+1) nodes: 7380 for k = 3, 66 429 for k = 4; 73 809 in
     * all up to there, so that the limit falls into the line of k = 5 */
    void *fixture;
    fresh(&fixture);
    bench *b = fixture;
    assert_int_equal(read_text(b, text), SP_E_INPUT);
    assert_string_equal(b->diag.first->text, "aliases copy more than 100000 values");
    assert_int_equal(b->diag.first->place.line, 6);
    assert_int_equal(b->spec->n_alias, 100000);
    done(&fixture);
    /* depth by aliases: each level adds one list */
    n = (size_t)snprintf(text, sizeof text, "a0: &a0 [x]\n");
    for (int k = 1; k <= 70; k++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "a%d: &a%d [*a%d]\n", k, k, k - 1);
    }
    fresh(&fixture);
    b = fixture;
    assert_int_equal(read_text(b, text), SP_E_INPUT);
    assert_string_equal(b->diag.first->text, "maps and lists nested deeper than 64");
    done(&fixture);
}

static void more_errors_than_anyone_reads_end_the_reading(void **ctx)
{
    bench *b = *ctx;
    const int n = 200000;
    char *text = malloc((size_t)n * 8 + 10), *p = text;
    p += sprintf(p, "a:\n");
    for (int i = 0; i < n; i++) {
        p += sprintf(p, "- {b:1}\n");
    }
    assert_int_equal(read_text(b, text), SP_E_INPUT);
    assert_int_equal(b->diag.n_error, SP_DIAG_MAX);
    free(text);
}

/* Seconds since some moment. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void ten_thousand_bodies_are_read_in_a_moment(void **ctx)
{
    bench *b = *ctx;
    const int n = 10000;
    char *text = malloc((size_t)n * 160), *p = text;
    p += sprintf(p, "specht: 1\nbodies:\n");
    for (int i = 0; i < n; i++) {
        p += sprintf(p,
                     "  link_%d: {mass: 15 g, inertia: 4e-7 kg*m^2, center: [l/2, 0], "
                     "joint: {revolute: link_%d, at: [l, 0]}}\n",
                     i, i - 1);
    }
    const double begin = seconds();
    const sp_node *root = accept(b, text);
    const double time = seconds() - begin;
    print_message("10000 bodies: %.0f ms, %.1f MB\n", 1e3 * time,
                  (double)b->spec->arena.bytes / 1e6);
    assert_int_equal(sp_node_get(root, "bodies")->n_child, n);
    assert_string_equal(sp_node_path(root, "bodies.link_9999.joint.revolute")->text, "link_9998");
    assert_true(time < 3.0); /* below 0.1 s, but sanitizers and busy machines are slow */
    free(text);
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

static void running_out_of_memory_is_an_error_and_leaks_nothing(void **ctx)
{
    (void)ctx;
    const int n = 3000;
    char *text = malloc((size_t)n * 80), *p = text;
    p += sprintf(p, "proto: &p {mass: 1, at: [0, 0]}\nbodies:\n");
    for (int i = 0; i < n; i++) {
        p += sprintf(p, "  b%d: {x: *p, %stext: \"%0*d\"}\n", i, i % 100 ? "" : "&k ", i % 20, i);
    }
    const size_t length = (size_t)(p - text);
    bool complete = false;
    int k = 0;
    while (!complete) {
        failing f = {0, ++k, 0};
        const sp_allocator allocator = {take, give, &f};
        sp_spec *spec = sp_spec_new(&allocator);
        sp_error err = {.status = SP_OK};
        const sp_status status =
            spec ? sp_spec_load_text(spec, "m.yaml", text, length, NULL, &err) : SP_E_MEMORY;
        complete = f.calls < f.fail_at;
        /* every hundredth body has an anchor before a key, so that messages take memory, too */
        assert_int_equal(status, complete ? SP_E_INPUT : SP_E_MEMORY);
        sp_spec_free(spec);
        assert_int_equal(f.out, 0);
    }
    assert_true(k > 8);
    free(text);
}

static void inputs_that_broke_other_readers_are_survived(void **ctx)
{
    static const char *const name[] = {"percent_2_bytes", "quotes_22_bytes", "tabs_38_bytes",
                                       "unclosed_tag_29_bytes"};
    bench *b = *ctx;
    const char *folder = getenv("SPECHT_DATA");
    if (!folder) {
        skip();
    }
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/yaml_seeds/%s.bin", folder, name[k]);
        assert_int_equal(sp_yaml_read_file(b->spec, path, &b->diag), SP_E_INPUT);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, done)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_becomes_a_tree_with_places),
        TEST(columns_count_characters_and_not_bytes),
        TEST(yaml_types_are_not_consulted),
        TEST(an_empty_value_is_an_empty_text_at_its_key),
        TEST(json_and_block_texts_are_read),
        TEST(an_alias_is_a_copy_that_keeps_its_places),
        TEST(a_missing_blank_after_a_colon_is_explained),
        TEST(what_a_model_file_may_not_hold_is_refused_with_its_place),
        TEST(bytes_that_are_no_text_are_refused_with_their_place),
        TEST(all_errors_of_a_file_are_listed_and_reading_goes_on),
        TEST(after_a_syntax_error_the_spec_is_as_it_was),
        TEST(keys_and_nesting_have_limits),
        TEST(deep_nesting_is_refused_quickly),
        TEST(many_directives_are_refused_quickly),
        TEST(an_alias_bomb_is_refused_quickly),
        TEST(more_errors_than_anyone_reads_end_the_reading),
        TEST(ten_thousand_bodies_are_read_in_a_moment),
        TEST(running_out_of_memory_is_an_error_and_leaks_nothing),
        TEST(inputs_that_broke_other_readers_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
