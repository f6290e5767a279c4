/* Slots that are lent: every pair that is near has one, once, and keeps it.   theory (18.9) */
#include "contact/con3.h"
#include "contact/pair3.h"
#include "contact/pool3.h"
#include "support/check.h"
#include "support/machine.h"

#include <string.h>

enum { BALLS = 12 };

static machine balls(int room)
{
    text t = {.n = 0};
    text_add(&t,
             "specht: 1\nspace: spatial\ngravity: 0\n"
             "bodies:\n"
             "  ground: {contours: {floor: {plane: [0, 0, 1], at: [0, 0, -9 m]}}}\n"
             "  ball: {count: %d, mass: 1 kg, inertia: 1, contours: {skin: {sphere: 10 cm}}}\n"
             "contacts: {heap: {between: [ball, [ball, ground]], law: {mu: 0.1}, room: %d}}\n"
             "start: {ball.x: i*1 m}\nrun: {until: 1 s, step: 1 ms, method: moreau}\n",
             BALLS, room);
    return machine_of_text(t.s);
}

/* Put all balls anywhere in a box of 1 m. */
static void scatter(rng *r, const sp_model *m, double *q)
{
    memset(q, 0, (size_t)m->n_q * sizeof *q);
    for (int k = 0; k < m->n_q; k++) {
        const bool place = m->coord[k].dof != SP_NONE;
        const bool w = strstr(m->coord[k].name, "qw") != NULL;
        q[k] = place ? rng_in(r, 0.0, 0.6) : w ? 1.0 : 0.0;
    }
}

/* How many slots of the pool of balls are lent to the pair of balls i < j, and the last of them. */
static int lent_to(const machine *c, int i, int j, int *slot)
{
    const sp_pool *pool = &c->m->pool[0];
    int n = 0;
    for (int k = pool->slot; k < pool->slot + pool->n_slot; k++) {
        if (c->w->con.key[k] == sp_key_of((long long)i * pool->n_b + j, 0)) {
            n++;
            *slot = k;
        }
    }
    return n;
}

static void every_near_pair_has_one_slot_and_the_others_none(void **ctx)
{
    (void)ctx;
    rng r = {77};
    machine c = balls(66);
    const sp_pool *pool = &c.m->pool[0];
    sp_contact_memory memory[200];
    double q[7 * BALLS], u[6 * BALLS] = {0.0};
    int near = 0;
    assert_int_equal(pool->n_a, BALLS);
    assert_true(pool->both);
    for (int n = 0; n < check_cases(300, 10000); n++) {
        memset(memory, 0, sizeof memory);
        sp_con_remember(c.m, memory, &c.w->con);
        scatter(&r, c.m, q);
        machine_touch(&c, q, u, -INFINITY);
        double least = INFINITY;
        for (int i = 0; i < BALLS; i++) {
            for (int j = i + 1; j < BALLS; j++) {
                const double g = sp_pair3_gap(c.m, c.num, &c.w->kin, pool->a[i], pool->b[j]);
                int slot = 0;
                const int n_lent = lent_to(&c, i, j, &slot);
                assert_int_equal(n_lent, g < pool->margin);
                if (n_lent) {
                    assert_true(c.w->con.g[slot] == g);
                    near++;
                }
                least = g < least ? g : least;
            }
        }
        assert_true(least >= pool->margin || c.w->con.least == least);
        assert_int_equal(c.w->con.short_of, 0);
    }
    assert_true(near > 1000);
    machine_free(&c);
}

