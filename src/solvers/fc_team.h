/* solvers/fc_team.h - threads that do the same work again and again and wait for each other. */
#ifndef SP_SOLVERS_FC_TEAM_H
#define SP_SOLVERS_FC_TEAM_H

#include <stdatomic.h>
#include <threads.h>

enum { SP_FC_TEAM_MOST = 64 };

/* work(data, member, members); member 0 is the calling thread. */
typedef void sp_fc_team_work(void *data, int member, int members);

typedef struct sp_fc_team sp_fc_team;

typedef struct sp_fc_member {
    sp_fc_team *team;
    int number;
} sp_fc_member;

struct sp_fc_team {
    int members;
    thrd_t thread[SP_FC_TEAM_MOST];
    sp_fc_member member[SP_FC_TEAM_MOST];
    sp_fc_team_work *work;
    void *data;
    atomic_int turn;          /* counts the works; -1: go home  */
    atomic_int done;          /* members that finished it       */
    atomic_int met, meetings; /* of sp_fc_team_meet             */
};

/* Start members - 1 threads; fewer if there are no more. */
void sp_fc_team_start(sp_fc_team *t, int members);

/* Let all members do the work; returns when all have. */
void sp_fc_team_run(sp_fc_team *t, sp_fc_team_work *work, void *data);

/* Called by every member within a work: nobody goes on before all are here. */
void sp_fc_team_meet(sp_fc_team *t, int members);

void sp_fc_team_end(sp_fc_team *t);

#endif
