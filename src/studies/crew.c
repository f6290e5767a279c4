/* studies/crew.c - workers as processes of this machine: a fork each, and a pair of sockets. */
#define _GNU_SOURCE
#include "studies/crew.h"

#include "base/status.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A worker, seen from the manager. */
typedef struct hand {
    pid_t pid;
    int fd;
    sp_bytes in; /* what came from it */
    size_t used; /* of that, already reported */
} hand;

struct sp_crew {
    sp_study *s;
    int n, next; /* next: whom to look at first, so that none is forgotten */
    hand *hand;
    struct pollfd *poll;
};

/* ---- sending ----------------------------------------------------------------------------------
 */

/* All of n bytes; false: the other side is gone. */
static bool send_all(int fd, const void *from, size_t n)
{
    for (size_t done = 0; done < n;) {
        const ssize_t k = send(fd, (const char *)from + done, n - done, MSG_NOSIGNAL);
        if (k <= 0 && errno != EINTR) {
            return false;
        }
        done += k > 0 ? (size_t)k : 0;
    }
    return true;
}

static bool receive_all(int fd, void *to, size_t n)
{
    for (size_t done = 0; done < n;) {
        const ssize_t k = recv(fd, (char *)to + done, n - done, 0);
        if (k == 0 || (k < 0 && errno != EINTR)) {
            return false;
        }
        done += k > 0 ? (size_t)k : 0;
    }
    return true;
}

/* ---- the worker -------------------------------------------------------------------------------
 */

uint64_t sp_task_point(const sp_task *task, uint64_t k)
{
    return k < task->n ? task->first + k : task->back + (k - task->n);
}

sp_task sp_task_rest(const sp_task *task, uint64_t done)
{
    const uint64_t there = done < task->n ? done : task->n, back = done - there;
    sp_task rest = {.first = task->first + there,
                    .n = task->n - there,
                    .back = task->back + back,
                    .n_back = task->n_back - back};
    if (rest.n == 0) {
        rest = (sp_task){.first = rest.back, .n = rest.n_back};
    }
    return rest;
}

bool sp_crew_work(sp_engine *e, const sp_task *task, const double *number, sp_crew_send send,
                  void *ctx)
{
    const size_t n_row = (size_t)task->n_row;
    const double *carry = task->n_carry > 0 ? number + (size_t)task->n * n_row : NULL;
    int n_carry = task->n_carry;
    double *kept = NULL;
    bool ok = true;
    for (uint64_t k = 0; ok && k < task->n + task->n_back; k++) {
        const double *row = n_row > 0 ? number + k * n_row : NULL;
        const sp_outcome *o = sp_engine_run(e, sp_task_point(task, k), row, n_carry, carry);
        ok = send(ctx, o);
        if (o->n_carry > 0) { /* else the next one begins where this one did */
            double *room = realloc(kept, (size_t)o->n_carry * sizeof *kept);
            ok = ok && room;
            kept = room ? room : kept;
            if (ok) {
                memcpy(kept, o->carry, (size_t)o->n_carry * sizeof *kept);
                carry = kept;
                n_carry = o->n_carry;
            }
        }
    }
    free(kept);
    return ok;
}

/* The worker's end of the line. */
typedef struct line {
    const sp_study *s;
    int fd;
    uint64_t left; /* points of the task */
    sp_bytes b;
} line;

/* sp_crew_send: its length, its bytes; behind the last one of a task, at once with it, the length 0
 * of who is idle. */
static bool send_outcome(void *ctx, const sp_outcome *o)
{
    line *l = ctx;
    l->b.n = 0;
    unsigned char *head = sp_bytes_more(&l->b, sizeof(uint32_t));
    if (!head || !sp_outcome_pack(l->s, o, &l->b)) {
        return false;
    }
    const uint32_t n = (uint32_t)(l->b.n - sizeof n);
    memcpy(l->b.data, &n, sizeof n);
    unsigned char *idle = --l->left == 0 ? sp_bytes_more(&l->b, sizeof n) : NULL;
    if (idle) {
        memset(idle, 0, sizeof n);
    } else if (l->left == 0) {
        return false;
    }
    return send_all(l->fd, l->b.data, l->b.n);
}

