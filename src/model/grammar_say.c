/* model/grammar_say.c - the words of messages about structure. */
#include "model/grammar_say.h"

#include <stdio.h>
#include <string.h>

const char *sp_say_clip(const char *text, char buf[SP_SAY_CLIP + 4])
{
    size_t n = strlen(text);
    const bool cut = n > SP_SAY_CLIP;
    if (cut) {
        n = SP_SAY_CLIP;
        while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) {
            n--;
        }
    }
    for (size_t i = 0; i < n; i++) {
        buf[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7F ? ' ' : text[i];
    }
    snprintf(buf + n, SP_SAY_CLIP + 4 - n, "%s", cut ? "..." : "");
    return buf;
}

size_t sp_say_append(char *buf, size_t size, size_t n, const char *text)
{
    if (n < size) {
        snprintf(buf + n, size - n, "%s", text);
    }
    return n + strlen(text);
}

const char *sp_say_label(const sp_say_where *at, char buf[SP_SAY_LABEL])
{
    const sp_say_where *way[SP_SAY_DEPTH];
    int n_way = 0;
    for (; at->up && n_way < SP_SAY_DEPTH; at = at->up) {
        way[n_way++] = at;
        if (at->noun) {
            break;
        }
    }
    size_t n = sp_say_append(buf, SP_SAY_LABEL, 0, n_way > 0 ? "" : at->noun ? at->noun : "model");
    while (n_way-- > 0) {
        const sp_say_where *w = way[n_way];
        char key[SP_SAY_CLIP + 4], part[SP_SAY_CLIP + 40];
        if (w->noun) {
            snprintf(part, sizeof part, "%s '%s'", w->noun, sp_say_clip(w->key, key));
        } else if (w->key) {
            snprintf(part, sizeof part, "%s", sp_say_clip(w->key, key));
        } else {
            snprintf(part, sizeof part, "entry %d", w->entry);
        }
        n = sp_say_append(buf, SP_SAY_LABEL, n, part);
        n = sp_say_append(buf, SP_SAY_LABEL, n, n_way > 0 ? ": " : "");
    }
    return buf;
}

const char *sp_say_expected(const sp_grammar_type *type, const sp_grammar_key *key,
                            char buf[SP_SAY_LABEL])
{
    if (key && key->unit && strcmp(key->unit, "1") != 0) {
        snprintf(buf, SP_SAY_LABEL, "%s [%s]", type->what, key->unit);
    } else {
        snprintf(buf, SP_SAY_LABEL, "%s", type->what);
    }
    return buf;
}

const char *sp_say_list(const char *const *item, int n, char buf[SP_SAY_LIST])
{
    size_t length = sp_say_append(buf, SP_SAY_LIST, 0, "");
    for (int i = 0; i < n; i++) {
        int same = 0;
        while (same < i && strcmp(item[same], item[i]) != 0) {
            same++;
        }
        if (same == i) { /* keys of several kinds come once each */
            length = sp_say_append(buf, SP_SAY_LIST, length, i > 0 ? ", " : "");
            length = sp_say_append(buf, SP_SAY_LIST, length, item[i]);
        }
    }
    return buf;
}
