# specht_collect(OUT room...): the C files of some rooms, src/<room>/*.c.  New files are noticed by
# the next build; a room without files adds none.
function(specht_collect out)
  set(all)
  foreach(room IN LISTS ARGN)
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.c)
    list(APPEND all ${files})
  endforeach()
  set(${out} ${all} PARENT_SCOPE)
endfunction()
