# What tells one build from another: SP_VERSION, "0.1.0+" and 12 digits of a hash of all sources that
# results depend on.  No clock, no path: the same sources have the same version anywhere.
#
# Included, it has status.c compiled with that; run with -P it writes the header.
#     cmake -DROOT=... -DVERSION=0.1.0 -DROOMS="base math" -DHEADER=version.h -P SpechtBuild.cmake

# Patterns of the files of some rooms, and of the public headers.
function(specht_version_patterns out root)
  set(patterns ${root}/include/specht/*.h)
  foreach(room IN LISTS ARGN)
    list(APPEND patterns ${root}/src/${room}/*.c ${root}/src/${room}/*.h ${root}/src/${room}/*.inc)
  endforeach()
  set(${out} ${patterns} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE " " ";" rooms "${ROOMS}")
  specht_version_patterns(patterns ${ROOT} ${rooms})
  file(GLOB files RELATIVE ${ROOT} ${patterns})
  list(SORT files)
  set(all)
  foreach(file IN LISTS files)
    file(SHA256 ${ROOT}/${file} hash)
    string(APPEND all "${file} ${hash}\n")
  endforeach()
  string(SHA256 hash "${all}")
  string(SUBSTRING ${hash} 0 12 hash)
  file(WRITE ${HEADER} "#define SP_VERSION \"${VERSION}+${hash}\"\n")
else()
  set(version_header ${PROJECT_BINARY_DIR}/version/version.h)
  specht_version_patterns(patterns ${PROJECT_SOURCE_DIR} ${SPECHT_CORE_ROOMS} ${SPECHT_OUTER_ROOMS} stiff)
  file(GLOB version_files CONFIGURE_DEPENDS ${patterns})
  string(REPLACE ";" " " version_rooms "${SPECHT_CORE_ROOMS};${SPECHT_OUTER_ROOMS};stiff")
  add_custom_command(
    OUTPUT ${version_header}
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} "-DROOMS=${version_rooms}"
            -DHEADER=${version_header} -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${version_files} ${CMAKE_CURRENT_LIST_FILE}
    COMMENT "Naming the build" VERBATIM)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/base/status.c PROPERTIES
    COMPILE_OPTIONS "-include;${version_header}" OBJECT_DEPENDS ${version_header})
endif()
