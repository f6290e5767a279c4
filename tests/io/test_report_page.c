/* The page: where the data goes into the template, and that no text gets out of its place. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test_result_fixture.h"

#include "io/report.h"

#include <sys/wait.h>
#include <unistd.h>

#define ELEMENT "<script id=\"specht-data\">/*SPECHT_DATA*/</script>"

static char folder[64], result_path[128], page_path[128];

static int make_folder(void **ctx)
{
    (void)ctx;
    snprintf(folder, sizeof folder, "/tmp/specht_page_XXXXXX");
    if (!mkdtemp(folder)) {
        return -1;
    }
    snprintf(result_path, sizeof result_path, "%s/a.h5", folder);
    snprintf(page_path, sizeof page_path, "%s/page.html", folder);
    return 0;
}

static int remove_folder(void **ctx)
{
    (void)ctx;
    unlink(result_path);
    unlink(page_path);
    return rmdir(folder);
}

/* Write a template and read it as the program does. */
static sp_status template_of(const char *text, char **page, sp_error *err)
{
    FILE *file = fopen(page_path, "w");
    fputs(text, file);
    fclose(file);
    return sp_page_read(page_path, page, err);
}

/* The page of one result, to be freed. */
static char *page_of(sp_result *r, const char *page)
{
    char *text = NULL;
    size_t size = 0;
    sp_error err = {0};
    const sp_page_options options = {0};
    FILE *file = open_memstream(&text, &size);
    if (sp_page_write(file, page, 1, &r, &options, NULL, &err) != SP_OK) {
        fail_msg("%s", err.text);
    }
    fclose(file);
    return text;
}

static sp_result *result_of(fixture *f, long steps)
{
    sp_error err = {0};
    sp_result *r = NULL;
    assert_int_equal(fixture_write(f, result_path, steps, SP_OK, &err), SP_OK);
    assert_int_equal(sp_result_open(result_path, &r, &err), SP_OK);
    return r;
}

static void the_data_goes_where_the_mark_is_all_of_an_element(void **ctx)
{
    (void)ctx;
    fixture f;
    char *page = NULL;
    sp_error err = {0};
    fixture_init(&f, 2, 2, 2, 2);
    sp_result *r = result_of(&f, 21);
    const char before[] = "<script>a = '/*SPECHT_DATA*/'; b > /*SPECHT_DATA*/ 1</script>";
    assert_int_equal(template_of("<script>a = '/*SPECHT_DATA*/'; b > /*SPECHT_DATA*/ 1</script>"
                                 "<script type=\"x\">\n  /*SPECHT_DATA*/\n</script><p>end</p>",
                                 &page, &err),
                     SP_OK);
    char *text = page_of(r, page);
    assert_memory_equal(text, before, sizeof before - 1);
    const char *data = strstr(text, "<script type=\"x\">\n  {\"format\": 1, \"runs\": [{");
    assert_non_null(data);
    assert_string_equal(strstr(data, "]}\n</script>"), "]}\n</script><p>end</p>");
    free(text);
    free(page);
    sp_result_free(r);
    fixture_free(&f);
}

static void a_template_without_a_place_is_refused(void **ctx)
{
    (void)ctx;
    static const char *const bad[] = {"",
                                      "<html></html>",
                                      "/*SPECHT_DATA*/",
                                      "<script>/*SPECHT_DATA*/ 1</script>",
                                      "<script>'/*SPECHT_DATA*/'</script>",
                                      "<p>/*SPECHT_DATA*/"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char *page = NULL;
        sp_error err = {0};
        assert_int_equal(template_of(bad[k], &page, &err), SP_E_INPUT);
        assert_null(page);
        assert_non_null(strstr(err.text, page_path));
    }
    char *page = NULL;
    sp_error err = {0};
    assert_int_equal(sp_page_read("/nowhere/page.html", &page, &err), SP_E_IO);
    assert_int_equal(sp_page_read(folder, &page, &err), SP_E_IO);
}

static void no_name_gets_out_of_its_element(void **ctx)
{
    (void)ctx;
    fixture f;
    char *page = NULL;
    sp_error err = {0};
    fixture_init(&f, 1, 1, 1, 2);
    f.body[1].name = "</script><img src=x onerror=alert(1)>";
    f.slot[0].name = "<!--<script>";
    f.output[0].name = "</ScRiPt >";
    f.output[1].unit = "<b>\"\\";
    f.plot[0].title = "]]></script>";
    f.model.name = "</script>\n\t\x01 \xff \xe2\x80\xa8";
    sp_result *r = result_of(&f, 21);
    assert_int_equal(template_of("<html>" ELEMENT "</html>", &page, &err), SP_OK);
    char *text = page_of(r, page);
    int angles = 0;
    for (const char *c = text; *c; c++) {
        angles += *c == '<';
        assert_true((unsigned char)*c >= 0x20);
    }
    assert_int_equal(angles, 4); /* those of the template */
    assert_non_null(strstr(text, "\\u003c/script>\\u003cimg src=x onerror=alert(1)>"));
    free(text);
    free(page);
    sp_result_free(r);
    fixture_free(&f);
}

/* A page of a damaged file, in a process of its own as in test_result.c. */
static void page_of_damaged(const char *page)
{
    const pid_t child = fork();
    if (child == 0) {
        sp_result *r = NULL;
        sp_error err = {0};
        const sp_page_options options = {0};
        FILE *file = fopen("/dev/null", "w");
        if (sp_result_open(result_path, &r, &err) == SP_OK &&
            sp_result_about(r)->n_frame < 100000 && sp_result_about(r)->n_event < 100000) {
            (void)sp_page_write(file, page, 1, &r, &options, NULL, &err);
        }
        sp_result_free(r);
        fclose(file);
        _exit(0);
    }
    int how = -1;
    waitpid(child, &how, 0);
    assert_int_equal(how, 0);
}

static void damaged_files_never_crash(void **ctx)
{
    (void)ctx;
    static unsigned char good[1 << 20], bad[1 << 20];
    fixture f;
    char *page = NULL;
    sp_error err = {0};
    fixture_init(&f, 2, 2, 2, 2);
    sp_result_free(result_of(&f, 101));
    assert_int_equal(template_of(ELEMENT, &page, &err), SP_OK);
    FILE *file = fopen(result_path, "rb");
    const size_t n = fread(good, 1, sizeof good, file);
    fclose(file);
    uint32_t seed = 3;
    const int cases = getenv("SPECHT_FULL") ? 4000 : 150;
    for (int k = 0; k < cases; k++) {
        memcpy(bad, good, n);
        for (int i = 0; i < 1 + k % 8; i++) {
            seed = seed * 1664525u + 1013904223u;
            bad[k % 2 ? seed % n : (seed >> 4) % 8192] = (unsigned char)(seed >> 24);
        }
        file = fopen(result_path, "wb");
        fwrite(bad, 1, n, file);
        fclose(file);
        page_of_damaged(page);
    }
    free(page);
    fixture_free(&f);
}

int main(void)
{
    sp_result_quiet_exit();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_data_goes_where_the_mark_is_all_of_an_element),
        cmocka_unit_test(a_template_without_a_place_is_refused),
        cmocka_unit_test(no_name_gets_out_of_its_element),
        cmocka_unit_test(damaged_files_never_crash),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
