#include "io/problem_hdf5.h"

#include "io/problem_file.h"

#include <string.h>

enum {
    MESSAGES_MAX = 4096, /* of one object header                        */
    BLOCKS_MAX = 64,     /* pieces of one object header                 */
    NODES_MAX = 65536,   /* of the tree of one group                    */
    LEVEL_MAX = 16       /* of that tree                                */
};

/* Types of the messages in an object header. */
enum {
    MESSAGE_SPACE = 1,
    MESSAGE_LINK_INFO = 2,
    MESSAGE_TYPE = 3,
    MESSAGE_LINK = 6,
    MESSAGE_LAYOUT = 8,
    MESSAGE_CONTINUE = 16,
    MESSAGE_TABLE = 17
};

static const uint64_t nowhere = UINT64_MAX; /* the undefined address */

/* ---- bytes --------------------------------------------------------------------------------- */

/* Whether size bytes at an address lie in the file. */
static bool inside(const sp_hdf *f, uint64_t at, uint64_t size)
{
    return at <= f->n && size <= f->n - at;
}

/* A little-endian number of size bytes at an address inside the file. */
static uint64_t get(const sp_hdf *f, uint64_t at, unsigned size)
{
    uint64_t value = 0;
    for (unsigned k = size; k-- > 0;) {
        value = value << 8 | f->data[at + k];
    }
    return value;
}

/* Whether the four letters stand at an address. */
static bool is_sign(const sp_hdf *f, uint64_t at, const char *sign)
{
    return inside(f, at, 4) && memcmp(f->data + at, sign, 4) == 0;
}

/* The file is not what it should be. */
static sp_status damaged(const sp_hdf *f, const char *what, uint64_t at, sp_error *err)
{
    const sp_status s = SP_FAIL(err, SP_E_INPUT, "damaged HDF5 file: %s at byte %llu", what,
                                (unsigned long long)at);
    return sp_problem_place(err, s, f->name, 0);
}

/* The file uses what this reader does not know. */
static sp_status unknown(const sp_hdf *f, const char *what, sp_error *err)
{
    const sp_status s =
        SP_FAIL(err, SP_E_INPUT,
                "%s is not supported here; 'h5repack -l CONTI -f NONE IN OUT' rewrites the file "
                "plainly",
                what);
    return sp_problem_place(err, s, f->name, 0);
}

/* ---- the head of the file ------------------------------------------------------------------ */

static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

bool sp_hdf_is(const void *data, size_t n)
{
    return n >= sizeof signature && memcmp(data, signature, sizeof signature) == 0;
}

/* Superblock of version 0 or 1: base address and root group behind sizes and tree parameters. */
static sp_status open_old(sp_hdf *f, sp_error *err)
{
    const uint64_t base = f->data[8] == 0 ? 24 : 28;
    if (!inside(f, base, 32 + 40)) {
        return damaged(f, "the superblock ends early", 8, err);
    }
    if (f->data[13] != 8 || f->data[14] != 8) {
        return unknown(f, "an HDF5 file with addresses that are not of 8 bytes", err);
    }
    if (get(f, base, 8) != 0) {
        return unknown(f, "an HDF5 file with a user block", err);
    }
    f->root = get(f, base + 32 + 8, 8); /* the header's address in the entry of the root group */
    return SP_OK;
}

/* Superblock of version 2 or 3. */
static sp_status open_new(sp_hdf *f, sp_error *err)
{
    if (!inside(f, 12, 32)) {
        return damaged(f, "the superblock ends early", 8, err);
    }
    if (f->data[9] != 8 || f->data[10] != 8) {
        return unknown(f, "an HDF5 file with addresses that are not of 8 bytes", err);
    }
    if (get(f, 12, 8) != 0) {
        return unknown(f, "an HDF5 file with a user block", err);
    }
    f->root = get(f, 36, 8);
    return SP_OK;
}

sp_status sp_hdf_open(sp_hdf *f, const char *name, const void *data, size_t n, sp_error *err)
{
    *f = (sp_hdf){.data = data, .n = n, .name = name, .root = nowhere};
    if (n < 16 || !sp_hdf_is(data, n)) {
        return damaged(f, "no signature", 0, err);
    }
    switch (f->data[8]) {
    case 0:
    case 1:
        return open_old(f, err);
    case 2:
    case 3:
        return open_new(f, err);
    default:
        return unknown(f, "an HDF5 file of a later version", err);
    }
}

