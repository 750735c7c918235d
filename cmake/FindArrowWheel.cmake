# Finds Arrow and Parquet for C++ in the pyarrow wheel of PyPI, since Debian 12 packages neither.
# ./zw setup installs the wheel below build/venv-arrow; -DZHIWEN_ARROW_DIR=FOLDER names another one.
#
#   ArrowWheel::parquet     headers and both libraries; the build tree finds them by absolute rpath
#   ArrowWheel_LIBRARIES    the two files that an installed program needs beside it, in lib/
#
# The version is pinned: the reader's API changes between versions, and so would output bytes.

set(ArrowWheel_VERSION 26.0.1)
set(ArrowWheel_SONAME 2600)
set(ZHIWEN_ARROW_DIR "" CACHE PATH "The pyarrow folder of a wheel, when not that of ./zw setup")

# CONFIGURE_DEPENDS: the next build notices when the wheel came or went.
set(ArrowWheel_PACKAGES ${PROJECT_SOURCE_DIR}/build/venv-arrow/lib/python3*/site-packages)
file(GLOB ArrowWheel_FOUND_LIBRARY CONFIGURE_DEPENDS
  ${ArrowWheel_PACKAGES}/pyarrow/libparquet.so.${ArrowWheel_SONAME})
if(ZHIWEN_ARROW_DIR)
  set(ArrowWheel_DIR ${ZHIWEN_ARROW_DIR})
elseif(ArrowWheel_FOUND_LIBRARY)
  list(GET ArrowWheel_FOUND_LIBRARY 0 ArrowWheel_DIR)
  get_filename_component(ArrowWheel_DIR ${ArrowWheel_DIR} DIRECTORY)
endif()

set(ArrowWheel_CONFIG ${ArrowWheel_DIR}/include/arrow/util/config.h)
set(ArrowWheel_IS_RIGHT FALSE)
if(ArrowWheel_DIR AND EXISTS ${ArrowWheel_CONFIG})
  file(STRINGS ${ArrowWheel_CONFIG} ArrowWheel_LINE
    REGEX "ARROW_VERSION_STRING \"${ArrowWheel_VERSION}\"")
  if(ArrowWheel_LINE)
    set(ArrowWheel_IS_RIGHT TRUE)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ArrowWheel
  REQUIRED_VARS ArrowWheel_DIR ArrowWheel_IS_RIGHT VERSION_VAR ArrowWheel_VERSION)

if(ArrowWheel_FOUND AND NOT TARGET ArrowWheel::parquet)
  foreach(name arrow parquet)
    add_library(ArrowWheel::${name} SHARED IMPORTED)
    set_target_properties(ArrowWheel::${name} PROPERTIES
      IMPORTED_LOCATION ${ArrowWheel_DIR}/lib${name}.so.${ArrowWheel_SONAME}
      INTERFACE_INCLUDE_DIRECTORIES ${ArrowWheel_DIR}/include)
    list(APPEND ArrowWheel_LIBRARIES ${ArrowWheel_DIR}/lib${name}.so.${ArrowWheel_SONAME})
  endforeach()
  set_property(TARGET ArrowWheel::parquet PROPERTY INTERFACE_LINK_LIBRARIES ArrowWheel::arrow)
endif()
