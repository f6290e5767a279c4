# CVODE of SUNDIALS 6 for the method 'stiff' of the program, where it is; without it everything else
# works and 'stiff' says what is missing.  Its parts are looked for by hand: its own CMake package also
# wants MPI, PETSc and hypre.  SPECHT_SUNDIALS_DIR names a folder with include and lib in it; what
# tools/unpack_sundials left there is linked statically, so that the program can be moved.
option(SPECHT_SUNDIALS "Use SUNDIALS where it is found" ON)
set(SPECHT_SUNDIALS_DIR "${PROJECT_SOURCE_DIR}/build/sundials/usr"
    CACHE PATH "Where SUNDIALS is, if not where the system has it")

if(SPECHT_SUNDIALS)
  find_path(SPECHT_SUNDIALS_INCLUDE cvode/cvode.h HINTS ${SPECHT_SUNDIALS_DIR}/include)
  set(sundials_libraries)
  foreach(part cvode sunlinsoldense sunmatrixdense nvecserial)
    find_library(SPECHT_SUNDIALS_${part} NAMES libsundials_${part}.a sundials_${part} NAMES_PER_DIR
                 HINTS ${SPECHT_SUNDIALS_DIR}/lib ${SPECHT_SUNDIALS_DIR}/lib/${CMAKE_LIBRARY_ARCHITECTURE})
    mark_as_advanced(SPECHT_SUNDIALS_${part})
    list(APPEND sundials_libraries ${SPECHT_SUNDIALS_${part}})
  endforeach()
  mark_as_advanced(SPECHT_SUNDIALS_INCLUDE)
  list(FILTER sundials_libraries EXCLUDE REGEX "NOTFOUND")
  list(LENGTH sundials_libraries n_found)
  if(SPECHT_SUNDIALS_INCLUDE AND n_found EQUAL 4)
    target_compile_definitions(specht PRIVATE SP_HAVE_CVODE)
    target_include_directories(specht SYSTEM PRIVATE ${SPECHT_SUNDIALS_INCLUDE})
    target_link_libraries(specht PRIVATE ${sundials_libraries} m)
    message(STATUS "specht: method 'stiff' with SUNDIALS in ${SPECHT_SUNDIALS_INCLUDE}")
  else()
    message(STATUS "specht: no SUNDIALS, so no method 'stiff'")
  endif()
endif()
