/* solvers/unroll.h - for kernels of sizes that the compiler knows: loops become straight lines. */
#ifndef SP_SOLVERS_UNROLL_H
#define SP_SOLVERS_UNROLL_H

#if defined(__clang__)
#define SP_INLINE static inline __attribute__((always_inline))
#define SP_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define SP_INLINE static inline __attribute__((always_inline))
#define SP_UNROLL _Pragma("GCC unroll 8")
#else
#define SP_INLINE static inline
#define SP_UNROLL
#endif

#endif
