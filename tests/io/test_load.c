/* Files and what they include. */
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
#include <unistd.h>

/* A file that lives in memory. */
typedef struct memory_file {
    const char *name, *text;
} memory_file;

typedef struct bench {
    sp_spec *spec;
    sp_arena arena;
    sp_diag diag;
    const memory_file *file; /* ends with a NULL name */
    int n_open, n_block;
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
    const int out = b->n_block;
    sp_spec_free(b->spec);
    sp_arena_free(&b->arena);
    free(b);
    return out; /* every block an includer gave was given back */
}

static sp_status open_memory(void *ctx, const char *from_file, const char *name, char **text,
                             size_t *n, char **resolved_name, sp_error *err)
{
    bench *b = ctx;
    b->n_open++;
    assert_non_null(from_file);
    *resolved_name = NULL;
    for (const memory_file *f = b->file; f->name; f++) {
        if (strcmp(f->name, name) == 0) {
            *n = strlen(f->text);
            *text = strdup(f->text);
            b->n_block++;
            return SP_OK;
        }
    }
    snprintf(err->text, sizeof err->text, "no '%s' here", name);
    return SP_E_IO;
}

static void release_memory(void *ctx, char *block)
{
    ((bench *)ctx)->n_block--;
    free(block);
}

/* Read the first of the files. */
static sp_status read_files(bench *b, const memory_file *file)
{
    const sp_includer includer = {open_memory, release_memory, b};
    b->file = file;
    return sp_yaml_read(b->spec, file->name, file->text, strlen(file->text), &includer, &b->diag);
}

/* Check message number i, written "file:line:column: text". */
static void assert_message(const bench *b, int i, const char *message)
{
    const sp_message *m = b->diag.first;
    while (m && i-- > 0) {
        m = m->next;
    }
    assert_non_null(m);
    char got[1200];
    snprintf(got, sizeof got, "%s:%d:%d: %s", m->place.file, m->place.line, m->place.column,
             m->text);
    assert_string_equal(got, message);
}

static void an_include_adds_sections_and_merges_maps(void **ctx)
{
    bench *b = *ctx;
    static const memory_file file[] = {
        {"main", "specht: 1\nname: Whole\ninclude: [arm, leg]\nspace: planar\n"
                 "parameters: {a: 1}\nbodies: {ground: {contours: {floor: {line: 0}}}, rod: {}}\n"},
        {"arm",
         "specht: 1\nname: Arm\nparameters: {b: 2}\n"
         "bodies: {arm: {mass: 1}, ground: {contours: {wall: {line: 1}}, points: {p: 0}}}\n"},
        {"leg", "include: foot\nspace: planar\nforces: {f: 1}\n"},
        {"foot", "forces: {g: 2}\n"},
        {NULL, NULL}};
    assert_int_equal(read_files(b, file), SP_OK);
    assert_int_equal(b->diag.n_error, 0);
    const sp_node *root = b->spec->root;
    assert_null(sp_node_get(root, "include"));
    assert_string_equal(sp_spec_get(b->spec, "name"), "Whole");
    assert_string_equal(sp_spec_get(b->spec, "parameters.b"), "2");
    assert_string_equal(sp_spec_get(b->spec, "bodies.arm.mass"), "1");
    assert_string_equal(sp_spec_get(b->spec, "bodies.ground.contours.floor.line"), "0");
    assert_string_equal(sp_spec_get(b->spec, "bodies.ground.contours.wall.line"), "1");
    assert_string_equal(sp_spec_get(b->spec, "bodies.ground.points.p"), "0");
    assert_string_equal(sp_spec_get(b->spec, "forces.f"), "1");
    assert_string_equal(sp_spec_get(b->spec, "forces.g"), "2");
    const sp_node *bodies = sp_node_get(root, "bodies");
    assert_int_equal(bodies->n_child, 3);
    assert_string_equal(bodies->last->key, "arm");
    assert_ptr_equal(bodies->last->parent, bodies);
    assert_string_equal(bodies->last->place.file, "arm");
    assert_int_equal(bodies->last->place.line, 4);
    assert_string_equal(root->place.file, "main");
    const sp_source *s = b->spec->first_source;
    for (int i = 0; i < 4; i++, s = s->next) {
        assert_string_equal(s->file, file[i].name);
        assert_string_equal(s->text, file[i].text);
    }
    assert_null(s);
}

