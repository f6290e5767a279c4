/* support/mechanism.h - random planar machines with contacts, as model files: boxes, rods and discs
 * on floors and between walls, links on hinges and slides, springs, dry friction, one-way rows. */
#ifndef SUPPORT_MECHANISM_H
#define SUPPORT_MECHANISM_H

#include "support/check.h"
#include "support/machine.h"

/* 2 to 8 bodies, 1 to 12 contact points; lasting: those that can stand on the floor do so at the
 * start. */
void mechanism_write(rng *r, bool lasting, text *out);

/* The same with laws of every kind: tangential restitution, restitution by the speed of the hit,
 * friction by the speed of sliding with more of it at rest.  impact: the value of that key, as
 * "{law: poisson, gain: scale}". */
void mechanism_write_laws(rng *r, bool lasting, const char *impact, text *out);

#endif
