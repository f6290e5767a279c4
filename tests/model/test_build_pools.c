/* Pools of slots: when there is one, how large, and what its slots are called. */
#include "support/check.h"
#include "support/machine.h"

#include <string.h>

static machine grains(int count, const char *sides, const char *room)
{
    text t = {.n = 0};
    text_add(
        &t,
        "specht: 1\nspace: spatial\ngravity: 0\n"
        "bodies:\n"
        "  ground: {contours: {floor: {plane: [0, 0, 1], at: [0, 0, -9 m]}}}\n"
        "  ball: {count: %d, mass: 1 kg, inertia: 1, contours: {skin: {sphere: 2 cm + i*1 mm}}}\n"
        "contacts: {heap: {between: %s, law: {mu: 0.1}%s}}\n"
        "start: {ball.x: i*1 m}\nrun: {until: 1 s, step: 1 ms, method: moreau}\n",
        count, sides, room);
    return machine_of_text(t.s);
}

static void few_pairs_have_a_slot_each_and_many_share_a_pool(void **ctx)
{
    (void)ctx;
    machine few = grains(40, "[ball, ball]", ""), many = grains(100, "[ball, ball]", "");
    assert_int_equal(few.m->n_pool, 0);
    assert_int_equal(few.m->n_slot, 40 * 39 / 2);
    assert_int_equal(many.m->n_pool, 1);
    assert_int_equal(many.m->n_slot, 600);
    assert_true(many.m->pool[0].both);
    assert_near(many.m->pool[0].margin, 0.05 * 0.021, 1e-15);
    machine_free(&few);
    machine_free(&many);
}

static void a_side_with_all_of_the_other_is_two_contacts_in_one(void **ctx)
{
    (void)ctx;
    machine c = grains(100, "[ball, [ball, ground]]", "");
    const sp_model *m = c.m;
    assert_int_equal(m->n_pool, 1);
    assert_int_equal(m->n_slot, 600 + 100);
    assert_int_equal(m->contact[0].n_slot, 700);
    assert_string_equal(m->slot[0].name, "heap.pair.1");
    assert_string_equal(m->slot[599].name, "heap.pair.600");
    assert_string_equal(m->slot[699].name, "heap.100");
    assert_int_equal(m->slot[699].kind, SP_SLOT_SPACE);
    machine_free(&c);
}

static void room_makes_a_pool_of_that_size_but_not_larger_than_its_pairs(void **ctx)
{
    (void)ctx;
    machine small = grains(4, "[ball, ball]", ", room: 3");
    machine large = grains(4, "[ball, ball]", ", room: 50");
    assert_int_equal(small.m->n_slot, 3);
    assert_int_equal(large.m->n_slot, 6);
    assert_int_equal(large.m->n_pool, 1);
    machine_free(&small);
    machine_free(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_pairs_have_a_slot_each_and_many_share_a_pool),
        cmocka_unit_test(a_side_with_all_of_the_other_is_two_contacts_in_one),
        cmocka_unit_test(room_makes_a_pool_of_that_size_but_not_larger_than_its_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
