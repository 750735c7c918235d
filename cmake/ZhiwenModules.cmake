# Targets of the project are declared with these functions only, so that flags live in one place.

add_library(zhiwen_flags INTERFACE)
target_include_directories(zhiwen_flags INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(zhiwen_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Werror)
target_link_libraries(zhiwen_flags INTERFACE tl::expected)
if(ZHIWEN_SANITIZE)
  target_compile_options(zhiwen_flags INTERFACE -fsanitize=${ZHIWEN_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(zhiwen_flags INTERFACE -fsanitize=${ZHIWEN_SANITIZE})
endif()

# zhiwen_module(NAME [DEPENDS module...] [LIBRARIES target...])
# A static library of every .cc below the current folder, apart from *_test.cc and *_benchmark.cc, which become one
# test program (NAME_test) and one benchmark program (NAME_benchmark). DEPENDS names modules to the left (style.md).
function(zhiwen_module name)
  cmake_parse_arguments(arg "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  set(tests ${sources})
  set(benchmarks ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|benchmark|test_main|test_support)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_(test|test_support)\\.cc$")
  list(FILTER benchmarks INCLUDE REGEX "_benchmark\\.cc$")
  add_library(zhiwen_${name} STATIC ${sources})
  target_link_libraries(zhiwen_${name} PUBLIC zhiwen_flags PRIVATE ${arg_LIBRARIES})
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(zhiwen_${name} PUBLIC zhiwen_${dependency})
  endforeach()
  if(ZHIWEN_TESTS AND tests)
    zhiwen_test(${name}_test SOURCES ${tests} LIBRARIES zhiwen_${name} ${arg_LIBRARIES})
  endif()
  if(ZHIWEN_BENCHMARKS AND benchmarks)
    add_executable(${name}_benchmark ${benchmarks})
    target_link_libraries(${name}_benchmark PRIVATE zhiwen_${name} ${arg_LIBRARIES} benchmark::benchmark_main)
  endif()
endfunction()

# zhiwen_test(NAME SOURCES file... LIBRARIES target...)
# A GoogleTest program, registered with ctest as one test. It runs in the source root and reads ZHIWEN_SIMD.
function(zhiwen_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES} ${PROJECT_SOURCE_DIR}/tests/support/test_main.cc)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} zhiwen_kernels GTest::gmock)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE ZHIWEN_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()

# zhiwen_kernel(LEVEL flag...): every src/kernels/*_LEVEL.cc is compiled with these flags, and nothing else is.
function(zhiwen_kernel level)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kernels/*_${level}.cc)
  set_source_files_properties(${files} PROPERTIES COMPILE_OPTIONS "${ARGN}")
endfunction()
