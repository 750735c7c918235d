# An install script: copies the shared libraries of ${program} into ${destination}, and what their
# authors ask to be passed on with them into ${notices}; apart from ${own_libraries}, which are
# installed with the program. glibc stays the machine's own: it is tied
# to the kernel and to the loader, and newer ones run what was built for older ones.
set(root "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(glibc "(ld-linux[^/]*|lib(c|m|dl|rt|pthread|resolv|util|mvec))\\.so[^/]*$")
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${program}
  RESOLVED_DEPENDENCIES_VAR libraries POST_EXCLUDE_REGEXES "/${glibc}")
list(REMOVE_ITEM libraries ${own_libraries})
foreach(library IN LISTS libraries)
  message(STATUS "Bundling: ${library}")
  file(INSTALL ${library} DESTINATION ${root}/${destination} FOLLOW_SYMLINK_CHAIN)
  # The link may be in /lib, the file is known to dpkg by its real name.
  file(REAL_PATH ${library} file)
  execute_process(COMMAND dpkg-query -S ${file}
    OUTPUT_VARIABLE owner RESULT_VARIABLE unknown ERROR_QUIET)
  if(unknown)
    string(REGEX REPLACE "^/usr" "" file ${file})
    execute_process(COMMAND dpkg-query -S ${file}
      OUTPUT_VARIABLE owner RESULT_VARIABLE unknown ERROR_QUIET)
  endif()
  string(REGEX MATCH "^[^:]+" owner "${owner}")
  file(REAL_PATH "/usr/share/doc/${owner}/copyright" notice)
  if(unknown OR NOT EXISTS ${notice})
    message(FATAL_ERROR "no licence of ${library} is known: it is in no Debian package")
  endif()
  configure_file(${notice} ${root}/${notices}/${owner}.txt COPYONLY)
endforeach()