static void names_of_two_files_must_stay_unique(void **ctx)
{
    bench *b = *ctx;
    static const memory_file file[] = {
        {"main", "include: part\nspace: planar\nparameters: {mu: 1, k: 2}\n"
                 "bodies: {rod: {mass: 1}, ground: {contours: {floor: {line: 0}}}}\n"},
        {"part", "space: spatial\nparameters:\n  mu: 1\n  c: 3\n"
                 "bodies: {rod: {inertia: 2}, ground: {contours: {floor: {line: 1}}}}\n"},
        {NULL, NULL}};
    assert_int_equal(read_files(b, file), SP_E_INPUT);
    assert_int_equal(b->diag.n_error, 4);
    assert_message(b, 0, "part:1:1: 'space' is already in main:2:1, names must stay unique");
    assert_message(b, 1,
                   "part:3:3: parameters: 'mu' is already in main:3:14, names must stay unique");
    assert_message(b, 2,
                   "part:5:10: bodies: 'rod' is already in main:4:10, names must stay unique");
    assert_message(b, 3,
                   "part:5:49: bodies.ground.contours: 'floor' is already in main:4:46, names must "
                   "stay unique");
    /* what is fine is there, so that the model can be checked on */
    assert_string_equal(sp_spec_get(b->spec, "parameters.c"), "3");
    assert_string_equal(sp_spec_get(b->spec, "space"), "planar");
    assert_null(sp_spec_get(b->spec, "bodies.rod.inertia"));
}

static void a_file_included_by_two_others_is_read_once(void **ctx)
{
    bench *b = *ctx;
    static const memory_file file[] = {{"main", "include: [a, b, a]\n"},
                                       {"a", "include: common\nx: 1\n"},
                                       {"b", "include: common\ny: 1\n"},
                                       {"common", "parameters: {mu: 1}\n"},
                                       {NULL, NULL}};
    assert_int_equal(read_files(b, file), SP_OK);
    assert_int_equal(b->spec->n_source, 4);
    assert_string_equal(sp_spec_get(b->spec, "parameters.mu"), "1");
}

static void files_that_include_each_other_are_refused_with_the_chain(void **ctx)
{
    bench *b = *ctx;
    static const memory_file file[] = {{"main", "include: a\n"},
                                       {"a", "x: 1\ninclude: [b]\n"},
                                       {"b", "include: [main]\n"},
                                       {NULL, NULL}};
    assert_int_equal(read_files(b, file), SP_E_INPUT);
    assert_message(b, 0, "b:1:11: include: files include each other: main -> a -> b -> main");
    assert_int_equal(b->spec->root->n_child, 0);
}

static void a_file_that_includes_itself_is_refused(void **ctx)
{
    bench *b = *ctx;
    static const memory_file file[] = {{"main", "include: main\n"}, {NULL, NULL}};
    assert_int_equal(read_files(b, file), SP_E_INPUT);
    assert_message(b, 0, "main:1:10: include: files include each other: main -> main");
}

/* An includer that always has one more file: "n<k>" includes "n<k+1>". */
static sp_status open_next(void *ctx, const char *from_file, const char *name, char **text,
                           size_t *n, char **resolved_name, sp_error *err)
{
    (void)from_file;
    (void)err;
    ((bench *)ctx)->n_block += 2;
    *resolved_name = strdup(name);
    *text = malloc(100);
    *n = (size_t)snprintf(*text, 100, "include: n%d\n", atoi(name + 1) + 1);
    return SP_OK;
}

