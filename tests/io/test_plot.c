/* Figures.  With the argument '--show folder' the program draws some to be looked at instead. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/plot.h"
#include "io/plot_data.h"
#include "io/plot_text.h"
#include "support/folder.h"
#include "test_result_fixture.h"

#include <unistd.h>

/* A result whose outputs follow a function of the step. */
typedef double (*output_of)(long k, int i);

static sp_result *make_result(const char *path, fixture *f, long n, output_of value)
{
    sp_error err;
    sp_result_writer *w;
    sp_result *r;
    ASSERT_OK(sp_result_create(path, &f->model, &fake_meta, &w, &err));
    const sp_observer o = sp_result_observer(w);
    for (long k = 0; k < n; k++) {
        fixture_step(f, k);
        f->record.sampled = true;
        for (int i = 0; i < f->model.n_output; i++) {
            f->value[i] = value(k, i);
        }
        ASSERT_OK(o.step(o.ctx, &f->model, &f->record, &err));
    }
    ASSERT_OK(sp_result_close(w, SP_OK, NULL, NULL, &err));
    ASSERT_OK(sp_result_open(path, &r, &err));
    return r;
}

/* A bouncing ball: height and speed, the jumps sharp. */
static double ball(long k, int i)
{
    double t = 1e-3 * (double)k, v = 3.0;
    while (t > 2.0 * v / 9.81) {
        t -= 2.0 * v / 9.81;
        v *= 0.8;
        if (v < 1e-3) {
            return 0.0;
        }
    }
    return i == 0 ? v * t - 0.5 * 9.81 * t * t : v - 9.81 * t;
}

static void start_of(const char *path, char *text, size_t size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t n = fread(text, 1, size - 1, f);
    text[n] = '\0';
    fclose(f);
}

static void figures_come_in_three_formats(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    char head[16];
    fixture_init(&f, 1, 1, 1, 2);
    sp_result *r = make_result(in_folder("a.h5"), &f, 2000, ball);
    const sp_plot_options o = sp_plot_default();
    const sp_plot_curve c = {.result = r, .y = "body1.omega"};
    ASSERT_OK(sp_plot_write(in_folder("a.svg"), &o, 1, &c, &err));
    start_of(in_folder("a.svg"), head, sizeof head);
    assert_memory_equal(head, "<?xml", 5);
    ASSERT_OK(sp_plot_write(in_folder("a.pdf"), &o, 1, &c, &err));
    start_of(in_folder("a.pdf"), head, sizeof head);
    assert_memory_equal(head, "%PDF-", 5);
    ASSERT_OK(sp_plot_write(in_folder("a.png"), &o, 1, &c, &err));
    start_of(in_folder("a.png"), head, sizeof head);
    assert_memory_equal(head, "\x89PNG", 4);
    sp_result *const both[2] = {r, r};
    ASSERT_OK(sp_plot_write_preset(in_folder("b.svg"), &o, "corners", 2, both, &err));
    ASSERT_OK(sp_plot_write_preset(in_folder("b.svg"), &o, "portrait", 1, both, &err));
    assert_int_equal(sp_plot_write_preset(in_folder("b.svg"), &o, "corner", 1, both, &err),
                     SP_E_INPUT);
    assert_non_null(strstr(err.text, "'corners'"));
    assert_int_equal(sp_plot_write(in_folder("a.jpg"), &o, 1, &c, &err), SP_E_INPUT);
    assert_non_null(strstr(err.text, "svg, pdf or png"));
    sp_result_free(r);
    fixture_free(&f);
}