/* ---- object headers ------------------------------------------------------------------------ */

/* A walk over the messages of an object header and its continuations. */
typedef struct header {
    const sp_hdf *f;
    uint64_t origin;
    unsigned prefix; /* bytes before the data of a message          */
    bool is_new;     /* version 2                                   */
    int n_message, n_block, block;
    uint64_t at, from[BLOCKS_MAX], to[BLOCKS_MAX];
} header;

typedef struct message {
    unsigned type, flags;
    uint64_t at, size; /* of its data, inside the file */
} message;

/* Begin a header of version 1. */
static sp_status begin_old(header *h, sp_error *err)
{
    const uint64_t size = get(h->f, h->origin + 8, 4);
    if (h->f->data[h->origin] != 1 || !inside(h->f, h->origin + 16, size)) {
        return damaged(h->f, "no object header", h->origin, err);
    }
    h->prefix = 8;
    h->from[0] = h->origin + 16;
    h->to[0] = h->from[0] + size;
    return SP_OK;
}

/* Begin a header of version 2. */
static sp_status begin_new(header *h, sp_error *err)
{
    const unsigned flags = h->f->data[h->origin + 5], width = 1u << (flags & 3);
    const uint64_t at =
        h->origin + 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0); /* times, limits */
    if (h->f->data[h->origin + 4] != 2 || !inside(h->f, at, width)) {
        return damaged(h->f, "no object header", h->origin, err);
    }
    const uint64_t size = get(h->f, at, width);
    if (!inside(h->f, at + width, size)) {
        return damaged(h->f, "an object header that leaves the file", h->origin, err);
    }
    h->is_new = true;
    h->prefix = flags & 4 ? 6 : 4;
    h->from[0] = at + width;
    h->to[0] = h->from[0] + size;
    return SP_OK;
}

/* Begin to walk over the header at an address. */
static sp_status begin(header *h, const sp_hdf *f, uint64_t at, sp_error *err)
{
    *h = (header){.f = f, .origin = at, .n_block = 1};
    if (!inside(f, at, 16)) {
        return damaged(f, "an object outside of the file", at, err);
    }
    SP_TRY(is_sign(f, at, "OHDR") ? begin_new(h, err) : begin_old(h, err));
    h->at = h->from[0];
    return SP_OK;
}

/* Note a continuation of the header. */
static sp_status continue_at(header *h, const message *m, sp_error *err)
{
    if (m->size < 16 || h->n_block == BLOCKS_MAX) {
        return damaged(h->f, "too many pieces of an object header", h->origin, err);
    }
    const uint64_t at = get(h->f, m->at, 8), size = get(h->f, m->at + 8, 8);
    const bool sound =
        inside(h->f, at, size) && (!h->is_new || (size >= 8 && is_sign(h->f, at, "OCHK")));
    if (!sound) {
        return damaged(h->f, "an object header continued outside of the file", h->origin, err);
    }
    h->from[h->n_block] = h->is_new ? at + 4 : at;
    h->to[h->n_block] = h->is_new ? at + size - 4 : at + size;
    h->n_block++;
    return SP_OK;
}

/* The next message in m; *more is false when there is none.  Continuations are followed. */
static sp_status next(header *h, message *m, bool *more, sp_error *err)
{
    *more = false;
    while (h->block < h->n_block) {
        if (h->to[h->block] - h->at < h->prefix) { /* a gap may remain */
            h->block++;
            h->at = h->block < h->n_block ? h->from[h->block] : 0;
            continue;
        }
        m->type = (unsigned)get(h->f, h->at, h->is_new ? 1 : 2);
        m->size = get(h->f, h->at + (h->is_new ? 1 : 2), 2);
        m->flags = h->f->data[h->at + (h->is_new ? 3 : 4)];
        m->at = h->at + h->prefix;
        if (m->size > h->to[h->block] - m->at || ++h->n_message > MESSAGES_MAX) {
            return damaged(h->f, "a message that leaves its object header", h->at, err);
        }
        h->at = m->at + m->size;
        if (m->type != MESSAGE_CONTINUE) {
            *more = true;
            return SP_OK;
        }
        SP_TRY(continue_at(h, m, err));
    }
    return SP_OK;
}

