# What `cmake --install` and CPack put where. Components:
#   program       the program, its manual pages and completion scripts
#   development   libzhiwen.a, the public headers, the CMake package
#   local         what Debian has another place for
#   debian        the same, in Debian's place: the .deb only
#   bundle        the shared libraries of the program, glibc apart: the tarball only
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Libraries of the program's own are in a folder that no other program looks into. RPATH, not
# RUNPATH: it holds for the libraries of the libraries as well.
set(private_libraries lib/zhiwen)
set_target_properties(zhiwen PROPERTIES INSTALL_RPATH "$ORIGIN/../${private_libraries}")
target_link_options(zhiwen PRIVATE -Wl,--disable-new-dtags)
# Those that no Debian package has (Arrow's, where it is built in) come with the program in every
# form, and what their authors ask to be passed on comes with them.
set(own_libraries ${ArrowWheel_LIBRARIES})
if(own_libraries)
  file(GLOB own_notices ${ArrowWheel_DIR}/../pyarrow-${ArrowWheel_VERSION}.dist-info/licenses/*.txt)
  install(FILES ${own_libraries} DESTINATION ${private_libraries} COMPONENT program)
  install(FILES ${own_notices}
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/libraries/arrow COMPONENT program)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${ArrowWheel_DIR})
endif()

# --- program -------------------------------------------------------------------------------------

get_target_property(pages zhiwen_manual MANUAL_PAGES)
set(manual ${PROJECT_BINARY_DIR}/manual)
install(TARGETS zhiwen RUNTIME COMPONENT program)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${manual}/zhiwen.bash RENAME zhiwen
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${manual}/zhiwen.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
install(FILES ${manual}/_zhiwen
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT local)
install(FILES ${manual}/_zhiwen
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT debian EXCLUDE_FROM_ALL)
if(ZHIWEN_HAS_LANGUAGE)
  install(FILES ${ZHIWEN_LANGUAGE_FILE}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zhiwen COMPONENT program)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/packaging/copyright
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# --- development ---------------------------------------------------------------------------------

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/zhiwen)
target_include_directories(zhiwen_archive INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS zhiwen_archive EXPORT zhiwenTargets ARCHIVE COMPONENT development)
install(EXPORT zhiwenTargets NAMESPACE zhiwen:: DESTINATION ${package} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/zhiwen
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development FILES_MATCHING PATTERN "*.h")
# Within 0.x a new minor version may break what an old one promised.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/zhiwenConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
get_target_property(pkg_modules zhiwen_archive PKG_MODULES)
configure_file(${PROJECT_SOURCE_DIR}/cmake/zhiwenConfig.cmake.in
  ${PROJECT_BINARY_DIR}/zhiwenConfig.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/zhiwenConfig.cmake
  ${PROJECT_BINARY_DIR}/zhiwenConfigVersion.cmake
  DESTINATION ${package} COMPONENT development)

# --- bundle --------------------------------------------------------------------------------------

install(CODE "set(program \"$<TARGET_FILE:zhiwen>\")
  set(destination ${private_libraries})
  set(own_libraries \"${own_libraries}\")
  set(notices ${CMAKE_INSTALL_DOCDIR}/libraries)"
  COMPONENT bundle EXCLUDE_FROM_ALL)
install(SCRIPT ${PROJECT_SOURCE_DIR}/packaging/install_bundle.cmake
  COMPONENT bundle EXCLUDE_FROM_ALL)

# --- packages ------------------------------------------------------------------------------------

set(CPACK_PACKAGE_NAME zhiwen)
set(CPACK_PACKAGE_VENDOR "zhiwen")
set(CPACK_PACKAGE_CONTACT "zhiwen maintainers <maintainers@zhiwen.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION_FILE ${PROJECT_SOURCE_DIR}/packaging/description.txt)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/packaging/components.cmake)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME zhiwen-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "poppler-utils, poppler-data, antiword, catdoc, libvips-tools")
set(CPACK_DEBIAN_PACKAGE_SECTION text)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
include(CPack)
