/* Events of two runs, matched one to one, and choices. */
#include "support/check.h"
#include "support/run.h"

#include "analysis/verify_events.h"

/* A log with impacts of two contacts at these times, ended by a time below zero. */
static void write_log(sp_verify_log *log, sp_verify_impact *room, int slot, const double *t)
{
    log->impact = room;
    for (; *t >= 0.0; t++) {
        log->impact[log->n_impact++] =
            (sp_verify_impact){.slot = slot, .t = *t, .Lambda = 1.0, .speed = 1.0, .window = 0.01};
    }
}

/* One impact is missing in the second run, one is new, one is of another contact, one too far off:
 * those that are the same are found behind the gap, too, and the others are told. */
static void impacts_are_matched_one_to_one_by_contact_and_time(void **ctx)
{
    (void)ctx;
    sp_verify_impact room[2][16];
    sp_verify_log a = {.n_impact = 0}, b = a;
    sp_verify_report v = {.compared = 1.0};
    write_log(&a, room[0], 0, (const double[]){0.1, 0.2, 0.3, 0.4, 0.8, 1.1, -1.0});
    write_log(&a, room[0], 1, (const double[]){0.5, -1.0});
    write_log(&b, room[1], 0, (const double[]){0.101, 0.299, 0.403, 0.5, 0.86, -1.0});
    sp_verify_match(&a, &b, &v);
    assert_int_equal(v.impacts[0], 6); /* that at 1.1 s is not compared */
    assert_int_equal(v.impacts[1], 5);
    assert_int_equal(v.matched, 3);
    assert_int_equal(v.alone[0], 3); /* 0.2, 0.8, and 0.5 of the other contact */
    assert_int_equal(v.alone[1], 2); /* 0.5, 0.86 */
    assert_true(v.t_alone == 0.2 && v.alone_slot == 0 && v.alone_side == 0);
    assert_near(v.impact_time, 0.003, 1e-15);
    assert_true(v.impulse == 0.0);
}

/* Of two within the window the nearer one is the same; strong ones may be matched to weaker ones,
 * but not to any. */
static void the_nearest_impact_is_the_same_if_it_is_not_too_weak(void **ctx)
{
    (void)ctx;
    sp_verify_impact room[2][4];
    sp_verify_log a = {.n_impact = 0}, b = a;
    sp_verify_report v = {.compared = 1.0};
    write_log(&a, room[0], 0, (const double[]){0.100, 0.104, 0.5, 0.7, -1.0});
    write_log(&b, room[1], 0, (const double[]){0.105, 0.5, 0.7, -1.0});
    room[0][2].Lambda = room[0][3].Lambda = 0.01; /* just strong */
    room[1][1].Lambda = 0.006;
    room[1][2].Lambda = 0.004;
    sp_verify_match(&a, &b, &v);
    assert_true(room[0][1].pair == 0 && room[0][0].pair == SP_NONE && room[0][2].pair == 1);
    assert_true(room[0][3].pair == SP_NONE);
    assert_int_equal(v.matched, 2);
    assert_int_equal(v.alone[0], 2);
    assert_int_equal(v.alone[1], 0);
}

/* Three points of one contact hit at one time in both runs, by another number; then a strong one is
 * weak in the other run.  Each finds its own, and what is counted adds up. */
static void impacts_of_one_contact_at_one_time_find_each_their_own(void **ctx)
{
    (void)ctx;
    sp_verify_impact room[2][8];
    sp_verify_log a = {.n_impact = 0}, b = a;
    sp_verify_report v = {.compared = 1.0};
    write_log(&a, room[0], 0, (const double[]){0.3, 0.3, 0.3, 0.6, -1.0});
    write_log(&b, room[1], 0, (const double[]){0.301, 0.301, 0.301, 0.301, 0.6, -1.0});
    room[0][3].Lambda = 0.008; /* weak, but not too weak */
    room[1][4].Lambda = 0.011;
    sp_verify_match(&a, &b, &v);
    assert_int_equal(v.matched, 4);
    assert_int_equal(v.alone[0], 0);
    assert_int_equal(v.alone[1], 1);
    assert_int_equal(v.impacts[0], 4);
    assert_int_equal(v.impacts[1], 5);
}

/* Both ends of a bar are hit 1e-7 s after each other in one run and at once in the other: the first
 * one's nearest is nearer to the second, and finds its own when that is gone.   theory (57.8) */
