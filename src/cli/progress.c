#define _POSIX_C_SOURCE 200809L
#include "cli/progress.h"

#include "base/clock.h"
#include "base/status.h"
#include "cli/talk.h"

#include <math.h>
#include <signal.h>
#include <string.h>

enum { BAR_WIDTH = 20 };
#define DRAW_INTERVAL 0.1 /* s between two pictures of the bar */

/* What a signal sets, and the run that it ends: these cannot be handed over as arguments. */
static volatile sig_atomic_t wish_to_end;
static sp_work *volatile run_to_end;

/* ---- the bar ------------------------------------------------------------------------------- */

void sp_progress_begin(sp_progress *p, bool shown, double t_0, double until)
{
    memset(p, 0, sizeof *p);
    p->shown = shown && sp_cli_is_terminal(stderr);
    p->utf8 = p->shown && sp_cli_is_utf8();
    p->colour = sp_cli_has_colour(stderr);
    p->t_0 = t_0;
    p->until = until;
    p->begun = p->drawn = sp_clock_now();
}

/* "12 s", "3 min", "2 h" */
static void duration_text(double s, char *buffer, size_t size)
{
    if (s < 100.0) {
        snprintf(buffer, size, "%.0f s", s);
    } else if (s < 6000.0) {
        snprintf(buffer, size, "%.0f min", s / 60.0);
    } else {
        snprintf(buffer, size, "%.0f h", s / 3600.0);
    }
}

/* Draw the bar over itself. */
static void draw(const sp_progress *p, double t, long n_event, double now)
{
    const double part = fmin(fmax((t - p->t_0) / (p->until - p->t_0), 0.0), 1.0);
    char events[32], left[32] = "";
    sp_count_text(n_event, events, sizeof events);
    if (part > 0.0) {
        duration_text((now - p->begun) * (1.0 - part) / part, left, sizeof left);
    }
    fprintf(stderr, "\r  %s", p->colour ? "\033[32m" : "");
    for (int i = 0; i < BAR_WIDTH; i++) {
        const bool full = i < (int)(part * BAR_WIDTH + 0.5);
        fputs(full ? (p->utf8 ? "\u2588" : "#") : (p->utf8 ? "\u2591" : "."), stderr);
    }
    fprintf(stderr, "%s %3.0f %%   %s%st = %.4g s   %s event%s   %s left\033[K",
            p->colour ? "\033[0m" : "", 100.0 * part, p->label, p->label[0] ? "   " : "", t, events,
            n_event == 1 ? "" : "s", left);
    fflush(stderr);
}

/* Look at the clock now and then, about ten times between two pictures. */
static void show(sp_progress *p, double t, long steps, long events)
{
    if (!p->shown || steps < p->next) {
        return;
    }
    const double now = sp_clock_now(), passed = now - p->begun;
    const double more = (double)steps * 0.1 * DRAW_INTERVAL / (passed > 1e-3 ? passed : 1e-3);
    p->next = steps + (more > 1.0 ? (long)more : 1);
    if (now - p->drawn >= DRAW_INTERVAL) {
        draw(p, t, events, now);
        p->drawn = now;
    }
}

void sp_progress_end(sp_progress *p)
{
    run_to_end = NULL;
    if (p->shown && p->drawn > p->begun) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    p->shown = false;
}

/* ---- Ctrl-C -------------------------------------------------------------------------------- */

static const int caught[] = {SIGINT, SIGTERM};
enum { N_CAUGHT = sizeof caught / sizeof *caught };

/* Note the wish; the next signal does what it always does. */
static void on_signal(int number)
{
    (void)number;
    wish_to_end = 1;
    if (run_to_end) {
        sp_run_stop(run_to_end);
    }
    for (int i = 0; i < N_CAUGHT; i++) {
        signal(caught[i], SIG_DFL);
    }
}

void sp_interrupt_catch(sp_work *work)
{
    struct sigaction before, after;
    memset(&after, 0, sizeof after);
    after.sa_handler = on_signal;
    after.sa_flags = SA_RESTART;
    sigemptyset(&after.sa_mask);
    wish_to_end = 0;
    run_to_end = work;
    for (int i = 0; i < N_CAUGHT; i++) {
        if (sigaction(caught[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(caught[i], &after, NULL);
        }
    }
}

sp_status sp_progress_step(void *ctx, double t, long steps, long events, sp_error *err)
{
    show(ctx, t, steps, events);
    return wish_to_end ? SP_FAIL(err, SP_E_INTERRUPTED, "interrupted at t = %.9g s", t) : SP_OK;
}