static void includes_deeper_than_16_are_refused_with_the_chain(void **ctx)
{
    bench *b = *ctx;
    const sp_includer includer = {open_next, release_memory, b};
    assert_int_equal(sp_yaml_read(b->spec, "n0", "include: n1", 11, &includer, &b->diag),
                     SP_E_INPUT);
    assert_message(b, 0,
                   "n16:1:10: include: files include each other deeper than 16: n0 -> n1 -> n2 -> "
                   "n3 -> n4 -> n5 -> n6 -> n7 -> n8 -> n9 -> n10 -> n11 -> n12 -> n13 -> n14 -> "
                   "n15 -> n16 -> n17");
}

static void a_missing_or_senseless_include_is_refused_with_its_place(void **ctx)
{
    bench *b = *ctx;
    static const memory_file missing[] = {{"main", "include:\n- part.yaml\n"}, {NULL, NULL}};
    static const memory_file map[] = {{"main", "include: {a: b}\n"}, {NULL, NULL}};
    static const memory_file empty[] = {{"main", "x: 1\ninclude:\n"}, {NULL, NULL}};
    static const memory_file broken[] = {{"main", "include: part\n"}, {"part", ""}, {NULL, NULL}};
    assert_int_equal(read_files(b, missing), SP_E_INPUT);
    assert_message(b, 0, "main:2:3: include: no 'part.yaml' here");
    assert_int_equal(read_files(b, map), SP_E_INPUT);
    assert_message(b, 1, "main:1:10: include: expected a file name or a list");
    assert_int_equal(read_files(b, empty), SP_E_INPUT);
    assert_message(b, 2, "main:2:1: include: expected a file name or a list");
    assert_int_equal(read_files(b, broken), SP_E_INPUT);
    assert_message(b, 3, "part:1:1: the file is empty, expected a model");
    assert_int_equal(b->spec->root->n_child, 0);
}

/* Write a small file into a folder. */
static void write_file(const char *folder, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
    fclose(f);
}

