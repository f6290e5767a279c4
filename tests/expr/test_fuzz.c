/* Random and mutated texts: whatever comes, the answer is a program or a sentence. */
#include "test_expr.h"

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static const char *const seeds[] = {
    "0.1 + 0.2*exp(-abs(v)/(0.01 m/s))",
    "(m*v^2 + 3 kg*(v - 2 mm/s)^2)/2",
    "if(x < 1, x^3*(10 - 15*x + 6*x^2), 1)",
    "link.(i mod n + 1).back + link.(link.(1).back/4 m).back",
    "clamp(atan2(x, y), -pi/2, 30 deg) mod 2",
    "square(mean(ramp(x), area(y, z))) - ping(3)",
    "not x < y and 3 N*m/rad*phi_S'' >= 5e-3 kg*m^2*2 rpm or 1/0",
    "12:30 0x1F 1_000 .inf ~ 5 Nm",
};

static const char *const pieces[] = {
    "(",    ")",    ",",    " ",      ".",  "'",  "^",   "-",    "+",       "*",     "/",
    "1",    "0",    "1e9",  "1e-999", "x",  "l1", " mm", " N*m", " mod ",   " and ", "not ",
    "if(",  "sin(", "max(", "link.",  ".(", "i",  "<",   ">=",   "square(", "ping(", "\xC3\xA4",
    "\x01", "\x80", "%",    " %",     "e",  "_",  "[",   "&&",   "**",      "pi",    "\n",
};

/* A text changed in a few places. */
static void mutate(char *text, size_t size, uint64_t *seed)
{
    const int n = 1 + (int)(next(seed) % 6);
    for (int k = 0; k < n; k++) {
        const size_t length = strlen(text), at = length ? next(seed) % length : 0;
        const char *piece = pieces[next(seed) % (sizeof pieces / sizeof pieces[0])];
        const size_t extra = strlen(piece);
        switch (next(seed) % 4) {
        case 0: /* remove */
            if (length) {
                memmove(text + at, text + at + 1, length - at);
            }
            break;
        case 1: /* any byte */
            if (length) {
                text[at] = (char)(1 + next(seed) % 255);
            }
            break;
        case 2: /* cut */
            text[at] = '\0';
            break;
        default: /* insert */
            if (length + extra < size) {
                memmove(text + at + extra, text + at, length - at + 1);
                memcpy(text + at, piece, extra);
            }
            break;
        }
    }
}

/* Compiles, and evaluates what compiles; returns whether it did. */
static bool survive(const char *text)
{
    sp_arena a;
    sp_program *p = NULL;
    sp_expr_info info;
    sp_error err = {.text = ""};
    sp_arena_init(&a, NULL, 0);
    const sp_status status = sp_expr_compile(&a, text, &test_resolver, &p, &info, &err);
    if (status == SP_OK) {
        const int n = sp_program_n_input(p);
        double in[16] = {0.3, -0.7, 1.1, 0.0, 2.0}, grad[16], hess[136];
        assert_true(n <= 16);
        double *work = SP_NEW(&a, double, sp_program_work(p, 2));
        const double value = sp_program_value(p, in, work);
        const double again = sp_program_hess(p, in, grad, hess, work);
        assert_true(value == again || (isnan(value) && isnan(again)));
        sp_quantity_fits(text, &info, sp_dim_of(0, 0, -1), NULL, &err);
    } else {
        assert_null(p);
        assert_true(err.text[0] && strlen(err.text) < sizeof err.text);
        assert_true(info.offset <= strlen(text));
        for (const char *c = err.text; *c; c++) {
            assert_true(*c >= 32 && *c < 127); /* fit for a terminal */
        }
    }
    const char *path;
    sp_path_canonical(&a, text, &test_resolver, &path, &err);
    double factor;
    sp_dim dim;
    sp_unit_parse(text, strlen(text), &factor, &dim, &err);
    sp_arena_free(&a);
    return status == SP_OK;
}

static void mutated_texts_give_a_program_or_a_sentence(void **ctx)
{
    (void)ctx;
    uint64_t seed = 88172645463325252u;
    long n_good = 0;
    for (int k = 0; k < 60000; k++) {
        char text[512];
        snprintf(text, 256, "%s", seeds[next(&seed) % 8]);
        mutate(text, sizeof text - 1, &seed);
        n_good += survive(text) ? 1 : 0;
    }
    print_message("60000 mutated texts, %ld of them compile\n", n_good);
    assert_true(n_good > 1000 && n_good < 59000);
}

static void random_pieces_give_a_program_or_a_sentence(void **ctx)
{
    (void)ctx;
    uint64_t seed = 2463534242u;
    long n_good = 0;
    for (int k = 0; k < 60000; k++) {
        char text[512] = "";
        for (int i = (int)(next(&seed) % 12); i >= 0; i--) {
            strcat(text, pieces[next(&seed) % (sizeof pieces / sizeof pieces[0])]);
        }
        n_good += survive(text) ? 1 : 0;
    }
    print_message("60000 random texts, %ld of them compile\n", n_good);
    assert_true(n_good > 100);
}

static void random_bytes_give_a_sentence(void **ctx)
{
    (void)ctx;
    uint64_t seed = 362436069u;
    for (int k = 0; k < 40000; k++) {
        char text[64];
        const size_t n = next(&seed) % 63;
        for (size_t i = 0; i < n; i++) {
            text[i] = (char)(1 + next(&seed) % 255);
        }
        text[n] = '\0';
        survive(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutated_texts_give_a_program_or_a_sentence),
        cmocka_unit_test(random_pieces_give_a_program_or_a_sentence),
        cmocka_unit_test(random_bytes_give_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