static void impacts_nearly_at_once_find_each_their_own(void **ctx)
{
    (void)ctx;
    sp_verify_impact room[2][4];
    sp_verify_log a = {.n_impact = 0}, b = a;
    sp_verify_report v = {.compared = 1.0};
    write_log(&a, room[0], 0, (const double[]){0.3, 0.3 + 1e-7, -1.0});
    write_log(&b, room[1], 0, (const double[]){0.301, 0.301, -1.0});
    room[0][0].friction = 0.2; /* each end has the other's friction in the second run */
    room[1][1].friction = 0.1;
    room[1][0].Lambda = room[1][1].Lambda = 1.01;
    sp_verify_match(&a, &b, &v);
    assert_int_equal(v.matched, 2);
    assert_int_equal(v.alone[0] + v.alone[1] + v.shared[0] + v.shared[1], 0);
    assert_int_equal(v.other_friction, 1); /* 0.2 against 0.1; that both have none is the same */
    assert_near(v.impulse, 0.01, 1e-12);
}

/* Impacts of one contact do not cross, and those of other bodies are others. */
static void pairs_of_impacts_do_not_cross_nor_change_bodies(void **ctx)
{
    (void)ctx;
    sp_verify_impact room[2][4];
    sp_verify_log a = {.n_impact = 0}, b = a;
    sp_verify_report v = {.compared = 1.0};
    write_log(&a, room[0], 0, (const double[]){0.3, 0.304, 0.6, -1.0});
    write_log(&b, room[1], 0, (const double[]){0.295, 0.3035, 0.6, -1.0});
    room[0][0].t = 0.3042; /* behind the pair (0.304, 0.3035), while 0.295 is before it */
    room[1][2].body[0] = 2;
    sp_verify_match(&a, &b, &v);
    assert_true(room[0][1].pair == 1 && room[0][0].pair == SP_NONE && room[0][2].pair == SP_NONE);
    assert_int_equal(v.alone[0], 2);
    assert_int_equal(v.alone[1], 2);
}

/* One corner takes the impact in one run, two share it in the other: the same hit.  If their sum is
 * another, it is not.   theory (57.9) */
static void a_hit_that_other_points_share_is_not_alone(void **ctx)
{
    (void)ctx;
    for (int k = 0; k < 2; k++) {
        sp_verify_impact room[2][4];
        sp_verify_log a = {.n_impact = 0}, b = a;
        sp_verify_report v = {.compared = 1.0};
        write_log(&a, room[0], 0, (const double[]){0.3, -1.0});
        write_log(&b, room[1], 0, (const double[]){0.301, 0.301, -1.0});
        room[0][0].id = 7;
        room[1][0].id = room[1][1].id = 3;
        room[1][0].Lambda = 0.5;
        room[1][1].Lambda = k == 0 ? 0.49 : 0.3;
        sp_verify_match(&a, &b, &v);
        assert_int_equal(v.matched, 1);
        assert_int_equal(v.shared[1], k == 0);
        assert_int_equal(v.alone[1], k == 1);
        assert_int_equal(v.impacts[1], 2);
        assert_near(v.impulse, k == 0 ? 0.01 : 0.5, 1e-12);
    }
}

/* A log with impacts as a run tells them. */
static void tell_log(const sp_model *m, sp_arena *arena, int n, const sp_event *told,
                     sp_verify_log *log)
{
    assert_true(sp_verify_log_new(arena, log));
    for (int k = 0; k < n; k++) {
        sp_event e = told[k];
        e.kind = SP_EVENT_IMPACT;
        e.body[0] = m->slot[e.slot].body_a;
        e.body[1] = m->slot[e.slot].body_b;
        e.gamma_N_before = -1.0;
        sp_verify_log_add(m, &e, log);
        log->impact[k].window = 0.01;
    }
}

/* Methods hand a contact on over a seam at other times: the blow is the same, whichever slot is
 * told.  Corners of a box are points of one contact that share a blow.   theory (57.9) */