static void a_pair_keeps_its_slot_until_it_is_apart_and_forgotten(void **ctx)
{
    (void)ctx;
    machine c = balls(10);
    sp_contact_memory memory[200];
    double q[7 * BALLS], u[6 * BALLS] = {0.0}, g[200];
    memset(memory, 0, sizeof memory);
    memset(q, 0, sizeof q);
    for (int i = 0; i < BALLS; i++) { /* coordinates of a free body: x y z, quaternion */
        q[7 * i] = 3.0 * i;
        q[7 * i + 3] = 1.0;
    }
    q[7 * 5] = q[7 * 4] + 0.2; /* balls 4 and 5 touch */
    int slot = -1, again = -1;
    sp_con_remember(c.m, memory, &c.w->con);
    machine_touch(&c, q, u, 0.0);
    assert_int_equal(lent_to(&c, 4, 5, &slot), 1);
    sp_con_keep(c.m, &c.w->con, g, memory);
    memory[slot].state = SP_STATE_STICK; /* something to remember */

    q[7 * 5] += 1.0;
    q[7 * 1] = q[7 * 0] + 0.2; /* another pair, of a smaller key */
    sp_con_remember(c.m, memory, &c.w->con);
    machine_touch(&c, q, u, 0.0);
    assert_int_equal(lent_to(&c, 4, 5, &again), 1);
    assert_int_equal(again, slot);
    assert_int_equal(lent_to(&c, 0, 1, &again), 1);
    assert_int_not_equal(again, slot);

    memory[slot].state = SP_STATE_OPEN;
    sp_con_keep(c.m, &c.w->con, g, memory);
    assert_true(memory[slot].key == 0 && isinf(g[slot]));
    sp_con_remember(c.m, memory, &c.w->con);
    assert_int_equal(lent_to(&c, 4, 5, &again), 0);
    machine_free(&c);
}

static void a_pool_that_is_too_small_says_how_much_it_lacks(void **ctx)
{
    (void)ctx;
    machine c = balls(1);
    double q[7 * BALLS], u[6 * BALLS] = {0.0};
    memset(q, 0, sizeof q);
    for (int i = 0; i < BALLS; i++) {
        q[7 * i] = 0.2 * i; /* a row of balls that touch: 11 pairs, room for 1 */
        q[7 * i + 3] = 1.0;
    }
    sp_error err = {.text = ""};
    sp_kin_positions(c.m, c.num, q, &c.w->kin);
    sp_kin_velocities(c.m, u, &c.w->kin);
    sp_con_gaps(c.m, c.num, &c.w->kin, &c.w->con);
    assert_int_equal(c.w->con.short_of, BALLS - 2);
    assert_int_equal(sp_con_activate(c.m, 0.0, NULL, &c.w->con, &err), SP_E_CAPACITY);
    assert_non_null(strstr(err.text, "about 10 too many"));
    machine_free(&c);
}

/* Balls that fly straight: until the time that is clear no pair without a slot touches, and far
 * pairs give theirs back.   theory (28.4), (28.5) */
static void nothing_without_a_slot_touches_before_the_time_that_is_clear(void **ctx)
{
    (void)ctx;
    rng r = {78};
    machine c = balls(66);
    const sp_pool *pool = &c.m->pool[0];
    const bool keep[200] = {false};
    double q[7 * BALLS], at[7 * BALLS], u[6 * BALLS];
    int limited = 0;
    for (int n = 0; n < check_cases(200, 5000); n++) {
        scatter(&r, c.m, q);
        for (int k = 0; k < c.m->n_dof; k++) {
            u[k] = k % 6 < 3 ? rng_in(&r, -1.0, 1.0) : 0.0;
        }
        machine_move(&c, q, u);
        assert_int_equal(sp_pool3_assign(c.m, c.num, &c.w->kin, keep, &c.w->con, NULL), SP_OK);
        const double clear = sp_pool3_clear(c.m, c.num, 0.0, &c.w->con);
        assert_true(clear > 0.0 && clear < INFINITY);
        memcpy(at, q, sizeof at);
        sp_kin_advance(c.m, clear, u, at);
        machine_move(&c, at, u);
        double least = INFINITY;
        for (int i = 0; i < BALLS; i++) {
            for (int j = i + 1; j < BALLS; j++) {
                int slot = 0;
                if (lent_to(&c, i, j, &slot) == 0) {
                    least =
                        fmin(least, sp_pair3_gap(c.m, c.num, &c.w->kin, pool->a[i], pool->b[j]));
                }
            }
        }
        assert_true(least > -1e-12);
        limited += least < 0.05;
    }
    assert_true(limited > 20); /* and the time is not much too short */
    machine_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_without_a_slot_touches_before_the_time_that_is_clear),
        cmocka_unit_test(every_near_pair_has_one_slot_and_the_others_none),
        cmocka_unit_test(a_pair_keeps_its_slot_until_it_is_apart_and_forgotten),
        cmocka_unit_test(a_pool_that_is_too_small_says_how_much_it_lacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
