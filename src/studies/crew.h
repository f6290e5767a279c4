/* studies/crew.h - workers that run points, as a few functions: processes with pipes here, ranks of
 * MPI elsewhere; the manager (manage.c) knows no more of them. */
#ifndef SP_STUDIES_CREW_H
#define SP_STUDIES_CREW_H

#include "studies/journal.h"

/* Points a worker shall run one after the other, first ... and back ...; each begins where the one
 * before ended, if the study is chained. */
typedef struct sp_task {
    uint64_t first, n;
    uint64_t back, n_back;  /* the way back of a chain */
    int64_t tried;          /* a worker was lost at the first point before */
    int32_t n_row, n_carry; /* numbers that follow: rows of given values, where the first begins */
} sp_task;

typedef enum sp_news_kind {
    SP_NEWS_NONE,
    SP_NEWS_OUTCOME,
    SP_NEWS_IDLE,
    SP_NEWS_LOST
} sp_news_kind;
typedef struct sp_news {
    sp_news_kind kind;
    int worker;
    const unsigned char *bytes; /* of an outcome */
    size_t n;
    char text[80]; /* why a worker was lost */
} sp_news;

typedef struct sp_crew sp_crew;
typedef struct sp_crew_kind {
    sp_status (*start)(sp_study *s, int n, sp_crew **crew, sp_error *err);
    /* How many workers there are, of so many that are wanted (0: one for every core). */
    int (*count)(int wanted);
    /* row: n x n_row numbers, carry: n_carry. */
    sp_status (*give)(sp_crew *c, int worker, const sp_task *task, const double *row,
                      const double *carry, sp_error *err);
    /* What happens next, within so many seconds. */
    sp_status (*wait)(sp_crew *c, double seconds, sp_news *news, sp_error *err);
    /* End a worker at once and put another one in its place. */
    sp_status (*replace)(sp_crew *c, int worker, sp_error *err);
    void (*end)(sp_crew *c);
} sp_crew_kind;

extern const sp_crew_kind sp_crew_processes;

/* Its k-th point, and what is left of it behind its first `done` points. */
uint64_t sp_task_point(const sp_task *task, uint64_t k);
sp_task sp_task_rest(const sp_task *task, uint64_t done);

/* Run the points of a task, as a worker; number: rows and carry of the task; each outcome is sent.
 * False: it could not be sent. */
typedef bool (*sp_crew_send)(void *ctx, const sp_outcome *o);
bool sp_crew_work(sp_engine *e, const sp_task *task, const double *number, sp_crew_send send,
                  void *ctx);

#endif
