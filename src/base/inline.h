/* base/inline.h - what compilers are to leave out of line: what a step needs only now and then, so
 * that the way through it saves no registers for that. */
#ifndef SP_BASE_INLINE_H
#define SP_BASE_INLINE_H

#if defined(__GNUC__)
#define SP_NOINLINE __attribute__((noinline))
#else
#define SP_NOINLINE
#endif

#endif