static void files_are_found_beside_the_including_file(void **ctx)
{
    bench *b = *ctx;
    char folder[] = "/tmp/specht_load_XXXXXX", path[300], text[400];
    assert_non_null(mkdtemp(folder));
    write_file(folder, "main.yaml", "include: [./part.yaml]\na: 1\n");
    write_file(folder, "part.yaml", "include: loop.yaml\nb: 2\n");
    write_file(folder, "loop.yaml", "c: 3\n");
    snprintf(path, sizeof path, "%s/main.yaml", folder);
    sp_error err;
    assert_int_equal(sp_spec_load_file(b->spec, path, &err), SP_OK);
    assert_string_equal(sp_spec_get(b->spec, "c"), "3");
    snprintf(text, sizeof text, "%s/loop.yaml", folder);
    assert_string_equal(b->spec->first_source->next->next->file, text);
    /* and a loop of real files, and a file that is not there */
    sp_spec *other = sp_spec_new(NULL);
    write_file(folder, "loop.yaml", "include: ./part.yaml\n");
    assert_int_equal(sp_spec_load_file(other, path, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "files include each other: "));
    assert_string_equal(err.file, text);
    assert_int_equal(err.line, 1);
    assert_int_equal(err.column, 10);
    write_file(folder, "loop.yaml", "x: 1\ninclude: none.yaml\n");
    assert_int_equal(sp_spec_load_file(other, path, &err), SP_E_INPUT);
    snprintf(text, sizeof text, "include: '%s/none.yaml' cannot be read: No such file or directory",
             folder);
    assert_string_equal(err.text, text);
    assert_int_equal(err.line, 2);
    sp_spec_free(other);
    static const char *const all[] = {"main.yaml", "part.yaml", "loop.yaml"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, all[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void a_file_that_cannot_be_read_is_an_io_error(void **ctx)
{
    bench *b = *ctx;
    sp_error err;
    assert_int_equal(sp_spec_load_file(b->spec, "/nonexistent/m.yaml", &err), SP_E_IO);
    assert_string_equal(err.text,
                        "'/nonexistent/m.yaml' cannot be read: No such file or directory");
    assert_int_equal(err.status, SP_E_IO);
    assert_int_equal(sp_spec_load_file(b->spec, "/", &err), SP_E_IO);
    assert_string_equal(err.text, "'/' cannot be read: Is a directory");
    assert_int_equal(sp_spec_load_file(b->spec, "/dev/zero", &err), SP_E_INPUT);
    assert_string_equal(err.text, "'/dev/zero' is larger than 64 MB");
}

static void the_first_error_comes_with_its_place(void **ctx)
{
    bench *b = *ctx;
    sp_error err;
    const char *text = "a: 1\nb: {c:1}\nb: 2\n";
    assert_int_equal(sp_spec_load_text(b->spec, "m.yaml", text, strlen(text), NULL, &err),
                     SP_E_INPUT);
    assert_string_equal(err.file, "m.yaml");
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 5);
    assert_string_equal(err.text, "b: 'c:1' has no value; put a blank after the ':'");
}

static void two_texts_and_calls_from_c_fill_one_spec(void **ctx)
{
    bench *b = *ctx;
    sp_error err;
    assert_int_equal(sp_spec_set(b->spec, "bodies.rod.mass", "1 kg", &err), SP_OK);
    assert_int_equal(
        sp_spec_load_text(b->spec, "m.yaml", "bodies: {crank: {mass: 2 kg}}", 29, NULL, &err),
        SP_OK);
    assert_int_equal(sp_spec_override(b->spec, "bodies.crank.mass=3 kg", &err), SP_OK);
    assert_string_equal(sp_spec_get(b->spec, "bodies.rod.mass"), "1 kg");
    assert_string_equal(sp_spec_get(b->spec, "bodies.crank.mass"), "3 kg");
    assert_int_equal(
        sp_spec_load_text(b->spec, "n.yaml", "bodies: {rod: {mass: 2 kg}}", 27, NULL, &err),
        SP_E_INPUT);
    assert_string_equal(err.text, "bodies: 'rod' was set from C already, names must stay unique");
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

static void running_out_of_memory_in_files_is_an_error_and_leaks_nothing(void **ctx)
{
    (void)ctx;
    char folder[] = "/tmp/specht_load_XXXXXX", path[300], part[300];
    assert_non_null(mkdtemp(folder));
    char *text = malloc(200000), *p = text + sprintf(text, "bodies:\n");
    for (int i = 0; i < 4000; i++) {
        p += sprintf(p, "  b%d: {mass: %d kg}\n", i, i);
    }
    write_file(folder, "part.yaml", text);
    write_file(folder, "main.yaml", "include: part.yaml\nbodies: {a: 1}\n");
    snprintf(path, sizeof path, "%s/main.yaml", folder);
    snprintf(part, sizeof part, "%s/part.yaml", folder);
    bool complete = false;
    int k = 0;
    while (!complete) {
        failing f = {0, ++k, 0};
        const sp_allocator allocator = {take, give, &f};
        sp_spec *spec = sp_spec_new(&allocator);
        const sp_status status = spec ? sp_spec_load_file(spec, path, NULL) : SP_E_MEMORY;
        complete = f.calls < f.fail_at;
        assert_int_equal(status, complete ? SP_OK : SP_E_MEMORY);
        sp_spec_free(spec);
        assert_int_equal(f.out, 0);
    }
    assert_true(k > 10);
    free(text);
    unlink(path);
    unlink(part);
    rmdir(folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, done)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_include_adds_sections_and_merges_maps),
        TEST(names_of_two_files_must_stay_unique),
        TEST(a_file_included_by_two_others_is_read_once),
        TEST(files_that_include_each_other_are_refused_with_the_chain),
        TEST(a_file_that_includes_itself_is_refused),
        TEST(includes_deeper_than_16_are_refused_with_the_chain),
        TEST(a_missing_or_senseless_include_is_refused_with_its_place),
        TEST(files_are_found_beside_the_including_file),
        TEST(a_file_that_cannot_be_read_is_an_io_error),
        TEST(the_first_error_comes_with_its_place),
        TEST(two_texts_and_calls_from_c_fill_one_spec),
        TEST(running_out_of_memory_in_files_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
