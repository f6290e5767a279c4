# What `cmake --install` puts where: program, libraries, headers, examples, and the two ways other
# projects find them: pkg-config and find_package(specht CONFIG).  The installed tree may be moved.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/specht)

if(TARGET specht)
  install(TARGETS specht RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS specht_lib EXPORT specht-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS specht_lib_static EXPORT specht-static-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/specht DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/specht/examples)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT specht-targets NAMESPACE specht:: DESTINATION ${package_dir})
install(EXPORT specht-static-targets NAMESPACE specht:: DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/specht-config.cmake.in
                              ${PROJECT_BINARY_DIR}/package/specht-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/specht-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/specht-config.cmake
              ${PROJECT_BINARY_DIR}/package/specht-config-version.cmake
        DESTINATION ${package_dir})

# specht.pc names its prefix by its own place, so that --prefix at install time and a later move do
# no harm.
file(RELATIVE_PATH SPECHT_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" SPECHT_PC_PREFIX ${SPECHT_PC_PREFIX})
configure_file(${PROJECT_SOURCE_DIR}/cmake/specht.pc.in ${PROJECT_BINARY_DIR}/package/specht.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/specht.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
