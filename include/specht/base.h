/* specht/base.h - status codes, errors and memory: what every other header builds on. */
#ifndef SPECHT_BASE_H
#define SPECHT_BASE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SP_API               __attribute__((visibility("default")))
#define SP_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define SP_API
#define SP_PRINTF(fmt, args)
#endif

/* What a call came to.  The texts are in sp_status_text(). */
typedef enum sp_status {
    SP_OK = 0,
    SP_E_INPUT,         /* the user's mistake: a file, a number, a name            */
    SP_E_IO,            /* a file could not be opened, read or written             */
    SP_E_MEMORY,        /* out of memory                                           */
    SP_E_CAPACITY,      /* a limit of the program was reached; the text says which */
    SP_E_NOT_CONVERGED, /* a contact problem was not solved to the asked residual  */
    SP_E_INFEASIBLE,    /* a contact problem has no solution                       */
    SP_E_NONFINITE,     /* NaN or infinity where a number was needed               */
    SP_E_INTERRUPTED    /* stopped from outside; what was computed is kept         */
} sp_status;

/* One sentence about what went wrong, where in a model file if it was there. */
typedef struct sp_error {
    sp_status status;
    char text[512];   /* "body 'bird': mass = -1 kg, expected > 0"  */
    char file[256];   /* model file, empty if none                  */
    int line, column; /* 1-based place in it, 0 if none             */
    const char *func; /* function of the library that reported it   */
} sp_error;

typedef enum sp_severity { SP_NOTE, SP_WARNING, SP_ERROR } sp_severity;

/* A place in a file; line and column count from 1, 0: unknown. */
typedef struct sp_place {
    const char *file;
    int line, column;
} sp_place;

/* Something to say about a model; texts live as long as the call that hands it out. */
typedef struct sp_message {
    sp_severity severity;
    sp_place place;
    const char *text; /* "body 'bird': mass = -1 kg, expected > 0" */
    struct sp_message *next;
} sp_message;

/* Who hears all messages of a call, in the order of the file; of functions that stop at the first
 * error err holds that one. */
typedef struct sp_listener {
    void (*hear)(void *ctx, const sp_message *message);
    void *ctx;
} sp_listener;

typedef struct sp_complex {
    double re, im;
} sp_complex;

/* Where memory comes from.  alloc returns NULL when there is none; NULL for the whole means malloc.
 */
typedef struct sp_allocator {
    void *(*alloc)(void *ctx, size_t bytes);
    void (*release)(void *ctx, void *block);
    void *ctx;
} sp_allocator;

/* A short English phrase for a status, never NULL.  Thread-safe, as is the version. */
SP_API const char *sp_status_text(sp_status status);

/* Version of the library and, behind it, which build that is: "0.1.0+1f0c52b7a9e3", by a hash of
 * its sources.  Builds with the same one find the same numbers. */
SP_API const char *sp_version(void);

#ifdef __cplusplus
}
#endif
#endif