/* ---- groups -------------------------------------------------------------------------------- */

/* A child that is looked for: its name, and its header once it is found. */
typedef struct child {
    const char *name;
    size_t length;
    uint64_t at; /* nowhere: not found */
} child;

/* Whether the text at an address, which ends with a zero before limit, is the name of the child. */
static bool is_named(const sp_hdf *f, uint64_t at, uint64_t limit, const child *c)
{
    return at < limit && limit - at > c->length && memcmp(f->data + at, c->name, c->length) == 0 &&
           f->data[at + c->length] == 0;
}

/* Look through the entries of one node of symbols, whose names lie in text .. text_end. */
static sp_status search_symbols(const sp_hdf *f, uint64_t node, uint64_t text, uint64_t text_end,
                                child *c, sp_error *err)
{
    if (!is_sign(f, node, "SNOD") || !inside(f, node, 8)) {
        return damaged(f, "no symbols of a group", node, err);
    }
    const uint64_t count = get(f, node + 6, 2);
    if (!inside(f, node + 8, 40 * count)) {
        return damaged(f, "symbols of a group that leave the file", node, err);
    }
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t entry = node + 8 + 40 * k, offset = get(f, entry, 8);
        const bool hard = get(f, entry + 16, 4) != 2;
        if (hard && offset < text_end - text && is_named(f, text + offset, text_end, c)) {
            c->at = get(f, entry + 8, 8);
            return SP_OK;
        }
    }
    return SP_OK;
}

/* The names of a group with a symbol table: where the heap's text begins and ends. */
static sp_status open_heap(const sp_hdf *f, uint64_t heap, uint64_t *text, uint64_t *text_end,
                           sp_error *err)
{
    if (!is_sign(f, heap, "HEAP") || !inside(f, heap, 32)) {
        return damaged(f, "no names of a group", heap, err);
    }
    const uint64_t size = get(f, heap + 8, 8);
    *text = get(f, heap + 24, 8);
    if (!inside(f, *text, size)) {
        return damaged(f, "names of a group that leave the file", heap, err);
    }
    *text_end = *text + size;
    return SP_OK;
}

/* Check a node of a group's tree: 24 bytes, then keys and children in turn. */
static sp_status check_node(const sp_hdf *f, uint64_t node, uint64_t *count, sp_error *err)
{
    if (!is_sign(f, node, "TREE") || !inside(f, node, 24) || f->data[node + 4] != 0) {
        return damaged(f, "no tree of a group", node, err);
    }
    *count = get(f, node + 6, 2);
    if (!inside(f, node + 24, 16 * *count + 8)) {
        return damaged(f, "a tree of a group that leaves the file", node, err);
    }
    return SP_OK;
}

/* Look for a child in a group with a symbol table: to the first leaf, then along the leaves. */
static sp_status search_table(const sp_hdf *f, const message *m, child *c, sp_error *err)
{
    uint64_t text = 0, text_end = 0, node = get(f, m->at, 8), count = 0;
    SP_TRY(open_heap(f, get(f, m->at + 8, 8), &text, &text_end, err));
    for (int level = 0;; level++) {
        SP_TRY(check_node(f, node, &count, err));
        if (f->data[node + 5] == 0) {
            break;
        }
        if (count == 0 || level == LEVEL_MAX) {
            return damaged(f, "a tree of a group without leaves", node, err);
        }
        node = get(f, node + 32, 8);
    }
    for (int visited = 0; node != nowhere; visited++) {
        SP_TRY(check_node(f, node, &count, err));
        if (visited == NODES_MAX) {
            return damaged(f, "a tree of a group without end", node, err);
        }
        for (uint64_t k = 0; k < count && c->at == nowhere; k++) {
            SP_TRY(search_symbols(f, get(f, node + 32 + 16 * k, 8), text, text_end, c, err));
        }
        node = c->at == nowhere ? get(f, node + 16, 8) : nowhere;
    }
    return SP_OK;
}