static void points_of_a_contact_are_known_by_what_they_are_of(void **ctx)
{
    (void)ctx;
    rig ring = rig_of_file("tests/data/good/ring.yaml", NULL);
    rig box = rig_of_text("specht: 1\nspace: planar\nunits: off\ngravity: 10\nbodies:\n"
                          "  ground: {contours: {floor: {line: [0, 1]}}}\n"
                          "  box: {mass: 1, inertia: 1, contours: {b: {box: [2, 1]}}}\n"
                          "contacts: {c: {between: [box, ground], law: {mu: 0.3}}}\n"
                          "start: {box.y: 1}\n");
    const rig *of[2] = {&ring, &box};
    for (int k = 0; k < 2; k++) {
        sp_arena arena;
        sp_verify_log a, b;
        sp_verify_report v = {.compared = 1.0};
        const sp_event first[] = {{.t = 0.3, .slot = 0, .impact_id = 1, .Lambda_N = 1.0}};
        const sp_event second[] = {{.t = 0.301, .slot = 1, .impact_id = 1, .Lambda_N = 0.5},
                                   {.t = 0.301, .slot = 0, .impact_id = 1, .Lambda_N = 0.49}};
        sp_arena_init(&arena, NULL, 0);
        assert_true(of[k]->m->n_slot > 1);
        tell_log(of[k]->m, &arena, 1, first, &a);
        tell_log(of[k]->m, &arena, k == 0 ? 1 : 2, second, &b);
        sp_verify_match(&a, &b, &v);
        assert_int_equal(v.matched, 1);
        assert_int_equal(v.alone[0] + v.alone[1], 0);
        assert_int_equal(v.shared[1], k);
        sp_arena_free(&arena);
    }
    rig_free(&ring);
    rig_free(&box);
}

/* What is at rest and hit with others is hit when the fastest of them is.   theory (57.13) */
static void the_fastest_contact_tells_when_all_are_hit(void **ctx)
{
    (void)ctx;
    sp_verify_impact room[4];
    sp_verify_log log = {.n_impact = 0};
    write_log(&log, room, 0, (const double[]){0.3, 0.3, 0.4, -1.0});
    room[0].id = room[1].id = 1;
    room[2].id = 2;
    room[0].speed = 1e-13;
    room[1].speed = 0.5;
    assert_true(sp_verify_hit_speed(&log, &room[0]) == 0.5);
    assert_true(sp_verify_hit_speed(&log, &room[1]) == 0.5);
    assert_true(sp_verify_hit_speed(&log, &room[2]) == 1.0);
}

/* An impact is chosen at its time, a motion until contacts change. */
static void a_choice_holds_until_contacts_change(void **ctx)
{
    (void)ctx;
    rig r = rig_of_file("tests/data/good/bouncing_ball.yaml", NULL);
    sp_arena arena;
    sp_verify_log log;
    sp_arena_init(&arena, NULL, 0);
    assert_true(sp_verify_log_new(&arena, &log));
    const sp_event told[] = {
        {.t = 1.0, .kind = SP_EVENT_CHOICE, .n_found = 2},
        {.t = 1.0, .kind = SP_EVENT_SLIP},
        {.t = 2.0, .kind = SP_EVENT_CHOICE, .n_found = 3, .impact_id = 1},
        {.t = 2.0, .kind = SP_EVENT_IMPACT, .impact_id = 1},
        {.t = 3.0, .kind = SP_EVENT_CHOICE},
    };
    for (size_t k = 0; k < sizeof told / sizeof *told; k++) {
        sp_verify_log_add(r.m, &told[k], &log);
    }
    assert_int_equal(sp_verify_choice_within(&log, 0.0, 0.9).n_found, -1);
    assert_int_equal(sp_verify_choice_within(&log, 1.4, 1.5).n_found, 2);
    assert_int_equal(sp_verify_choice_within(&log, 1.9, 2.1).n_found, 3);
    assert_int_equal(sp_verify_choice_within(&log, 2.1, 2.9).n_found, -1);
    assert_int_equal(sp_verify_choice_within(&log, 7.0, 8.0).n_found, 0);
    sp_arena_free(&arena);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_are_matched_one_to_one_by_contact_and_time),
        cmocka_unit_test(the_nearest_impact_is_the_same_if_it_is_not_too_weak),
        cmocka_unit_test(impacts_of_one_contact_at_one_time_find_each_their_own),
        cmocka_unit_test(impacts_nearly_at_once_find_each_their_own),
        cmocka_unit_test(pairs_of_impacts_do_not_cross_nor_change_bodies),
        cmocka_unit_test(a_hit_that_other_points_share_is_not_alone),
        cmocka_unit_test(points_of_a_contact_are_known_by_what_they_are_of),
        cmocka_unit_test(the_fastest_contact_tells_when_all_are_hit),
        cmocka_unit_test(a_choice_holds_until_contacts_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