static void a_figure_that_fails_leaves_the_old_one(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    char head[16];
    fixture_init(&f, 1, 1, 1, 2);
    sp_result *r = make_result(in_folder("a.h5"), &f, 20, ball);
    sp_plot_options o = sp_plot_default();
    const sp_plot_curve c = {.result = r, .y = "body1.omega"};
    ASSERT_OK(sp_plot_write(in_folder("a.svg"), &o, 1, &c, &err));
    o.program = "/nowhere/gnuplot";
    assert_int_equal(sp_plot_write(in_folder("a.svg"), &o, 1, &c, &err), SP_E_IO);
    assert_non_null(strstr(err.text, "gnuplot-nox"));
    o.program = "false";
    assert_int_equal(sp_plot_write(in_folder("a.svg"), &o, 1, &c, &err), SP_E_IO);
    o.program = "true";
    assert_int_equal(sp_plot_write(in_folder("a.svg"), &o, 1, &c, &err), SP_E_IO);
    assert_non_null(strstr(err.text, "drew nothing"));
    start_of(in_folder("a.svg"), head, sizeof head);
    assert_memory_equal(head, "<?xml", 5);
    o.program = "gnuplot";
    assert_int_equal(sp_plot_write(in_folder("."), &o, 1, &c, &err), SP_E_INPUT);
    assert_int_equal(sp_plot_write("/nowhere/a.svg", &o, 1, &c, &err), SP_E_IO);
    sp_result_free(r);
    fixture_free(&f);
}