/* Run the points of a task. */
static bool do_task(sp_engine *e, const sp_task *task, line *l)
{
    const size_t n = (size_t)task->n * (size_t)task->n_row + (size_t)task->n_carry;
    double *number = malloc((n + 1) * sizeof *number);
    l->left = task->n + task->n_back;
    const bool ok = number && receive_all(l->fd, number, n * sizeof *number) &&
                    sp_crew_work(e, task, number, send_outcome, l);
    free(number);
    return ok;
}

/* Live as a worker until nobody wants anything any more. */
static void work(sp_study *s, int fd)
{
    sp_engine *e = NULL;
    sp_task task;
    line l = {.s = s, .fd = fd};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); /* the manager decides */
    signal(SIGTERM, SIG_DFL);
    bool ok = sp_engine_new(s, &e, NULL) == SP_OK;
    while (ok && receive_all(fd, &task, sizeof task)) {
        ok = do_task(e, &task, &l);
    }
    _exit(0);
}

/* ---- the manager's side ------------------------------------------------------------------------
 */

/* Make worker k. */
static sp_status hire(sp_crew *c, int k, sp_error *err)
{
    int pair[2];
    hand *h = &c->hand[k];
    fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return SP_FAIL(err, SP_E_IO, "cannot make a worker: %s", strerror(errno));
    }
    h->pid = fork();
    if (h->pid == 0) {
        for (int i = 0; i < c->n; i++) {
            if (c->hand[i].fd >= 0) {
                close(c->hand[i].fd);
            }
        }
        close(pair[0]);
        work(c->s, pair[1]);
    }
    close(pair[1]);
    h->fd = pair[0];
    h->in.n = h->used = 0;
    if (h->pid < 0) {
        close(pair[0]);
        h->fd = -1;
        return SP_FAIL(err, SP_E_IO, "cannot make a worker: %s", strerror(errno));
    }
    return SP_OK;
}

/* Take leave of worker k; how it ended, in words. */
static void dismiss(sp_crew *c, int k, bool now, char *text, size_t size)
{
    hand *h = &c->hand[k];
    int status = 0;
    if (h->fd >= 0) {
        close(h->fd);
    }
    h->fd = -1;
    if (h->pid <= 0) {
        return;
    }
    if (now) {
        kill(h->pid, SIGKILL);
    }
    while (waitpid(h->pid, &status, 0) < 0 && errno == EINTR) {
    }
    h->pid = -1;
    if (WIFSIGNALED(status)) {
        snprintf(text, size, "its worker was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    } else {
        snprintf(text, size, "its worker ended with exit code %d", WEXITSTATUS(status));
    }
}

static void end(sp_crew *c)
{
    char text[80];
    for (int k = 0; c && k < c->n; k++) {
        dismiss(c, k, true, text, sizeof text);
        sp_bytes_free(&c->hand[k].in);
    }
    if (c) {
        free(c->hand);
        free(c->poll);
        free(c);
    }
}

static int count(int wanted)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return wanted > 0 ? wanted : cores > 0 ? (int)cores : 1;
}

static sp_status start(sp_study *s, int n, sp_crew **crew, sp_error *err)
{
    sp_crew *c = calloc(1, sizeof *c);
    *crew = c;
    if (c) {
        c->s = s;
        c->hand = calloc((size_t)n, sizeof *c->hand);
        c->poll = calloc((size_t)n, sizeof *c->poll);
    }
    if (!c || !c->hand || !c->poll) {
        end(c);
        *crew = NULL;
        return SP_FAIL(err, SP_E_MEMORY, "no memory for workers");
    }
    for (int k = 0; k < n; k++) {
        c->hand[k].fd = c->hand[k].pid = -1;
    }
    c->n = n;
    for (int k = 0; k < n; k++) {
        const sp_status status = hire(c, k, err);
        if (status != SP_OK) {
            end(c);
            *crew = NULL;
            return status;
        }
    }
    return SP_OK;
}

