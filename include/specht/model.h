/* specht/model.h - a machine, compiled from its description.
 *
 * Threads: a model does not change once it is built, and all functions that read it may be called
 * from any thread at once. */
#ifndef SPECHT_MODEL_H
#define SPECHT_MODEL_H

#include "specht/base.h"
#include "specht/spec.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sp_model sp_model; /* the machine: immutable once built, shared by all threads */

/* Compile spec.  On failure *model is NULL and err holds the first error. */
SP_API sp_status sp_model_build(const sp_spec *spec, const sp_allocator *allocator,
                                sp_model **model, sp_error *err);
SP_API void sp_model_free(sp_model *model); /* NULL is allowed */

/* Pairs of contours that a contact element does not have since they cannot touch. */
typedef struct sp_pairs_left_out {
    const char *contact, *a, *b; /* the element; kinds of contours, "a line" */
    int n;
} sp_pairs_left_out;

/* What the model file was made into.  It lives as long as the model. */
typedef struct sp_model_info {
    const char *name;
    bool spatial; /* else planar */
    int n_left_out;
    const sp_pairs_left_out *left_out;
    int n_remark;
    const char *const *remark; /* what it does not say itself: beams, their functions and frames */
} sp_model_info;

SP_API const sp_model_info *sp_model_about(const sp_model *model);

/* What a model has several of. */
typedef enum sp_item_kind {
    SP_ITEM_BODY,       /* the ground first                                            */
    SP_ITEM_COORDINATE, /* those of sp_state_q; in space more than velocities          */
    SP_ITEM_VELOCITY,   /* those of sp_state_u, by the names of rates: "crank.omega"   */
    SP_ITEM_FREEDOM,    /* the same degrees of freedom, by their coordinates           */
    SP_ITEM_FORCE,
    SP_ITEM_CONTACT, /* contact points that may close                               */
    SP_ITEM_LAW,
    SP_ITEM_MOTION,  /* prescribed velocities: names of their degrees of freedom    */
    SP_ITEM_ELEMENT, /* that store or lose energy: "energy.NAME.stored" are channels */
    SP_ITEM_OUTPUT,
    SP_ITEM_MEASURE, /* numbers of a whole run                                      */
    SP_ITEM_SAMPLE,  /* what `sample` keeps                                         */
    SP_ITEM_N
} sp_item_kind;

/* How many there are; name of item i and its unit ("" where it has none), NULL out of range; the
 * item of a name, SP_E_INPUT with the nearest. */
SP_API int sp_model_count(const sp_model *model, sp_item_kind kind);
SP_API const char *sp_model_item(const sp_model *model, sp_item_kind kind, int i);
SP_API const char *sp_model_unit(const sp_model *model, sp_item_kind kind, int i);
SP_API sp_status sp_model_find(const sp_model *model, sp_item_kind kind, const char *name, int *i,
                               sp_error *err);

/* A contact point and its law; coefficients by expressions have their values at zero. */
typedef struct sp_contact_about {
    const char *element; /* that it belongs to                                          */
    const char *law;     /* its name, "" for one without; NULL: it has no gap           */
    const char *kind;    /* "contact", "dry friction", "one way", "preload"             */
    const char *unit;    /* of its gap, "m" or "rad"                                    */
    double mu, mu_slip, eps_N, eps_T; /* mu: at rest                                     */
    char text[320];                   /* the law in words: "mu 0.3, eps_N 0.5, eps_T 0" */
} sp_contact_about;

/* Contact i; SP_E_INPUT if there is none. */
SP_API sp_status sp_model_contact(const sp_model *model, int i, sp_contact_about *about);

#ifdef __cplusplus
}
#endif
#endif