/* The letters of an SVG, one after another, without its marks; &amp; and the like undone. */
static void letters_of(const char *svg, char *out, size_t size)
{
    static const char *const name[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#39;"};
    static const char sign[] = "&<>\"''";
    size_t n = 0;
    for (bool mark = false; *svg && n + 1 < size; svg++) {
        if (*svg == '<' || (mark && *svg == '>')) {
            mark = *svg == '<';
        } else if (!mark && *svg != '\n' && *svg != '\t') {
            char c = *svg;
            for (int k = 0; k < 6; k++) {
                const size_t length = strlen(name[k]);
                if (strncmp(svg, name[k], length) == 0) {
                    c = sign[k];
                    svg += length - 1;
                    break;
                }
            }
            out[n++] = c;
        }
    }
    out[n] = '\0';
}

/* No sign of XML stands bare. */
static void check_signs(const char *svg)
{
    for (const char *at = svg; (at = strchr(at, '&')) != NULL; at++) {
        char name[8] = "";
        assert_int_equal(sscanf(at, "&%7[a-z0-9#];", name), 1);
        assert_true(at[1 + strlen(name)] == ';');
    }
    assert_non_null(strstr(svg, "</svg>"));
}

/* Printer's apostrophes for typewriter's. */
static void as_printed(const char *text, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    for (; *text && n + 4 < size; text++) {
        n += (size_t)snprintf(out + n, size - n, *text == '\'' ? "’" : "%c", *text);
    }
}

static void names_show_as_text_and_run_nothing(void **ctx)
{
    (void)ctx;
    static const char *const nasty[] = {
        "it's \"quoted\"",
        "'; system('touch INJECTED'); print '",
        "`touch INJECTED`",
        "$(touch INJECTED)",
        "\"; !touch INJECTED",
        "a@b &c ~d{e} f^g^h long_name_here \\n \\\\ end\\",
        "END",
        "@x %s %d %n #comment",
        "<b>bold</b> &amp;",
        "~a{.8-} &{space} @^{x}_{y} {/Symbol a} {/=50 big}",
        "\xcf\x89\xe2\x82\xac|touch INJECTED",
    };
    static char svg[1 << 20], text[1 << 18], shown[1024];
    sp_error err;
    char cwd[1024];
    assert_non_null(getcwd(cwd, sizeof cwd));
    assert_int_equal(chdir(in_folder(".")), 0);
    for (size_t k = 0; k < sizeof nasty / sizeof nasty[0]; k++) {
        fixture f;
        fixture_init(&f, 1, 1, 1, 2);
        f.output[0].name = f.output[0].label = nasty[k];
        sp_result *r = make_result(in_folder("a.h5"), &f, 50, ball);
        sp_plot_options o = sp_plot_default();
        o.title = nasty[k];
        const sp_plot_curve c[2] = {{.result = r, .y = nasty[k]},
                                    {.result = r, .y = "t", .legend = nasty[k]}};
        ASSERT_OK(sp_plot_write("| touch INJECTED; .svg", &o, 2, c, &err));
        start_of("| touch INJECTED; .svg", svg, sizeof svg);
        check_signs(svg);
        letters_of(svg, text, sizeof text);
        as_printed(nasty[k], shown, sizeof shown);
        if (!strstr(text, shown)) { /* the title is shown sign by sign */
            fail_msg("not shown as it is: %s", shown);
        }
        assert_int_not_equal(access("INJECTED", F_OK), 0);
        sp_result_free(r);
        fixture_free(&f);
    }
    assert_int_equal(chdir(cwd), 0);
}

static void symbols_are_set_as_in_print(void **ctx)
{
    (void)ctx;
    char text[256];
    sp_plot_label("crank.omega", "rad/s", text, sizeof text);
    assert_string_equal(text, "crank.ω [rad/s]");
    sp_plot_label("guide.c1.upper.lambda_N", "N", text, sizeof text);
    assert_string_equal(text, "guide.c1.upper.λ_{N} [N]");
    sp_plot_label("g_N", "m/s^2", text, sizeof text);
    assert_string_equal(text, "g_{N} [m/s^{2}]");
    sp_plot_label("x*y^-2", "1", text, sizeof text);
    assert_string_equal(text, "x·y^{−2}");
    sp_plot_label("long_name", "N*s", text, sizeof text);
    assert_string_equal(text, "long\\_name [N·s]");
    sp_plot_text("omega's \\ {", false, text, sizeof text);
    assert_string_equal(text, "omega’s \\\\ \\{");
    sp_plot_text("phi_S'", true, text, sizeof text);
    assert_string_equal(text, "φ_{S}′");
    sp_plot_text("aaaa{", true, text, 6); /* no half of a pair at the end */
    assert_string_equal(text, "aaaa");
}

/* Waves so fast that a point in a thousand would miss them, with one spike and one gap. */
static double waves(long k, int i)
{
    if (i == 1) {
        return k == 77777 ? 50.0 : k == 30000 ? (double)NAN : sin(1.9 * (double)k);
    }
    return (double)k;
}

static void long_curves_keep_what_the_eye_can_see(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    fixture_init(&f, 0, 0, 0, 2);
    sp_result *r = make_result(in_folder("a.h5"), &f, 100000, waves);
    sp_plot_range range;
    int y;
    ASSERT_OK(sp_result_find(r, "plots.corners.y2", &y, &err));
    ASSERT_OK(sp_plot_look(r, 0, y, &range, &err));
    assert_true(range.n == 99999 && range.rising && range.y_max == 50.0);
    FILE *file = tmpfile();
    ASSERT_OK(sp_plot_points(r, 0, y, &range, file, &err));
    assert_true(range.n_drawn <= 4 * 4001);
    rewind(file);
    char line[128];
    int spikes = 0, breaks = 0;
    double last = -1.0, low[100], high[100];
    for (int k = 0; k < 100; k++) {
        low[k] = high[k] = 0.0;
    }
    while (fgets(line, sizeof line, file)) {
        double t, v;
        if (sscanf(line, "%lf %lf", &t, &v) != 2) {
            breaks++;
            continue;
        }
        assert_true(t >= last);
        last = t;
        spikes += v == 50.0;
        const int k = (int)(t * 0.99999);
        low[k] = fmin(low[k], v);
        high[k] = fmax(high[k], v);
    }
    fclose(file);
    assert_true(spikes >= 1 && breaks == 1);
    for (int k = 0; k < 100; k++) {
        assert_true(low[k] < -0.999 && high[k] > 0.999);
    }
    /* the same against itself is a portrait: x falls again and again */
    ASSERT_OK(sp_plot_look(r, y, y, &range, &err));
    assert_false(range.rising);
    file = tmpfile();
    ASSERT_OK(sp_plot_points(r, y, y, &range, file, &err));
    assert_true(range.n_drawn > 1000);
    fclose(file);
    sp_result_free(r);
    fixture_free(&f);
}

static void curves_of_one_point_or_one_value_are_drawn(void **ctx)
{
    (void)ctx;
    fixture f;
    sp_error err;
    fixture_init(&f, 1, 1, 1, 2);
    const sp_plot_options o = sp_plot_default();
    sp_result *r = make_result(in_folder("a.h5"), &f, 1, ball);
    sp_plot_curve c = {.result = r, .y = "plots.corners.y1"};
    ASSERT_OK(sp_plot_write(in_folder("one.svg"), &o, 1, &c, &err));
    sp_result_free(r);
    r = make_result(in_folder("a.h5"), &f, 50, ball);
    c = (sp_plot_curve){.result = r, .y = "certificate.cone", .x = "certificate.cone"};
    ASSERT_OK(sp_plot_write(in_folder("one.svg"), &o, 1, &c, &err));
    sp_result_free(r);
    fixture_free(&f);
}

/* Figures to be looked at. */
static int show(const char *where)
{
    fixture f;
    sp_error err;
    folder_take(where);
    fixture_init(&f, 2, 2, 2, 2);
    f.body[1].name = "crank";
    f.body[2].name = "rod";
    f.output[0].name = "height";
    f.output[0].label = "ball.y";
    f.output[0].unit = "m";
    f.output[1].name = "speed";
    f.output[1].label = "ball.vy";
    f.output[1].unit = "m/s";
    sp_result *r = make_result(in_folder("mu_0.1 first.h5"), &f, 2400, ball);
    sp_result *s = make_result(in_folder("second_run.h5"), &f, 1800, ball);
    sp_plot_options o = sp_plot_default();
    const sp_plot_curve c[] = {{.result = r, .y = "crank.omega"},
                               {.result = r, .y = "rod.omega"},
                               {.result = s, .y = "crank.omega"},
                               {.result = r, .y = "speed"},
                               {.result = r, .y = "height"},
                               {.result = r, .x = "height", .y = "speed"},
                               {.result = r, .y = "guide.c1.upper.lambda_N"}};
    sp_result *const both[2] = {r, s};
    const char *const ending[] = {"png", "svg", "pdf"};
    bool ok = true;
    for (int k = 0; k < 3 && ok; k++) {
        char name[64];
        o.format = ending[k];
        o.title = NULL;
        snprintf(name, sizeof name, "1_speed.%s", ending[k]);
        ok = ok && sp_plot_write(in_folder(name), &o, 1, &c[3], &err) == SP_OK;
        o.title = "Speeds of {crank} & rod_1, it's ω";
        snprintf(name, sizeof name, "2_two.%s", ending[k]);
        ok = ok && sp_plot_write(in_folder(name), &o, 2, &c[0], &err) == SP_OK;
        o.title = NULL;
        snprintf(name, sizeof name, "3_units.%s", ending[k]);
        ok = ok && sp_plot_write(in_folder(name), &o, 2, &c[3], &err) == SP_OK;
        snprintf(name, sizeof name, "4_portrait.%s", ending[k]);
        ok = ok && sp_plot_write(in_folder(name), &o, 1, &c[5], &err) == SP_OK;
        snprintf(name, sizeof name, "5_files.%s", ending[k]);
        ok = ok && sp_plot_write_preset(in_folder(name), &o, "corners", 2, both, &err) == SP_OK;
        snprintf(name, sizeof name, "6_force.%s", ending[k]);
        ok = ok && sp_plot_write(in_folder(name), &o, 1, &c[6], &err) == SP_OK;
        o.equal = true;
        snprintf(name, sizeof name, "7_equal.%s", ending[k]);
        ok = ok && sp_plot_write(in_folder(name), &o, 1, &c[5], &err) == SP_OK;
        o.equal = false;
    }
    if (!ok) {
        fprintf(stderr, "%s\n", err.text);
    }
    sp_result_free(r);
    sp_result_free(s);
    fixture_free(&f);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--show") == 0) {
        return show(argv[2]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_come_in_three_formats),
        cmocka_unit_test(a_figure_that_fails_leaves_the_old_one),
        cmocka_unit_test(names_show_as_text_and_run_nothing),
        cmocka_unit_test(symbols_are_set_as_in_print),
        cmocka_unit_test(long_curves_keep_what_the_eye_can_see),
        cmocka_unit_test(curves_of_one_point_or_one_value_are_drawn),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
