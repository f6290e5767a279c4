# AMD and LDL of SuiteSparse for 'specht reduce', where they are; without them everything else works and
# the command says what is missing.  They are small libraries of their own: CHOLMOD is not needed.
option(SPECHT_SUITESPARSE "Use AMD and LDL of SuiteSparse where they are found" ON)

if(SPECHT_SUITESPARSE)
  find_path(SPECHT_LDL_INCLUDE ldl.h PATH_SUFFIXES suitesparse)
  find_library(SPECHT_LDL ldl)
  find_library(SPECHT_AMD amd)
  mark_as_advanced(SPECHT_LDL_INCLUDE SPECHT_LDL SPECHT_AMD)
  if(SPECHT_LDL_INCLUDE AND SPECHT_LDL AND SPECHT_AMD)
    target_compile_definitions(specht PRIVATE SP_HAVE_LDL)
    target_include_directories(specht SYSTEM PRIVATE ${SPECHT_LDL_INCLUDE})
    target_link_libraries(specht PRIVATE ${SPECHT_LDL} ${SPECHT_AMD})
    message(STATUS "specht: 'specht reduce' with AMD and LDL in ${SPECHT_LDL_INCLUDE}")
  else()
    message(STATUS "specht: no SuiteSparse, so no 'specht reduce'")
  endif()
endif()
