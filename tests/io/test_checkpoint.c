/* Files that a run can be resumed from: whole or refused. */
#define _GNU_SOURCE
#include "io/checkpoint.h"

#include "support/check.h"
#include "support/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MORE = 37 }; /* bytes of a method */

/* What the runs of this test need beside their memory. */
typedef struct note {
    int kind;
    double t;
} note;

/* A file name in a folder of its own. */
typedef struct place {
    char folder[64], file[96];
} place;

static place place_new(void)
{
    place p = {.folder = "/tmp/specht_checkpoint_XXXXXX"};
    assert_non_null(mkdtemp(p.folder));
    snprintf(p.file, sizeof p.file, "%s/a.checkpoint", p.folder);
    return p;
}

static void place_free(const place *p)
{
    unlink(p->file);
    assert_int_equal(rmdir(p->folder), 0); /* nothing else was left behind */
}

/* The state of the rig and some bytes of a method behind it. */
static unsigned char *memory_of(const rig *r, size_t *n)
{
    *n = sp_state_bytes(r->m) + MORE;
    unsigned char *bytes = malloc(*n);
    assert_non_null(bytes);
    sp_state_pack(r->m, r->x, bytes);
    for (int i = 0; i < MORE; i++) {
        bytes[sp_state_bytes(r->m) + (size_t)i] = (unsigned char)(7 * i);
    }
    return bytes;
}

static void write_for(const rig *r, const char *file)
{
    size_t n;
    unsigned char *bytes = memory_of(r, &n);
    const note about = {3, 0.25};
    const sp_checkpoint c = {
        .memory = bytes, .n_memory = n, .about = &about, .n_about = sizeof about};
    sp_error err = {.text = ""};
    assert_int_equal(sp_checkpoint_write(file, &c, &err), SP_OK);
    free(bytes);
}

/* Read into r: what came of it, with the number of bytes of the method. */
static sp_status read_for(const rig *r, const char *file, note *about, size_t *n, sp_error *err)
{
    unsigned char *memory;
    const sp_status status =
        sp_checkpoint_read(file, r->m, r->x, about, sizeof *about, &memory, n, err);
    assert_true((memory != NULL) == (status == SP_OK));
    for (size_t i = sp_state_bytes(r->m); i < *n; i++) {
        assert_int_equal(memory[i], (unsigned char)(7 * (i - sp_state_bytes(r->m))));
    }
    free(memory);
    return status;
}

static void what_was_written_is_read_to_the_bit(void **ctx)
{
    (void)ctx;
    rig a = rig_slider_crank(0.0), b = rig_slider_crank(0.0);
    const place p = place_new();
    note about = {0};
    size_t n;
    sp_error err = {.text = ""};
    rig_steps(&a, SP_METHOD_MOREAU, 1e-5, 1500);
    write_for(&a, p.file);
    assert_int_equal(read_for(&b, p.file, &about, &n, &err), SP_OK);
    assert_int_equal(n, sp_state_bytes(a.m) + MORE);
    assert_true(about.kind == 3 && about.t == 0.25);
    assert_memory_equal(a.x->q, b.x->q, (size_t)a.m->n_q * sizeof(double));
    assert_memory_equal(a.x->contact, b.x->contact, (size_t)a.m->n_slot * sizeof *a.x->contact);
    assert_memory_equal(&a.x->ledger, &b.x->ledger, sizeof a.x->ledger);
    place_free(&p);
    rig_free(&a);
    rig_free(&b);
}

/* A later checkpoint replaces the one before; one that cannot be written leaves it. */
static void a_file_is_replaced_whole_or_not_at_all(void **ctx)
{
    (void)ctx;
    rig a = rig_slider_crank(0.0), b = rig_slider_crank(0.0);
    const place p = place_new();
    char blocked[128];
    note about = {0};
    size_t n;
    sp_error err = {.text = ""};
    write_for(&a, p.file);
    rig_steps(&a, SP_METHOD_MOREAU, 1e-5, 10);
    write_for(&a, p.file);
    assert_int_equal(read_for(&b, p.file, &about, &n, &err), SP_OK);
    assert_true(b.x->t == a.x->t);
    snprintf(blocked, sizeof blocked, "%s.new", p.file);
    assert_int_equal(mkdir(blocked, 0700), 0);
    const sp_checkpoint c = {.memory = (const unsigned char *)"", .about = ""};
    assert_int_equal(sp_checkpoint_write(p.file, &c, &err), SP_E_IO);
    assert_non_null(strstr(err.text, "cannot write"));
    assert_int_equal(read_for(&b, p.file, &about, &n, &err), SP_OK);
    assert_int_equal(rmdir(blocked), 0);
    place_free(&p);
    rig_free(&a);
    rig_free(&b);
}

/* Every length of file but the whole one, and every byte changed: never taken, never read beyond.
 */
static void torn_and_changed_files_are_refused(void **ctx)
{
    (void)ctx;
    rig a = rig_slider_crank(0.0);
    const place p = place_new();
    note about = {0};
    size_t n;
    sp_error err = {.text = ""};
    write_for(&a, p.file);
    FILE *file = fopen(p.file, "rb");
    static unsigned char bytes[1 << 16];
    const size_t size = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    assert_true(size > 500 && size < sizeof bytes - 1);
    for (size_t k = 0; k < 2 * size; k += 1 + size / 400) {
        const size_t length = k < size ? k : size + (k == size ? 1 : 0);
        file = fopen(p.file, "wb");
        bytes[k % size] ^= k < size ? 0 : 0x40;
        assert_int_equal(fwrite(bytes, 1, length, file), length);
        bytes[k % size] ^= k < size ? 0 : 0x40;
        fclose(file);
        const double t = a.x->t;
        assert_int_equal(read_for(&a, p.file, &about, &n, &err), SP_E_IO);
        assert_non_null(strstr(err.text, "damaged"));
        assert_true(a.x->t == t && about.kind == 0);
    }
    place_free(&p);
    rig_free(&a);
}

static void files_of_other_models_and_no_files_are_refused(void **ctx)
{
    (void)ctx;
    rig a = rig_slider_crank(0.0), b = rig_of_file("tests/data/good/belt.yaml", NULL);
    const place p = place_new();
    note about = {0};
    size_t n;
    sp_error err = {.text = ""};
    assert_int_equal(read_for(&a, p.file, &about, &n, &err), SP_E_IO);
    assert_non_null(strstr(err.text, "--checkpoint"));
    write_for(&a, p.file);
    assert_int_equal(read_for(&b, p.file, &about, &n, &err), SP_E_INPUT);
    assert_null(strstr(err.text, "damaged"));
    place_free(&p);
    rig_free(&a);
    rig_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read_to_the_bit),
        cmocka_unit_test(a_file_is_replaced_whole_or_not_at_all),
        cmocka_unit_test(torn_and_changed_files_are_refused),
        cmocka_unit_test(files_of_other_models_and_no_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
