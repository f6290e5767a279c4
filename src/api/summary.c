/* api/summary.c - the outcome of a run in a few lines for people. */
#include "record/record.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* A text that is written on; n counts what does not fit, too. */
typedef struct page {
    char *text;
    size_t size, n;
} page;

SP_PRINTF(2, 3) static void put(page *p, const char *format, ...)
{
    va_list args;
    const size_t used = p->n < p->size ? p->n : p->size;
    va_start(args, format);
    const int n = vsnprintf(p->size > used ? p->text + used : NULL, p->size - used, format, args);
    va_end(args);
    p->n += n > 0 ? (size_t)n : 0;
}

/* "12 345 steps" */
static void put_count(page *p, long n, const char *word)
{
    char digits[32];
    sp_count_text(n, digits, sizeof digits);
    put(p, "%s %s%s", digits, word, n == 1 ? "" : "s");
}

/* ---- energy ---------------------------------------------------------------------------------- */

enum { TERM_MAX = 7 };

/* A share of the balance: work on the machine, > 0: it came in. */
typedef struct term {
    const char *name;
    double work;
} term;

/* What the numbers of the line are printed with. */
typedef struct scale {
    double unit; /* J                              */
    const char *name;
    int digits;   /* behind the point                */
    double least; /* what is smaller is round-off, J */
} scale;

/* A unit and digits for numbers of size up to largest: five digits in all. */
static scale choose_scale(double largest)
{
    static const scale unit[] = {{.unit = 1e-9, .name = "nJ"}, {.unit = 1e-6, .name = "uJ"},
                                 {.unit = 1e-3, .name = "mJ"}, {.unit = 1.0, .name = "J"},
                                 {.unit = 1e3, .name = "kJ"},  {.unit = 1e6, .name = "MJ"},
                                 {.unit = 1e9, .name = "GJ"}};
    enum { N = sizeof unit / sizeof *unit, JOULE = 3 };
    int i = JOULE;
    for (; largest > 0.0 && i > 0 && largest < 0.1 * unit[i].unit; i--) {
    }
    for (; i < N - 1 && largest >= 1000.0 * unit[i].unit; i++) {
    }
    scale s = unit[i];
    const double size = largest / s.unit;
    s.digits = !(size >= 1.0) ? 5 : size < 10.0 ? 4 : size < 100.0 ? 3 : 2;
    s.least = 1e-13 * largest;
    return s;
}

/* A number of the line; one that would lose its digits is printed short instead. */
static void put_energy(page *p, const scale *s, double value)
{
    const double number = value / s->unit;
    if (number != 0.0 && fabs(number) < 10.0 * pow(10.0, -s->digits)) {
        put(p, "%.1g", number);
    } else if (fabs(number) >= 1e7) {
        put(p, "%.4g", number);
    } else {
        put(p, "%.*f", s->digits, number);
    }
}

/* The terms of one sign, each with a plus before it. */
static void put_terms(page *p, const scale *s, const term *t, double sign)
{
    for (int i = 0; i < TERM_MAX; i++) {
        if (sign * t[i].work > s->least) {
            put(p, " + ");
            put_energy(p, s, sign * t[i].work);
            put(p, " %s", t[i].name);
        }
    }
}

/* "7.4955 J = 7.1840 kept + 0.2930 impacts + 0.0185 friction   (closes to 4e-16)": left what was
 * there and came in, right where it is. */
static void put_ledger(page *p, const sp_run_outcome *o)
{
    const term t[TERM_MAX] = {
        {"impacts", o->impacts},          {"friction", o->friction}, {"dampers", o->dampers},
        {"applied", o->applied},          {"driven", o->driven},     {"projection", o->projection},
        {"step error", o->discretisation}};
    double largest = fmax(fabs(o->initial), fabs(o->kinetic + o->potential));
    for (int i = 0; i < TERM_MAX; i++) {
        largest = fmax(largest, fabs(t[i].work));
    }
    const scale s = choose_scale(largest);
    put(p, "energy   ");
    put_energy(p, &s, o->initial);
    put(p, " %s", s.name);
    put_terms(p, &s, t, 1.0);
    put(p, " = ");
    put_energy(p, &s, o->kinetic + o->potential);
    put(p, " kept");
    put_terms(p, &s, t, -1.0);
    put(p, "   (closes to %.1g)\n", o->closure);
}

/* ---- notes and doubts ------------------------------------------------------------------------ */

/* Events that are no changes of contacts: how often, and the first. */
static void put_note(page *p, const char *what, const char *kind, const sp_note *a)
{
    if (a->n > 0) {
        put(p, "%s %ld time%s (first at t = %.6g s, '%s'): specht events --kind %s\n", what, a->n,
            a->n == 1 ? "" : "s", a->t, a->place, kind);
    }
}

/* Where the motion that was found may not be the only one. */
static void put_uniqueness(page *p, const sp_run_outcome *o)
{
    const sp_note *a = &o->not_unique;
    if (a->n > 0) {
        put(p,
            "uniqueness not proven at %ld of %ld changes of contacts (first at t = %.6g s%s%s%s): "
            "one motion was found, others were solutions in part\n",
            a->n, o->changes, a->t, a->place[0] ? ", '" : "", a->place, a->place[0] ? "'" : "");
    }
}

/* Steps that took what is stiff implicitly, and what that damps. */
static void put_implicit(page *p, const sp_run_outcome *o)
{
    if (o->implicit > 0) {
        put(p, "implicit: ");
        put_count(p, o->implicit, "step");
        if (o->unresolved > 0.0) {
            put(p, ", frequency times step up to %.2g: what they do not resolve is damped",
                o->unresolved);
        }
        put(p, "\n");
    }
    if (o->steep.n > 0) {
        put(p,
            "force '%s' has no slope at t = %.6g s: it was taken explicitly there, which short "
            "steps alone make accurate\n",
            o->steep.place, o->steep.t);
    }
}

/* All doubts, a line each. */
static void put_doubts(page *p, const sp_run_outcome *o)
{
    for (int k = 0; k < SP_DOUBT_N; k++) {
        char text[256];
        if (o->doubt[k].n > 0) {
            sp_doubt_text((sp_doubt_kind)k, &o->doubt[k], text, sizeof text);
            put(p, "doubtful: %s %s\n", sp_doubt_name((sp_doubt_kind)k), text);
        }
    }
}

int sp_run_summary_text(const sp_run_outcome *o, char *text, size_t size)
{
    page p = {.text = text, .size = text ? size : 0};
    put(&p, "t = %.6g s   ", o->t);
    put_count(&p, o->steps, "step");
    put(&p, "   ");
    put_count(&p, o->events, "event");
    put(&p, "%s   %.3g s\n", o->resumed ? " since the start" : "", o->seconds);
    put_ledger(&p, o);
    put(&p,
        "worst step: complementarity %.1g, friction cone %.1g, momentum %.1g, penetration %.1g m\n",
        o->complementarity, o->cone, o->momentum, o->penetration);
    put_note(&p, "one of several motions taken", "choice", &o->choice);
    put_note(&p, "accumulating impacts passed", "zeno", &o->accumulation);
    put_note(&p, "steps divided where parts met", "impact", &o->met);
    put_note(&p, "handed over to short steps", "handover", &o->handover);
    put_implicit(&p, o);
    put_uniqueness(&p, o);
    put_doubts(&p, o);
    return (int)p.n;
}