/* Compare a link message with the child. */
static sp_status match_link(const sp_hdf *f, const message *m, child *c, sp_error *err)
{
    if (m->size < 4 || f->data[m->at] != 1) {
        return damaged(f, "no link of a group", m->at, err);
    }
    const unsigned flags = f->data[m->at + 1], width = 1u << (flags & 3);
    uint64_t at = m->at + 2;
    const unsigned type = flags & 8 ? f->data[at] : 0;
    at += (flags & 8 ? 1u : 0u) + (flags & 4 ? 8u : 0u) + (flags & 16 ? 1u : 0u);
    const uint64_t end = m->at + m->size;
    if (at + width > end) {
        return damaged(f, "a link that leaves its message", m->at, err);
    }
    const uint64_t length = get(f, at, width);
    at += width;
    if (length > end - at || (type == 0 && end - at - length < 8)) {
        return damaged(f, "a link that leaves its message", m->at, err);
    }
    if (type == 0 && length == c->length && memcmp(f->data + at, c->name, c->length) == 0) {
        c->at = get(f, at + length, 8);
    }
    return SP_OK;
}

/* Refuse a group whose links are in a fractal heap. */
static sp_status check_link_info(const sp_hdf *f, const message *m, sp_error *err)
{
    const uint64_t skip = m->size >= 2 && (f->data[m->at + 1] & 1) ? 10 : 2;
    if (m->size < skip + 8) {
        return damaged(f, "no link information of a group", m->at, err);
    }
    return get(f, m->at + skip, 8) == nowhere ? SP_OK
                                              : unknown(f, "an HDF5 group with many links", err);
}

/* Look for a child of the group at an address. */
static sp_status search_group(const sp_hdf *f, uint64_t group, child *c, sp_error *err)
{
    header h;
    message m;
    bool more;
    c->at = nowhere;
    SP_TRY(begin(&h, f, group, err));
    SP_TRY(next(&h, &m, &more, err));
    while (more && c->at == nowhere) {
        if (m.type == MESSAGE_TABLE && m.size >= 16) {
            SP_TRY(search_table(f, &m, c, err));
        } else if (m.type == MESSAGE_LINK) {
            SP_TRY(match_link(f, &m, c, err));
        } else if (m.type == MESSAGE_LINK_INFO) {
            SP_TRY(check_link_info(f, &m, err));
        }
        SP_TRY(next(&h, &m, &more, err));
    }
    return SP_OK;
}

/* The header's address of the object with this path, nowhere if there is none. */
static sp_status locate(const sp_hdf *f, const char *path, uint64_t *at, sp_error *err)
{
    *at = f->root;
    while (*path && *at != nowhere) {
        child c = {path, strcspn(path, "/"), nowhere};
        SP_TRY(search_group(f, *at, &c, err));
        *at = c.at;
        path += c.length;
        path += *path == '/';
    }
    return SP_OK;
}

sp_status sp_hdf_exists(const sp_hdf *f, const char *path, bool *found, sp_error *err)
{
    uint64_t at;
    *found = false;
    SP_TRY(locate(f, path, &at, err));
    *found = at != nowhere;
    return SP_OK;
}

/* ---- datasets ------------------------------------------------------------------------------ */

/* Contents of the messages of a dataset. */
typedef struct dataset {
    const sp_hdf *f;
    const char *path;
    bool has_space, has_type, has_data;
    uint64_t room; /* bytes that are stored */
    sp_hdf_data *d;
} dataset;

/* A fault of this dataset. */
static sp_status bad(const dataset *s, const char *what, sp_error *err)
{
    const sp_status status = SP_FAIL(err, SP_E_INPUT, "dataset '/%s' %s", s->path, what);
    return sp_problem_place(err, status, s->f->name, 0);
}

/* Read how many numbers there are. */
static sp_status read_space(dataset *s, const message *m, sp_error *err)
{
    const unsigned char *b = s->f->data + m->at;
    const uint64_t skip = m->size >= 1 && b[0] == 1 ? 8 : 4;
    if (m->size < 4 || b[0] < 1 || b[0] > 2 || m->size < skip + 8 * (uint64_t)b[1]) {
        return bad(s, "has damaged sizes", err);
    }
    s->d->count = b[0] == 2 && b[3] == 2 ? 0 : 1; /* 2: there is no data at all */
    for (uint64_t k = 0; k < b[1]; k++) {
        const uint64_t size = get(s->f, m->at + skip + 8 * k, 8);
        if (size != 0 && s->d->count > s->f->n / size) { /* a number takes a byte at least */
            return bad(s, "claims more numbers than the file can hold", err);
        }
        s->d->count *= size;
    }
    s->has_space = true;
    return SP_OK;
}

