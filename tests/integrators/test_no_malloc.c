/* No memory is asked for in the step loop: neither from the caller's allocator nor from malloc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/check.h"
#include "support/run.h"

#include "model/state.h"

#include <stdlib.h>

/* Sanitizers bring a malloc of their own, and other C libraries have no second name for theirs. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

enum { STEPS = 10000 };
static long n_malloc; /* calls of malloc, calloc and realloc of the whole program */

#if defined(__GLIBC__) && !defined(SANITIZED)
#define COUNTS_MALLOC 1
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    n_malloc++;
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    n_malloc++;
    return __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    n_malloc++;
    return __libc_realloc(old, size);
}
#endif

/* Calls of the allocator that the objects were made with. */
typedef struct count {
    long n;
} count;

static void *counted_alloc(void *ctx, size_t size)
{
    ((count *)ctx)->n++;
    return malloc(size);
}

static void counted_free(void *ctx, void *block)
{
    ((count *)ctx)->n++;
    free(block);
}

/* The slider-crank with state and scratch from the counting allocator; a start that turns the
 * slider meets all the solver's ways. */
static void steps_ask_for_no_memory(void **ctx)
{
    (void)ctx;
    count c = {0};
    const sp_allocator allocator = {.alloc = counted_alloc, .release = counted_free, .ctx = &c};
    sp_error err = {.status = SP_OK};
    rig r = rig_slider_crank(-0.1);
    sp_state *x;
    sp_work *w;
    assert_int_equal(sp_state_new(r.m, &allocator, &x, &err), SP_OK);
    assert_int_equal(sp_work_new(r.m, &allocator, &w, &err), SP_OK);
    assert_true(c.n > 0);

    const long before = c.n, before_malloc = n_malloc;
    long contacts = 0;
    for (int i = 0; i < STEPS; i++) {
        sp_step_info info;
        const sp_method method = i % 2 ? SP_METHOD_MOREAU : SP_METHOD_MOREAU_MEAN;
        if (sp_step(r.m, x, w, method, 1e-5, &info, &err) != SP_OK) {
            fail_msg("%s", err.text);
        }
        contacts += info.n_active > 0;
    }
    assert_int_equal(c.n, before);
    assert_int_equal(n_malloc, before_malloc);
    assert_true(contacts > 1000);
    sp_work_free(w);
    sp_state_free(x);
    rig_free(&r);
}

/* The same through sp_run, which the program uses. */
static void runs_ask_for_no_memory(void **ctx)
{
    (void)ctx;
    rig r = rig_slider_crank(-0.1);
    const sp_run_options options = {
        .method = SP_METHOD_MOREAU, .until = 0.1, .step = 1e-5, .output_step = 1e-3};
    sp_run_summary summary;
    sp_error err = {.status = SP_OK};
    const long before = n_malloc;
    assert_int_equal(sp_integrate(r.m, r.x, r.w, &options, NULL, 0, &summary, &err), SP_OK);
    assert_int_equal(n_malloc, before);
    assert_int_equal(summary.steps, STEPS);
    rig_free(&r);
}

/* The same scratch serves for any number of runs of any method, also of those that may be resumed:
 * after two of them nothing more is asked for. */
static void runs_again_ask_for_no_memory(void **ctx)
{
    (void)ctx;
    const sp_method method[] = {SP_METHOD_MOREAU, SP_METHOD_ADAPTIVE, SP_METHOD_EVENT};
    count c = {0};
    const sp_allocator allocator = {.alloc = counted_alloc, .release = counted_free, .ctx = &c};
    sp_error err = {.status = SP_OK};
    rig r = rig_slider_crank(-0.1);
    unsigned char *start = malloc(sp_state_bytes(r.m));
    sp_work *w;
    assert_non_null(start);
    assert_int_equal(sp_work_new(r.m, &allocator, &w, &err), SP_OK);
    sp_state_pack(r.m, r.x, start);
    long before = 0, before_malloc = 0;
    for (int i = 0; i < 60; i++) {
        sp_run_progress progress;
        sp_run_summary summary;
        const sp_run_options o = {.method = method[i % 3],
                                  .until = 0.01,
                                  .step = i % 3 == 0 ? 1e-4 : 0.0,
                                  .output_step = 0.01,
                                  .tolerance = 1e-6,
                                  .progress = &progress};
        assert_int_equal(sp_state_unpack(r.m, start, sp_state_bytes(r.m), r.x, &err), SP_OK);
        assert_int_equal(sp_integrate(r.m, r.x, w, &o, NULL, 0, &summary, &err), SP_OK);
        if (i < 6) {
            before = c.n;
            before_malloc = n_malloc;
        }
        assert_int_equal(c.n, before);
        assert_int_equal(n_malloc, before_malloc);
    }
    free(start);
    sp_work_free(w);
    rig_free(&r);
}

/* The counter above would see a call. */
static void counter_counts(void **ctx)
{
    (void)ctx;
#ifdef COUNTS_MALLOC
    void *(*volatile get)(size_t) = malloc; /* calls that a compiler must not leave out */
    void *(*volatile more)(void *, size_t) = realloc;
    const long before = n_malloc;
    free(more(get(10), 20));
    assert_int_equal(n_malloc - before, 2);
#else
    print_message("malloc is not counted in this build\n");
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counter_counts),
        cmocka_unit_test(steps_ask_for_no_memory),
        cmocka_unit_test(runs_ask_for_no_memory),
        cmocka_unit_test(runs_again_ask_for_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