static sp_status replace(sp_crew *c, int worker, sp_error *err)
{
    char text[80];
    dismiss(c, worker, true, text, sizeof text);
    return hire(c, worker, err);
}

static sp_status give(sp_crew *c, int worker, const sp_task *task, const double *row,
                      const double *carry, sp_error *err)
{
    const int fd = c->hand[worker].fd;
    const size_t n_row = (size_t)task->n * (size_t)task->n_row * sizeof *row;
    const bool ok = send_all(fd, task, sizeof *task) && send_all(fd, row, n_row) &&
                    send_all(fd, carry, (size_t)task->n_carry * sizeof *carry);
    (void)ok; /* one that is gone is told by wait */
    (void)err;
    return SP_OK;
}

/* A whole message of worker k, if there is one. */
static bool next_message(sp_crew *c, int k, sp_news *news)
{
    hand *h = &c->hand[k];
    uint32_t n;
    if (h->in.n - h->used < sizeof n) {
        return false;
    }
    memcpy(&n, h->in.data + h->used, sizeof n);
    if (h->in.n - h->used < sizeof n + n) {
        return false;
    }
    news->worker = k;
    news->kind = n == 0 ? SP_NEWS_IDLE : SP_NEWS_OUTCOME;
    news->bytes = h->in.data + h->used + sizeof n;
    news->n = n;
    h->used += sizeof n + n;
    return true;
}

/* Read what worker k has sent; false: it is gone. */
static bool listen_to(sp_crew *c, int k)
{
    hand *h = &c->hand[k];
    enum { ROOM = 1 << 16 };
    if (h->used > 0) {
        memmove(h->in.data, h->in.data + h->used, h->in.n - h->used);
        h->in.n -= h->used;
        h->used = 0;
    }
    unsigned char *to = sp_bytes_more(&h->in, ROOM);
    if (!to) {
        return false;
    }
    const ssize_t got = recv(h->fd, to, ROOM, MSG_DONTWAIT);
    h->in.n -= (size_t)(ROOM - (got > 0 ? got : 0));
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

static sp_status wait_for(sp_crew *c, double seconds, sp_news *news, sp_error *err)
{
    *news = (sp_news){.kind = SP_NEWS_NONE};
    for (int i = 0; i < c->n; i++) {
        if (next_message(c, (c->next + i) % c->n, news)) {
            return SP_OK;
        }
    }
    for (int k = 0; k < c->n; k++) {
        c->poll[k] = (struct pollfd){.fd = c->hand[k].fd, .events = POLLIN};
    }
    const int n = poll(c->poll, (nfds_t)c->n, (int)(1000.0 * seconds));
    if (n < 0 && errno != EINTR) {
        return SP_FAIL(err, SP_E_IO, "cannot hear workers: %s", strerror(errno));
    }
    for (int i = 0; n > 0 && i < c->n; i++) {
        const int k = (c->next + i) % c->n;
        if (!(c->poll[k].revents & (POLLIN | POLLHUP | POLLERR))) {
            continue;
        }
        const bool there = listen_to(c, k);
        if (next_message(c, k, news)) {
            c->next = (k + 1) % c->n;
            return SP_OK;
        }
        if (!there) {
            news->kind = SP_NEWS_LOST;
            news->worker = k;
            dismiss(c, k, false, news->text, sizeof news->text);
            return hire(c, k, err);
        }
    }
    return SP_OK;
}

const sp_crew_kind sp_crew_processes = {
    .start = start, .count = count, .give = give, .wait = wait_for, .replace = replace, .end = end};
