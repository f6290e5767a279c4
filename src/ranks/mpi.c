/* ranks/mpi.c - workers as ranks of MPI: the functions of studies/crew.h, and nothing else.
 *
 * Rank 0 manages.  Messages are bytes: tasks one way, outcomes the other; an empty one says that a
 * worker has nothing to do, or that there is nothing more to do.  Who waits sleeps, so that ranks
 * may share cores. */
#define _GNU_SOURCE
#include "ranks/ranks.h"

#include "base/status.h"
#include "studies/crew.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EAGER = 200, FIRST_NAP = 10000, LONGEST_NAP = 200000 }; /* looks; ns */

struct sp_crew {
    sp_study *s;
    int n;
    bool *busy;
    sp_bytes in, out;
};

/* What this program is among the ranks: set once at its begin. */
static struct {
    int rank, size;
    bool ended, torn; /* torn: ranks are still working, and shall not */
    bool dismissed;   /* workers were told that there is nothing more */
    int error;        /* where errors of a worker go when it ends     */
} self = {.size = 1, .error = -1};

/* ---- begin and end ----------------------------------------------------------------------------
 */

/* Errors of workers wait: the manager has the same ones, and ends all ranks when it prints them. */
static void hold_errors(void)
{
    FILE *kept = tmpfile();
    self.error = kept ? dup(2) : -1;
    if (self.error >= 0) {
        dup2(fileno(kept), 2);
    }
}

/* Print them after all. */
static void release_errors(void)
{
    char text[4096];
    ssize_t n;
    signal(SIGTERM, SIG_DFL);
    sleep(1);
    lseek(2, 0, SEEK_SET);
    while ((n = read(2, text, sizeof text)) > 0) {
        (void)!write(self.error, text, (size_t)n);
    }
}

bool sp_ranks_begin(int *argc, char ***argv)
{
    int given;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &self.size);
    if (self.size == 1) { /* processes of this machine do the work, and know no MPI */
        MPI_Finalize();
        self.ended = true;
    }
    if (self.rank > 0) {
        signal(SIGINT, SIG_IGN); /* the manager decides */
        signal(SIGTERM, SIG_IGN);
        hold_errors();
    }
    return true;
}

/* End all workers that have no point left. */
static void dismiss(void)
{
    for (int k = 1; self.rank == 0 && !self.dismissed && k < self.size; k++) {
        MPI_Send(NULL, 0, MPI_BYTE, k, 0, MPI_COMM_WORLD);
    }
    self.dismissed = true;
}

int sp_ranks_end(int code)
{
    fflush(NULL);
    if (self.rank > 0 && code != 0 && self.error >= 0) {
        release_errors();
    }
    if (self.ended) {
        return code;
    }
    if (self.torn || (code != 0 && !self.dismissed)) {
        MPI_Abort(MPI_COMM_WORLD, code);
    }
    dismiss();
    MPI_Finalize();
    return code;
}

/* ---- messages ---------------------------------------------------------------------------------
 */

/* Let others work; longer the longer nothing comes. */
static void nap(long *looks)
{
    ++*looks;
    if (*looks > EAGER) {
        const long more = *looks - EAGER;
        const long time = more < LONGEST_NAP / FIRST_NAP ? more * FIRST_NAP : LONGEST_NAP;
        nanosleep(&(struct timespec){.tv_nsec = time}, NULL);
    }
}

