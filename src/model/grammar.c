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

const sp_grammar_key *sp_grammar_find_anywhere(const sp_grammar_element *element, const char *key)
{
    const sp_grammar_key *found = find_in(element->common, key);
    for (const sp_grammar_key *const *k = element->kind; k && *k && !found; k++) {
        found = find_in(*k, key);
    }
    return found;
}

/* Collect the keys of one list, with or without those that are not supported yet. */
static int gather(const sp_grammar_key *list, bool later, const char **key, int n)
{
    for (; list && list->key; list++) {
        if (later || !sp_grammar_is_later(list)) {
            assert(n < SP_GRAMMAR_KEY_MAX);
            key[n++] = list->key;
        }
    }
    return n;
}

int sp_grammar_keys(const sp_grammar_element *element, const sp_grammar_key *kind, bool later,
                    const char **key)
{
    int n = gather(kind, later, key, 0);
    for (const sp_grammar_key *const *k = element->kind; !kind && k && *k; k++) {
        n = gather(*k, later, key, n);
    }
    return gather(element->common, later, key, n);
}

int sp_grammar_kinds(const sp_grammar_element *element, const char **key)
{
    int n = 0;
    for (const sp_grammar_key *const *k = element->kind; k && *k; k++) {
        if (!sp_grammar_is_later(*k)) {
            key[n++] = (*k)->key;
        }
    }
    return n;
}
