/* io/plot_text.h - names and units as a figure shows them. */
#ifndef SP_IO_PLOT_TEXT_H
#define SP_IO_PLOT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The text for gnuplot's enhanced mode inside single quotes, every sign showing as itself.
 * formula: Greek names become letters ("omega" an omega), short indices are set low ("g_N"),
 * exponents high, a star becomes a dot, an apostrophe a prime.  Cut off where out is full. */
void sp_plot_text(const char *text, bool formula, char *out, size_t size);

/* The formula "name [unit]" in the same form; without the bracket for a plain number. */
void sp_plot_label(const char *name, const char *unit, char *out, size_t size);

#endif
