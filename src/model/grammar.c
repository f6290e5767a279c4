#include "model/grammar.h"

#include <assert.h>
#include <string.h>

/* ---- names --------------------------------------------------------------------------------- */

/* Whether c may begin a name; the program's own alphabet, whatever the locale. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

const char *sp_grammar_skip_name(const char *text)
{
    const char *p = text;
    while (is_letter(*p) || (p > text && *p >= '0' && *p <= '9')) {
        p++;
    }
    return p;
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ') {
        p++;
    }
    return p;
}

/* What follows a balanced ( ), NULL if it is not closed. */
static const char *skip_parentheses(const char *p)
{
    int open = 0;
    do {
        open += (*p == '(') - (*p == ')');
        p++;
    } while (open > 0 && *p);
    return open == 0 ? p : NULL;
}

bool sp_grammar_is_name(const char *text)
{
    const char *end = sp_grammar_skip_name(text);
    return end != text && *end == '\0';
}

bool sp_grammar_is_function(const char *text)
{
    const char *p = sp_grammar_skip_name(text);
    if (p == text || *p != '(') {
        return false;
    }
    do {
        const char *argument = skip_blanks(p + 1);
        p = sp_grammar_skip_name(argument);
        if (p == argument) {
            return false;
        }
        p = skip_blanks(p);
    } while (*p == ',');
    return strcmp(p, ")") == 0;
}

bool sp_grammar_is_reference(const char *text)
{
    const char *p = sp_grammar_skip_name(text);
    if (p == text) {
        return false;
    }
    while (*p == '.') {
        const char *part = p + 1;
        p = *part == '(' ? skip_parentheses(part) : sp_grammar_skip_name(part);
        if (p == part) {
            p = part + strspn(part, "0123456789");
        }
        if (!p || p == part) {
            return false;
        }
    }
    return p[strspn(p, "'")] == '\0'; /* y', phi'' */
}

/* ---- keys ---------------------------------------------------------------------------------- */

/* The entry of a key in one list of keys. */
static const sp_grammar_key *find_in(const sp_grammar_key *list, const char *key)
{
    for (; list && list->key; list++) {
        if (strcmp(list->key, key) == 0) {
            return list;
        }
    }
    return NULL;
}

const sp_grammar_key *sp_grammar_find(const sp_grammar_element *element, const sp_grammar_key *kind,
                                      const char *key)
{
    const sp_grammar_key *found = find_in(kind, key);
    return found ? found : find_in(element->common, key);
}

bool sp_grammar_is_later(const sp_grammar_key *key)
{
    return (key->flags & SP_KEY_LATER) != 0;
}

bool sp_grammar_is_later_in(const sp_grammar_key *key, int dimension)
{
    return sp_grammar_is_later(key) || (dimension == 3 && (key->flags & SP_KEY_LATER_SPACE));
}

bool sp_grammar_has(const sp_grammar_key *key, int dimension)
{
    const unsigned elsewhere = dimension == 3 ? SP_KEY_PLANE : SP_KEY_SPACE;
    return !sp_grammar_is_later_in(key, dimension) && !(key->flags & elsewhere);
}

bool sp_grammar_has_word(const sp_grammar_word *word, int dimension)
{
    return !word->later && !(dimension == 3 ? word->in_plane : word->in_space);
}

bool sp_grammar_needs(const sp_grammar_key *key, int dimension)
{
    const unsigned needed = SP_KEY_NEEDED | (dimension == 3 ? SP_KEY_NEEDED_SPACE : 0u);
    return sp_grammar_has(key, dimension) && (key->flags & needed);
}

const sp_grammar_type *sp_grammar_type_in(const sp_grammar_type *type, int dimension)
{
    return dimension == 3 && type->in_space ? type->in_space : type;
}

const sp_grammar_key *sp_grammar_find_anywhere(const sp_grammar_element *element, const char *key)
{
    const sp_grammar_key *found = find_in(element->common, key);
    for (const sp_grammar_key *const *k = element->kind; k && *k && !found; k++) {
        found = find_in(*k, key);
    }
    return found;
}

/* Collect the keys of one list: all (dimension 0), or those there are in so many dimensions. */
static int gather(const sp_grammar_key *list, int dimension, const char **key, int n)
{
    for (; list && list->key; list++) {
        if (dimension == 0 || sp_grammar_has(list, dimension)) {
            assert(n < SP_GRAMMAR_KEY_MAX);
            key[n++] = list->key;
        }
    }
    return n;
}

int sp_grammar_keys(const sp_grammar_element *element, const sp_grammar_key *kind, int dimension,
                    const char **key)
{
    int n = gather(kind, dimension, key, 0);
    for (const sp_grammar_key *const *k = element->kind; !kind && k && *k; k++) {
        n = gather(*k, dimension, key, n);
    }
    return gather(element->common, dimension, key, n);
}

int sp_grammar_kinds(const sp_grammar_element *element, int dimension, const char **key)
{
    int n = 0;
    for (const sp_grammar_key *const *k = element->kind; k && *k; k++) {
        if (sp_grammar_has(*k, dimension)) {
            key[n++] = (*k)->key;
        }
    }
    return n;
}

/* ---- elements ------------------------------------------------------------------------------ */

/* Add an element to a list, if it is not there yet. */
static int add_element(const sp_grammar_element *extra, const sp_grammar_element **element, int n)
{
    for (int i = 0; i < n; i++) {
        if (element[i] == extra) {
            return n;
        }
    }
    if (extra) {
        assert(n < SP_GRAMMAR_ELEMENT_MAX);
        element[n++] = extra;
    }
    return n;
}

/* Add the elements that a value consists of, in so many dimensions. */
static int add_type(const sp_grammar_type *type, int dimension, const sp_grammar_element **element,
                    int n)
{
    while (type) {
        type = sp_grammar_type_in(type, dimension);
        n = add_element(type->element, element, n);
        n = add_element(type->special_keys, element, n);
        type = type->named ? type->named : type->item;
    }
    return n;
}

/* Add the elements that the values of some keys consist of. */
static int add_keys(const sp_grammar_key *key, int dimension, const sp_grammar_element **element,
                    int n)
{
    for (; key && key->key; key++) {
        for (int d = 2; d <= 3; d++) {
            if ((dimension == 0 || dimension == d) && sp_grammar_has(key, d)) {
                n = add_type(key->type, d, element, n);
            }
        }
    }
    return n;
}

int sp_grammar_elements(int dimension, const sp_grammar_element **element)
{
    int n = add_element(&sp_grammar_model, element, 0);
    for (int i = 0; i < n; i++) {
        for (const sp_grammar_key *const *k = element[i]->kind; k && *k; k++) {
            n = add_keys(*k, dimension, element, n);
        }
        n = add_keys(element[i]->common, dimension, element, n);
    }
    return n;
}
