/* io/schema_text.c - the reference of all keys as Markdown. */
#include "io/schema.h"
#include "model/grammar.h"

#include <string.h>

/* A text in a cell of a table, where | would end the cell. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|') {
            fputc('\\', out);
        }
        fputc(*text, out);
    }
}

/* What a key's value is: its words, or the type's description and unit. */
static void put_value(FILE *out, const sp_grammar_key *key)
{
    const char *before = "";
    const sp_grammar_type *space = key->type->in_space;
    if (key->type->leaf == SP_LEAF_WORD) {
        for (const sp_grammar_word *w = key->type->word; w->word; w++) {
            if (!w->later) {
                fprintf(out, "%s`%s`", before, w->word);
                before = ", ";
            }
        }
    } else {
        put_cell(out, key->type->what);
    }
    if (space && strcmp(space->what, key->type->what) != 0) {
        fprintf(out, "; in space ");
        put_cell(out, space->what);
    }
    if (key->unit && strcmp(key->unit, "1") != 0) {
        fprintf(out, ", %s", key->unit);
    }
}

/* The row of a key. */
static void put_row(FILE *out, const sp_grammar_key *key, bool is_kind)
{
    fprintf(out, is_kind ? "| **`%s`**%s | " : "| `%s`%s | ", key->key,
            key->flags & SP_KEY_SPACE   ? " (space)"
            : key->flags & SP_KEY_PLANE ? " (plane)"
                                        : "");
    put_value(out, key);
    fprintf(out, " | %c | ", key->level ? key->level : ' ');
    if (key->standard) {
        fprintf(out, "`%s`", key->standard);
    } else if (key->flags & (SP_KEY_NEEDED | SP_KEY_ONE_OF)) {
        fprintf(out, "%s", key->flags & SP_KEY_ONE_OF ? "one of these" : "needed");
    } else if (key->flags & SP_KEY_NEEDED_SPACE) {
        fprintf(out, "needed in space");
    } else if (key->with) {
        fprintf(out, "needed with `%s`", key->with);
    }
    fprintf(out, " | ");
    put_cell(out, key->text);
    fprintf(out, " |\n");
}

/* The rows of a list of keys. */
static void put_rows(FILE *out, const sp_grammar_key *key, const sp_grammar_key *kind)
{
    for (; key && key->key; key++) {
        if (!sp_grammar_is_later(key)) {
            put_row(out, key, key == kind);
        }
    }
}

/* Add words of a value's type that are for later to the sentence about it. */
static const char *put_later_words(FILE *out, const sp_grammar_key *key, const char *before)
{
    const sp_grammar_type *type = key->type && key->type->item ? key->type->item : key->type;
    const sp_grammar_word *w = type && type->leaf == SP_LEAF_WORD ? type->word : NULL;
    for (; w && w->word; w++) {
        if (w->later) {
            fprintf(out, "%s`%s: %s`", before, key->key, w->word);
            before = ", ";
        }
    }
    return before;
}

/* Add the keys of a list that are for later to the sentence about them; of a kind that is for later
 * itself, only its kind key. */
static const char *put_later(FILE *out, const sp_grammar_key *list, bool is_kind,
                             const char *before)
{
    const bool whole = is_kind && sp_grammar_is_later(list);
    for (const sp_grammar_key *key = list; key->key; key++) {
        if (sp_grammar_is_later(key)) {
            fprintf(out, "%s`%s`", before, key->key);
            if (is_kind && !whole) {
                fprintf(out, " with `%s`", list->key);
            }
            before = ", ";
        } else if (key->flags & SP_KEY_LATER_SPACE) {
            fprintf(out, "%s`%s` in space", before, key->key);
            before = ", ";
        } else {
            before = put_later_words(out, key, before);
        }
        if (whole) {
            break;
        }
    }
    return before;
}

/* The section of an element. */
static void put_element(FILE *out, const sp_grammar_element *element)
{
    fprintf(out, "### %s\n\n%s\n\n", element->name, element->text);
    fprintf(out, "| key | value | level | default | meaning |\n|---|---|---|---|---|\n");
    for (const sp_grammar_key *const *k = element->kind; k && *k; k++) {
        if (!sp_grammar_is_later(*k)) {
            put_rows(out, *k, *k);
        }
    }
    if (element->kind) {
        fprintf(out, "| *with every kind* | | | | |\n");
    }
    put_rows(out, element->common, NULL);
    const char *before = "\nKnown, but not supported yet: ";
    for (const sp_grammar_key *const *k = element->kind; k && *k; k++) {
        before = put_later(out, *k, true, before);
    }
    before = put_later(out, element->common, false, before);
    fprintf(out, "%s\n", before[0] == ',' ? ".\n" : "");
}

void sp_schema_markdown(FILE *out)
{
    const sp_grammar_element *element[SP_GRAMMAR_ELEMENT_MAX];
    const int n = sp_grammar_elements(0, element);
    for (int i = 0; i < n; i++) {
        put_element(out, element[i]);
    }
}