/* Read what kind of numbers there are. */
static sp_status read_type(dataset *s, const message *m, sp_error *err)
{
    if (m->flags & 2 || m->size < 8) {
        return bad(s,
                   m->flags & 2 ? "has a named type, expected plain numbers" : "has a damaged type",
                   err);
    }
    const unsigned kind = s->f->data[m->at] & 15, bits = s->f->data[m->at + 1];
    const uint64_t size = get(s->f, m->at + 4, 4);
    const uint64_t precision = m->size >= 12 ? get(s->f, m->at + 10, 2) : 0;
    sp_hdf_data *d = s->d;
    d->is_float = kind == 1;
    d->is_signed = (bits & 8) != 0;
    d->big_endian = (bits & 1) != 0;
    const bool integer = kind == 0 && (size == 1 || size == 2 || size == 4 || size == 8);
    const bool real = kind == 1 && m->size >= 20 && (size == 4 || size == 8) && !(bits & 64) &&
                      s->f->data[m->at + 13] == (size == 8 ? 11 : 8);
    if (!(integer || real) || precision != 8 * size) {
        return bad(s, "holds no plain numbers, expected integers or IEEE numbers", err);
    }
    d->size = (unsigned)size;
    s->has_type = true;
    return SP_OK;
}

/* Read where the numbers are. */
static sp_status read_layout(dataset *s, const message *m, sp_error *err)
{
    const sp_hdf *f = s->f;
    if (m->size < 4 || f->data[m->at] < 3 || f->data[m->at] > 4) {
        return bad(s, "has an unknown or damaged layout; 'h5repack IN OUT' may mend the file", err);
    }
    const unsigned kind = f->data[m->at + 1];
    uint64_t at = nowhere;
    if (kind == 0) {
        at = m->at + 4;
        s->room = get(f, m->at + 2, 2);
        s->room = s->room <= m->size - 4 ? s->room : m->size - 4;
    } else if (kind == 1 && m->size >= 18) {
        at = get(f, m->at + 2, 8);
        s->room = get(f, m->at + 10, 8);
    } else {
        return bad(s,
                   "is stored in chunks; 'h5repack -l CONTI -f NONE IN OUT' rewrites the file "
                   "plainly",
                   err);
    }
    if (at == nowhere) {
        s->room = 0;
        at = 0;
    }
    if (!inside(f, at, s->room)) {
        return bad(s, "leaves the file: it is truncated or damaged", err);
    }
    s->d->bytes = f->data + at;
    s->has_data = true;
    return SP_OK;
}

/* Read one message of a dataset. */
static sp_status read_message(dataset *s, const message *m, sp_error *err)
{
    switch (m->type) {
    case MESSAGE_SPACE:
        return read_space(s, m, err);
    case MESSAGE_TYPE:
        return read_type(s, m, err);
    case MESSAGE_LAYOUT:
        return read_layout(s, m, err);
    default:
        return SP_OK;
    }
}

sp_status sp_hdf_find(const sp_hdf *f, const char *path, sp_hdf_data *d, sp_error *err)
{
    dataset s = {.f = f, .path = path, .d = d};
    header h;
    message m;
    bool more;
    uint64_t at;
    *d = (sp_hdf_data){.bytes = f->data};
    SP_TRY(locate(f, path, &at, err));
    if (at == nowhere) {
        return bad(&s, "is missing", err);
    }
    SP_TRY(begin(&h, f, at, err));
    SP_TRY(next(&h, &m, &more, err));
    while (more) {
        SP_TRY(read_message(&s, &m, err));
        SP_TRY(next(&h, &m, &more, err));
    }
    if (!s.has_space || !s.has_type || !s.has_data) {
        return bad(&s, "is no dataset of numbers", err);
    }
    if (d->count > s.room / d->size) {
        return bad(&s, "claims more numbers than are stored", err);
    }
    return SP_OK;
}
