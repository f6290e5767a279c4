/* reduce/fe.h - a part of finite elements: nodes, elements, sets, and its matrices. */
#ifndef SP_REDUCE_FE_H
#define SP_REDUCE_FE_H

#include "reduce/sparse.h"

typedef struct sp_fe_set {
    const char *name;
    int n, room;
    int *index; /* of nodes or elements */
} sp_fe_set;

typedef struct sp_fe_material {
    const char *name;
    double young, nu, density; /* 0: not given                        */
    bool plain;                /* isotropic and linear, as far as read */
} sp_fe_material;

typedef struct sp_fe_element {
    int id, n_node, material; /* material: -1 none         */
    int first;                /* of its nodes in fe->corner */
    const char *type;
} sp_fe_element;

typedef struct sp_fe {
    sp_arena *arena;
    const char *name; /* of the file */
    int n_node, node_room;
    int *id;
    double *at;    /* n_node x 3 */
    int *index_of; /* by id: index, or -1 */
    int most_id;
    int n_element, element_room;
    sp_fe_element *element;
    int n_corner, corner_room;
    int *corner;
    int n_set, n_elset, n_material;
    sp_fe_set set[256], elset[256];
    sp_fe_material material[64];
    bool fixed; /* the file holds nodes before its first step */
    char *deck; /* its text before the first step, includes taken in */
    size_t n_deck, deck_room;

    int n;           /* unknowns                             */
    int *node, *dir; /* n: node and direction of each, 0 1 2 */
    sp_sym K, M;
} sp_fe;

/* Index of a node by its id, -1: none. */
int sp_fe_node(const sp_fe *fe, int id);

/* A node set by name, whatever the case of letters; NULL: none. */
const sp_fe_set *sp_fe_find_set(const sp_fe *fe, const char *name);

/* Read an input deck of CalculiX or Abaqus up to its first step. */
sp_status sp_fe_read_deck(const char *path, sp_fe *fe, sp_error *err);

/* Read a table "id, x, y, z, sets ..." of nodes. */
sp_status sp_fe_read_nodes(const char *path, sp_fe *fe, sp_error *err);

/* Read stem.sti, stem.mas, stem.dof; read MatrixMarket files of K and M, whose unknowns are x, y, z
 * of node after node. */
sp_status sp_fe_read_calculix(const char *stem, sp_fe *fe, sp_error *err);
sp_status sp_fe_read_market(const char *K, const char *M, sp_fe *fe, sp_error *err);

/* Run CalculiX on the deck in a folder of its own and read what it leaves. */
sp_status sp_fe_run_calculix(const char *program, sp_fe *fe, sp_error *err);

/* Other units: lengths, forces per length and masses times these. */
void sp_fe_scale(sp_fe *fe, double length, double stiffness, double mass);

/* A whole file, with a zero behind it; free() it. */
char *sp_fe_load(const char *path, size_t *n, sp_error *err);

#endif
