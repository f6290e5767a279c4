/* The table of all keys: each stands once, has a type and a sentence, and is known before it is
 * there. */
#include "grammar_fixture.h"

enum { STACK_MAX = 64 };

/* Add an element that is new. */
static int add_new(const sp_grammar_element *found, const sp_grammar_element **all, int n)
{
    for (int j = 0; j < n && found; j++) {
        found = all[j] == found ? NULL : found;
    }
    if (found) {
        assert_true(n < STACK_MAX);
        all[n++] = found;
    }
    return n;
}

/* Call visit for every list of keys of the table, with the common keys beside it. */
static void walk(void (*visit)(const sp_grammar_element *, const sp_grammar_key *kind, void *),
                 void *data)
{
    const sp_grammar_element *all[STACK_MAX] = {&sp_grammar_model};
    int n = 1;
    for (int i = 0; i < n; i++) {
        const sp_grammar_key *list[STACK_MAX] = {all[i]->common};
        int n_list = 1;
        for (const sp_grammar_key *const *k = all[i]->kind; k && *k; k++) {
            list[n_list++] = *k;
        }
        for (int k = 0; k < n_list; k++) {
            if (k > 0 || !all[i]->kind) {
                visit(all[i], k > 0 ? list[k] : NULL, data);
            }
            for (const sp_grammar_key *key = list[k]; key->key; key++) {
                const sp_grammar_type *way[STACK_MAX] = {key->type};
                for (int w = 0, n_way = key->type != NULL; w < n_way; w++) {
                    const sp_grammar_type *t = way[w];
                    assert_true(n_way < STACK_MAX - 3); /* no cycles */
                    n = add_new(t->special_keys, all, add_new(t->element, all, n));
                    const sp_grammar_type *more[] = {t->named, t->item, t->in_space};
                    for (int d = 0; d < 3; d++) {
                        if (more[d]) {
                            way[n_way++] = more[d];
                        }
                    }
                }
            }
        }
    }
    const sp_grammar_element *same[SP_GRAMMAR_ELEMENT_MAX];
    assert_int_equal(n, sp_grammar_elements(0, same));
}

static void check_entry(const sp_grammar_element *element, const sp_grammar_key *kind, void *data)
{
    const char *key[SP_GRAMMAR_KEY_MAX];
    const int n = sp_grammar_keys(element, kind, 0, key);
    *(int *)data += n;
    for (int i = 0; i < n; i++) {
        const sp_grammar_key *k = sp_grammar_find(element, kind, key[i]);
        assert_non_null(k);
        assert_non_null(k->text);
        assert_int_equal(k->text[strlen(k->text) - 1], '.');
        assert_true(sp_grammar_is_later(k) ? !k->type : k->type && k->type->what);
        if (k->type && k->type->leaf == SP_LEAF_QUANTITY && strcmp(k->key, "count") != 0) {
            assert_non_null(strchr("QTFC", k->level));
        }
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(key[i], key[j]);
        }
    }
}

static void every_key_stands_once_has_a_type_and_a_sentence(void **ctx)
{
    (void)ctx;
    int n = 0;
    walk(check_entry, &n);
    assert_true(n > 150);
    const char *key[SP_GRAMMAR_KEY_MAX]; /* all kinds together fit */
    const sp_grammar_key *bodies = sp_grammar_find(&sp_grammar_model, NULL, "bodies");
    const sp_grammar_type *contours =
        sp_grammar_find(bodies->type->named->element, NULL, "contours")->type;
    assert_in_range(sp_grammar_keys(contours->named->element, NULL, 0, key), 20,
                    SP_GRAMMAR_KEY_MAX);
}

/* Where a key that is for later must be refused: an element in its place in a file. */
static const char *place_of(const char *element)
{
    static const char *const place[][2] = {
        {"model", ""},
        {"parameter", "parameters.p."},
        {"law", "laws.l."},
        {"body", "bodies.b."},
        {"ground", "bodies.ground."},
        {"beam", "bodies.ball.beam."},
        {"elastic", "bodies.ball.elastic."},
        {"joint", "bodies.ball.joint."},
        {"loop joint", "joints.j."},
        {"coupling", "couplings.c."},
        {"contour", "bodies.ball.contours.c."},
        {"force", "forces.f."},
        {"contact", "contacts.c."},
        {"plot", "plots.p."},
        {"run", "run."},
    };
    for (size_t i = 0; i < sizeof place / sizeof place[0]; i++) {
        if (strcmp(place[i][0], element) == 0) {
            return place[i][1];
        }
    }
    fail_msg("element '%s' is new here", element);
    return NULL;
}

static void refuse_later(const sp_grammar_element *element, const sp_grammar_key *kind, void *data)
{
    const char *key[SP_GRAMMAR_KEY_MAX];
    const int n = sp_grammar_keys(element, kind, 0, key);
    for (int i = 0; i < n; i++) {
        if (!sp_grammar_is_later(sp_grammar_find(element, kind, key[i]))) {
            continue;
        }
        fixture f;
        char path[200], said[200];
        open_ball(&f);
        if (kind && kind->key != key[i]) {
            snprintf(path, sizeof path, "%s%s", place_of(element->name), kind->key);
            set(&f, path, "ground");
        }
        snprintf(path, sizeof path, "%s%s", place_of(element->name), key[i]);
        set(&f, path, "1");
        sp_grammar_check(f.spec->root, &f.diag);
        snprintf(said, sizeof said, "'%s' " LATER, key[i]);
        bool found = false, unknown = false;
        for (const sp_message *m = f.diag.first; m; m = m->next) {
            found = found || strstr(m->text, said);
            found = found || strstr(m->text, "several kinds"); /* {prismatic, spherical} */
            found = found || strstr(m->text, "exists only in space");
            found = found || (kind && sp_grammar_is_later(kind) && strstr(m->text, LATER));
            unknown = unknown || strstr(m->text, "unknown key");
        }
        if (!found || unknown) {
            fail_msg("%s is not said to be known", path);
        }
        close(&f);
        *(int *)data += 1;
    }
}

static void what_is_for_later_is_never_called_unknown(void **ctx)
{
    (void)ctx;
    int n = 0;
    walk(refuse_later, &n);
    assert_true(n > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_stands_once_has_a_type_and_a_sentence),
        cmocka_unit_test(what_is_for_later_is_never_called_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
