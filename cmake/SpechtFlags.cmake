# How everything is compiled: the interface target specht_flags.

# assert() is off in releases; -O2 as measured, no contraction, so that the same source gives the
# same bits with and without fused multiply-add; no vectorisation of straight code, which packs pairs
# of coordinates and waits for its own stores (4 % of a step); nobody reads errno or the exception flags
# (2 %).
if(CMAKE_C_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
endif()
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(specht_flags INTERFACE)
target_include_directories(specht_flags INTERFACE ${PROJECT_SOURCE_DIR}/include
                                                  ${PROJECT_SOURCE_DIR}/src)
target_compile_options(
  specht_flags INTERFACE -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-tree-slp-vectorize -fno-semantic-interposition -Wall -Wextra -Wpedantic
                         -Wshadow -Wconversion $<$<BOOL:${SPECHT_WERROR}>:-Werror>)

if(SPECHT_SANITIZE)
  set(sanitizers ${SPECHT_SANITIZE})
  if(sanitizers STREQUAL "ON")
    set(sanitizers address,undefined)
  endif()
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${sanitizers})
endif()

if(SPECHT_LTO)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT lto_works OUTPUT why LANGUAGES C)
  if(NOT lto_works)
    message(FATAL_ERROR "SPECHT_LTO=ON, but the compiler cannot do it: ${why}")
  endif()
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()
