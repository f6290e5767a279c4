#include "solvers/fc_team.h"

enum { SPINS = 2000 };

/* Wait until the number is no longer what it was; politely after a while. */
static int wait_for_change(atomic_int *number, int was)
{
    for (int k = 0;; k++) {
        const int now = atomic_load_explicit(number, memory_order_acquire);
        if (now != was) {
            return now;
        }
        if (k > SPINS) {
            thrd_yield();
        }
    }
}

/* A member: one work after the other. */
static int serve(void *start)
{
    const sp_fc_member *m = (const sp_fc_member *)start;
    sp_fc_team *t = m->team;
    int turn = 0;
    for (;;) {
        turn = wait_for_change(&t->turn, turn);
        if (turn < 0) {
            return 0;
        }
        t->work(t->data, m->number, t->members);
        atomic_fetch_add_explicit(&t->done, 1, memory_order_acq_rel);
    }
}

void sp_fc_team_start(sp_fc_team *t, int members)
{
    atomic_init(&t->turn, 0);
    atomic_init(&t->done, 0);
    atomic_init(&t->met, 0);
    atomic_init(&t->meetings, 0);
    t->work = 0;
    t->data = 0;
    t->members = 1;
    const int most = members < SP_FC_TEAM_MOST ? members : SP_FC_TEAM_MOST;
    while (t->members < most) {
        sp_fc_member *m = &t->member[t->members];
        m->team = t;
        m->number = t->members;
        if (thrd_create(&t->thread[t->members], serve, m) != thrd_success) {
            break;
        }
        t->members++;
    }
}

void sp_fc_team_run(sp_fc_team *t, sp_fc_team_work *work, void *data)
{
    t->work = work;
    t->data = data;
    atomic_store_explicit(&t->done, 0, memory_order_relaxed);
    const int turn = atomic_load_explicit(&t->turn, memory_order_relaxed);
    atomic_store_explicit(&t->turn, turn == 1 ? 2 : 1, memory_order_release);
    work(data, 0, t->members);
    for (int k = 0; atomic_load_explicit(&t->done, memory_order_acquire) < t->members - 1; k++) {
        if (k > SPINS) {
            thrd_yield();
        }
    }
}

void sp_fc_team_meet(sp_fc_team *t, int members)
{
    if (members == 1) {
        return;
    }
    const int meeting = atomic_load_explicit(&t->meetings, memory_order_acquire);
    if (atomic_fetch_add_explicit(&t->met, 1, memory_order_acq_rel) == members - 1) {
        atomic_store_explicit(&t->met, 0, memory_order_relaxed);
        atomic_store_explicit(&t->meetings, (meeting + 1) & 0xffff, memory_order_release);
    } else {
        wait_for_change(&t->meetings, meeting);
    }
}

void sp_fc_team_end(sp_fc_team *t)
{
    atomic_store_explicit(&t->turn, -1, memory_order_release);
    for (int k = 1; k < t->members; k++) {
        thrd_join(t->thread[k], 0);
    }
}
