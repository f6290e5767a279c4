/* base/inline.h - what compilers are to leave out of line: what a step needs only now and then, so
 * that the way through it saves no registers for that; and what belongs into it in any case. */
#ifndef SP_BASE_INLINE_H
#define SP_BASE_INLINE_H

#if defined(__GNUC__)
#define SP_NOINLINE      __attribute__((noinline))
#define SP_ALWAYS_INLINE static inline __attribute__((always_inline, unused))
#else
#define SP_NOINLINE
#define SP_ALWAYS_INLINE static inline
#endif

#endif
