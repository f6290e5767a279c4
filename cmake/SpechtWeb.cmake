# The report page: web/ bundled into one file, web/report.html in the build folder, where Node and npm
# are.  Everything else works without it; `specht report` then says what is missing.
option(SPECHT_BUILD_WEB "Report page (needs Node and npm)" ${PROJECT_IS_TOP_LEVEL})
set(web ${PROJECT_SOURCE_DIR}/web)

if(SPECHT_BUILD_WEB AND EXISTS ${web}/package.json)
  find_program(SPECHT_NODE node)
  find_program(SPECHT_NPM npm)
  if(SPECHT_NODE AND SPECHT_NPM)
    file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/*)
    file(GLOB web_settings CONFIGURE_DEPENDS ${web}/*.json ${web}/*.ts ${web}/*.html)
    set(report_page ${PROJECT_BINARY_DIR}/web/report.html)
    add_custom_command(
      OUTPUT ${report_page}
      COMMAND ${PROJECT_SOURCE_DIR}/tools/build_web ${web} ${PROJECT_BINARY_DIR}/web ${SPECHT_NPM}
      DEPENDS ${web_sources} ${web_settings} ${PROJECT_SOURCE_DIR}/tools/build_web
      COMMENT "Building the report page" VERBATIM)
    add_custom_target(specht_web ALL DEPENDS ${report_page})
    install(FILES ${report_page} DESTINATION ${CMAKE_INSTALL_DATADIR}/specht OPTIONAL)
  else()
    message(STATUS "specht: Node or npm is not here, so 'specht report' has no page")
  endif()
endif()

# The page of studies is one file as it stands.
set(study_page ${PROJECT_BINARY_DIR}/web/study.html)
add_custom_command(
  OUTPUT ${study_page}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/web
  COMMAND ${CMAKE_COMMAND} -E copy ${web}/study.html ${study_page}
  DEPENDS ${web}/study.html VERBATIM)
add_custom_target(specht_study_page ALL DEPENDS ${study_page})
install(FILES ${web}/study.html DESTINATION ${CMAKE_INSTALL_DATADIR}/specht)