/* The next message within so many seconds (below 0: ever) into b; false: there is none. */
static bool receive(double seconds, sp_bytes *b, int *from)
{
    MPI_Status status;
    int there = 0, n;
    const double begin = MPI_Wtime();
    for (long looks = 0;; nap(&looks)) {
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
        if (there) {
            break;
        }
        if (seconds >= 0.0 && MPI_Wtime() - begin > seconds) {
            return false;
        }
    }
    MPI_Get_count(&status, MPI_BYTE, &n);
    b->n = 0;
    unsigned char *to = sp_bytes_more(b, (size_t)n + 1);
    if (!to) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    b->n = (size_t)n;
    *from = status.MPI_SOURCE;
    MPI_Recv(to, n, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return true;
}

/* ---- the worker -------------------------------------------------------------------------------
 */

/* What a worker sends with. */
typedef struct desk {
    const sp_study *s;
    sp_bytes out;
} desk;

/* sp_crew_send */
static bool send_outcome(void *ctx, const sp_outcome *o)
{
    desk *d = ctx;
    d->out.n = 0;
    return sp_outcome_pack(d->s, o, &d->out) &&
           MPI_Send(d->out.data, (int)d->out.n, MPI_BYTE, 0, 0, MPI_COMM_WORLD) == MPI_SUCCESS;
}

bool sp_ranks_serve(sp_study *study, const sp_stiff_driver *stiff)
{
    sp_engine *e = NULL;
    sp_bytes in = {NULL, 0, 0};
    desk d = {.s = study};
    int from;
    if (self.rank == 0) {
        return false;
    }
    study->stiff = stiff;
    bool ok = sp_engine_new(study, &e, NULL) == SP_OK;
    while (ok && receive(-1.0, &in, &from) && in.n > 0) {
        sp_task task;
        memcpy(&task, in.data, sizeof task);
        const size_t n = in.n - sizeof task;
        double *number = malloc(n + 1);
        ok = number != NULL;
        if (ok) {
            memcpy(number, in.data + sizeof task, n);
            ok = sp_crew_work(e, &task, number, send_outcome, &d) &&
                 MPI_Send(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD) == MPI_SUCCESS;
        }
        free(number);
    }
    self.torn = !ok;
    sp_engine_free(e);
    sp_bytes_free(&in);
    sp_bytes_free(&d.out);
    return true;
}

/* ---- the manager ------------------------------------------------------------------------------
 */

/* Workers that are at work are ended with the program. */
static void end(sp_crew *c)
{
    for (int k = 0; c && k < c->n; k++) {
        self.torn = self.torn || c->busy[k];
    }
    if (!self.torn) {
        dismiss();
    }
    if (c) {
        sp_bytes_free(&c->in);
        sp_bytes_free(&c->out);
        free(c->busy);
        free(c);
    }
}

static sp_status start(sp_study *s, int n, sp_crew **crew, sp_error *err)
{
    sp_crew *c = calloc(1, sizeof *c);
    *crew = c;
    if (!c || !(c->busy = calloc((size_t)n, sizeof *c->busy))) {
        free(c);
        return SP_FAIL(err, SP_E_MEMORY, "no memory for workers");
    }
    c->s = s;
    c->n = n;
    return SP_OK;
}

static int count(int wanted)
{
    return wanted > 0 && wanted < self.size - 1 ? wanted : self.size - 1;
}

static sp_status give(sp_crew *c, int worker, const sp_task *task, const double *row,
                      const double *carry, sp_error *err)
{
    const size_t n_row = (size_t)task->n * (size_t)task->n_row * sizeof *row;
    const size_t n_carry = (size_t)task->n_carry * sizeof *carry;
    c->out.n = 0;
    unsigned char *to = sp_bytes_more(&c->out, sizeof *task + n_row + n_carry);
    if (!to) {
        return SP_FAIL(err, SP_E_MEMORY, "no memory for a task");
    }
    memcpy(to, task, sizeof *task);
    if (n_row > 0) {
        memcpy(to + sizeof *task, row, n_row);
    }
    if (n_carry > 0) {
        memcpy(to + sizeof *task + n_row, carry, n_carry);
    }
    c->busy[worker] = true;
    MPI_Send(c->out.data, (int)c->out.n, MPI_BYTE, worker + 1, 0, MPI_COMM_WORLD);
    return SP_OK;
}

static sp_status wait_for(sp_crew *c, double seconds, sp_news *news, sp_error *err)
{
    int from;
    (void)err;
    *news = (sp_news){.kind = SP_NEWS_NONE};
    if (receive(seconds, &c->in, &from)) {
        news->worker = from - 1;
        news->kind = c->in.n > 0 ? SP_NEWS_OUTCOME : SP_NEWS_IDLE;
        news->bytes = c->in.data;
        news->n = c->in.n;
        c->busy[from - 1] = c->in.n > 0;
    }
    return SP_OK;
}

/* MPI has no other rank to put in its place. */
static sp_status replace(sp_crew *c, int worker, sp_error *err)
{
    (void)c;
    return SP_FAIL(err, SP_E_INTERRUPTED,
                   "rank %d hangs at a point that is now told to have run out of time", worker + 1);
}

static const sp_crew_kind ranks = {
    .start = start, .count = count, .give = give, .wait = wait_for, .replace = replace, .end = end};

const struct sp_crew_kind *sp_ranks_crew(void)
{
    return self.size > 1 ? &ranks : NULL;
}
