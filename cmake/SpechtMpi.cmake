# specht-mpi: the program with studies on the ranks of MPI, where MPI is.  `specht` itself never needs it
# and hands over to it when mpirun starts it.
option(SPECHT_BUILD_MPI "The program specht-mpi (needs MPI)" ${PROJECT_IS_TOP_LEVEL})

if(SPECHT_BUILD_MPI)
  pkg_check_modules(SPECHT_MPI IMPORTED_TARGET ompi-c)
  if(NOT SPECHT_MPI_FOUND)
    pkg_check_modules(SPECHT_MPI IMPORTED_TARGET mpich)
  endif()
  if(SPECHT_MPI_FOUND)
    # all of specht but its ranks/none.c, which need not be compiled again
    add_executable(specht_mpi src/ranks/mpi.c $<FILTER:$<TARGET_OBJECTS:specht>,EXCLUDE,ranks/none>)
    set_target_properties(
      specht_mpi PROPERTIES OUTPUT_NAME specht-mpi RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    get_target_property(libraries specht LINK_LIBRARIES)
    target_link_libraries(specht_mpi PRIVATE ${libraries} PkgConfig::SPECHT_MPI)
    install(TARGETS specht_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  else()
    message(STATUS "specht: MPI is not here, so specht-mpi is not built")
  endif()
endif()
