/* Traits of slots: what a model file asks for is what they say. */
#include "test_build.h"

/* The traits of the slot, or bilateral row, with this name. */
static sp_slot_traits traits_of(const sp_model *m, const char *name)
{
    for (int i = 0; i < m->n_slot + m->n_bond; i++) {
        if (strcmp(m->slot[i].name, name) == 0) {
            return m->slot[i].is;
        }
    }
    fail_msg("no slot '%s'", name);
    return (sp_slot_traits){0};
}

static void couplings_say_whether_they_are_dry_store_or_run_one_way(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP "bodies: {a: {mass: 1, inertia: 1, joint: {prismatic: ground, axis: [1, 0]}},\n"
            "  d: {inertia: 1, joint: {revolute: ground}}}\n"
            "couplings:\n"
            "  brake: {of: d.phi, friction: 20 N*m}\n"
            "  wheel: {of: d.phi, one_way: forward}\n"
            "  latch: {of: a.x, threshold: 3 N}\n"
            "  gear: {of: a.x - (0.1 m)*d.phi, fix: 0}\n"
            "contacts:\n"
            "  plain: {gap: a.x + 1 m, law: {eps_N: 0.3}}\n"
            "  rough: {gap: a.x + 1 m, slip: (0.1 m)*d.omega, law: {mu: 0.3}}\n");
    const sp_slot_traits brake = traits_of(m, "brake"), wheel = traits_of(m, "wheel");
    const sp_slot_traits latch = traits_of(m, "latch"), gear = traits_of(m, "gear");
    const sp_slot_traits plain = traits_of(m, "plain"), rough = traits_of(m, "rough");
    assert_true(brake.rule && brake.dry && brake.interval && brake.gapless && brake.turns);
    assert_true(!brake.stores && !brake.one_way && !brake.bilateral && !brake.planar);
    assert_true(wheel.one_way && wheel.gapless && wheel.no_slip && !wheel.interval);
    assert_true(latch.stores && latch.interval && latch.gapless && !latch.dry && !latch.turns);
    assert_true(gear.bilateral && !gear.loop && !gear.gapless);
    assert_true(plain.rule && plain.no_slip && !plain.gapless && !plain.bilateral);
    assert_true(rough.rule && !rough.no_slip);
    sp_model_free(m);
}

static void contours_say_whether_they_are_lines_edges_or_curves(void **ctx)
{
    (void)ctx;
    sp_model *m = model_of(
        TOP "bodies:\n"
            "  ground: {contours: {floor: {line: [0, 1]},\n"
            "    slab: {polygon: [[0, 0], [1, 0], [1, -1]]}}}\n"
            "  b: {mass: 1, inertia: 1, joint: {free: ground}, contours: {o: {circle: 0.1}}}\n"
            "contacts: {f: {between: [b.o, ground.floor], law: {mu: 0.3}}, s: {between: [b.o, "
            "ground.slab], law: {mu: 0.3}}}\n");
    const sp_slot_traits f = traits_of(m, "f"), s = traits_of(m, "s");
    assert_true(f.planar && f.on_line && !f.edged && !f.rule && !f.space);
    assert_true(s.planar && s.edged && !s.on_line && !s.curved && !s.no_slip);
    sp_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(couplings_say_whether_they_are_dry_store_or_run_one_way),
        cmocka_unit_test(contours_say_whether_they_are_lines_edges_or_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
