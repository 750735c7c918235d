# Targets of the project are declared with these functions only, so that flags live in one place.

add_library(zhiwen_flags INTERFACE)
target_include_directories(zhiwen_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_compile_options(zhiwen_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  -Wredundant-decls)
# __FILE__, which assertions of tests contain, is relative to the root, so that results of the
# compiler are the same in every clone (tools/dev/steps.sh).
target_compile_options(zhiwen_flags INTERFACE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
target_link_libraries(zhiwen_flags INTERFACE tl::expected)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT ZHIWEN_SANITIZE)
  target_compile_options(zhiwen_flags INTERFACE -Werror)  # sanitizers make g++ warn falsely
endif()
if(ZHIWEN_SANITIZE)
  target_compile_options(zhiwen_flags INTERFACE
    -fsanitize=${ZHIWEN_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(zhiwen_flags INTERFACE -fsanitize=${ZHIWEN_SANITIZE})
  if(ZHIWEN_SANITIZE MATCHES "undefined")
    target_compile_options(zhiwen_flags INTERFACE -fno-sanitize-recover=undefined)
  endif()
endif()

# With ZHIWEN_UNITY a folder is compiled as one unit, which takes half the time: headers are
# read and templates made once. So names in unnamed namespaces are unique within a folder, tests
# among themselves. Files with flags of their own, such as kernels, stay alone.
function(zhiwen_unify target)
  if(NOT ZHIWEN_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REPLACE "/" "_" folder "${folder}")
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP "${folder}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # what is included looks to g++ like a header
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# zhiwen_compile(TARGET KIND): how a target is compiled. KIND is, under sanitizers,
#   thorough   optimised: goes through texts byte by byte
#   quick      not optimised, which halves the time to build; runs take two or three times as long
#   test       the same, with the headers of GoogleTest, and unknown to fuzzers
function(zhiwen_compile target kind)
  zhiwen_options_of_kind(${target} ${kind})
  zhiwen_precompile(${target} ${kind})
  zhiwen_unify(${target})
endfunction()

function(zhiwen_options_of_kind target kind)
  if(ZHIWEN_SANITIZE AND NOT kind STREQUAL "thorough")
    target_compile_options(${target} PRIVATE -O0)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release" AND kind STREQUAL "test")
    target_compile_options(${target} PRIVATE -O1)  # three quarters of the time of -O2 to build
  endif()
  if(ZHIWEN_FUZZERS AND NOT kind STREQUAL "test")
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# What nearly every file includes is read once for all targets of a kind, which takes a quarter off
# the time to build. Not for the few without fmt: what is defined must be the same for all. Nor with
# clang, whose precompiled headers have absolute names: another clone would find nothing in ccache.
function(zhiwen_precompile target kind)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    return()
  endif()
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if(NOT fmt::fmt IN_LIST libraries)
    return()
  endif()
  set(precompiled zhiwen_precompiled_${kind})
  if(NOT TARGET ${precompiled})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/empty.cc CONTENT "")
    add_library(${precompiled} STATIC ${PROJECT_BINARY_DIR}/empty.cc)
    target_link_libraries(${precompiled} PRIVATE zhiwen_flags fmt::fmt)
    set(headers "")
    if(kind STREQUAL "test")
      target_link_libraries(${precompiled} PRIVATE GTest::gmock)
      set(headers <gmock/gmock.h> <gtest/gtest.h>)
    endif()
    zhiwen_options_of_kind(${precompiled} ${kind})
    target_precompile_headers(${precompiled} PRIVATE <algorithm> <functional> <map> <memory>
      <optional> <span> <string> <string_view> <unordered_map> <utility> <vector>
      <fmt/format.h> <tl/expected.hpp> ${headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${precompiled})
  target_compile_options(${target} PRIVATE  # g++ 12 warns falsely of std::string then
    -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endfunction()

# zhiwen_module(NAME [EVERY_SIMD_LEVEL | SHARDS n] [DEPENDS module...] [LIBRARIES target...]
#               [PARTS folder...])
# A static library of every .cc below the current folder, apart from *_test.cc and *_benchmark.cc,
# which become one test program (NAME_test) and one benchmark program (NAME_benchmark). DEPENDS
# names modules to the left (STYLE.md). EVERY_SIMD_LEVEL and SHARDS: see zhiwen_test. The tests in
# a folder of PARTS, which have no kernels below them, are a program of their own, FOLDER_test.
function(zhiwen_module name)
  cmake_parse_arguments(arg "EVERY_SIMD_LEVEL" "SHARDS" "DEPENDS;LIBRARIES;PARTS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  set(tests ${sources})
  set(benchmarks ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|benchmark|test_main|test_support)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_(test|test_support)\\.cc$")
  list(FILTER benchmarks INCLUDE REGEX "_benchmark\\.cc$")
  add_library(zhiwen_${name} STATIC ${sources})
  target_link_libraries(zhiwen_${name} PUBLIC zhiwen_flags PRIVATE ${arg_LIBRARIES})
  if(name MATCHES "^(base|kernels|text|feature|index)$")
    zhiwen_compile(zhiwen_${name} thorough)
  else()
    zhiwen_compile(zhiwen_${name} quick)
  endif()
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(zhiwen_${name} PUBLIC zhiwen_${dependency})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY zhiwen_module_objects $<TARGET_OBJECTS:zhiwen_${name}>)
  set_property(GLOBAL APPEND PROPERTY zhiwen_module_libraries ${arg_LIBRARIES})
  if(ZHIWEN_TESTS AND tests)
    set(runs "")
    if(arg_EVERY_SIMD_LEVEL)
      set(runs EVERY_SIMD_LEVEL)
    elseif(arg_SHARDS)
      set(runs SHARDS ${arg_SHARDS})
    endif()
    foreach(part IN LISTS arg_PARTS)
      set(of_part ${tests})
      list(FILTER of_part INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${part}/")
      list(FILTER tests EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${part}/")
      if(of_part)
        zhiwen_test(${part}_test SOURCES ${of_part} LIBRARIES zhiwen_${name} ${arg_LIBRARIES})
      endif()
    endforeach()
    zhiwen_test(${name}_test ${runs} SOURCES ${tests} LIBRARIES zhiwen_${name} ${arg_LIBRARIES})
  endif()
  if(ZHIWEN_BENCHMARKS AND benchmarks)
    add_executable(${name}_benchmark ${benchmarks})
    target_link_libraries(${name}_benchmark PRIVATE
      zhiwen_${name} ${arg_LIBRARIES} benchmark::benchmark_main)
  endif()
endfunction()

# zhiwen_archive(): libzhiwen.a, the objects of every module so far in one archive, which programs
# outside this repository link as zhiwen::zhiwen. They get the libraries to link, the headers of
# tl::expected, and no others; libraries of headers only are in the objects already.
function(zhiwen_archive)
  get_property(objects GLOBAL PROPERTY zhiwen_module_objects)
  get_property(libraries GLOBAL PROPERTY zhiwen_module_libraries)
  list(REMOVE_DUPLICATES libraries)
  add_library(zhiwen_archive STATIC ${objects})
  set_target_properties(zhiwen_archive PROPERTIES
    OUTPUT_NAME zhiwen EXPORT_NAME zhiwen LINKER_LANGUAGE CXX)
  target_compile_features(zhiwen_archive INTERFACE cxx_std_20)
  target_link_libraries(zhiwen_archive PUBLIC tl::expected)
  foreach(library IN LISTS libraries)
    get_target_property(type ${library} TYPE)
    get_target_property(linked ${library} INTERFACE_LINK_LIBRARIES)
    if(linked OR NOT type STREQUAL "INTERFACE_LIBRARY")
      target_link_libraries(zhiwen_archive PRIVATE ${library})
    endif()
    if(library MATCHES "^PkgConfig::(.+)")
      set(prefix ${CMAKE_MATCH_1})  # zhiwenConfig.cmake.in asks for the same module again
      set_property(TARGET zhiwen_archive APPEND PROPERTY PKG_MODULES
        "${prefix}=${${prefix}_MODULE_NAME}")
    endif()
  endforeach()
endfunction()

# The main function of every test program, compiled once.
function(zhiwen_test_main)
  if(TARGET zhiwen_test_main)
    return()
  endif()
  add_library(zhiwen_test_main OBJECT ${PROJECT_SOURCE_DIR}/tests/support/test_main.cc)
  target_link_libraries(zhiwen_test_main PRIVATE zhiwen_flags GTest::gmock)
  target_include_directories(zhiwen_test_main PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(zhiwen_test_main PRIVATE
    ZHIWEN_SOURCE_DIR="${PROJECT_SOURCE_DIR}" ZHIWEN_LANGUAGE_FILE="${ZHIWEN_LANGUAGE_FILE}")
endfunction()

# zhiwen_test(NAME [EVERY_SIMD_LEVEL | SHARDS n] SOURCES file... LIBRARIES target...)
# A GoogleTest program, registered with ctest: once as NAME; with EVERY_SIMD_LEVEL once per
# instruction set as NAME.LEVEL; with SHARDS as NAME.1 to NAME.n, which run at the same time. Its
# tests named Slow… are registered apart, as NAME.slow in the same forms.
#
# Labels: fast and slow; sanitize, for the fast ones that run under ASan, of instruction sets one;
# race, for the program that ThreadSanitizer runs. Tests named Raced… are left out under ASan.
#
# The target library_tests is all programs but those of the command line.
function(zhiwen_test name)
  cmake_parse_arguments(arg "EVERY_SIMD_LEVEL" "SHARDS" "SOURCES;LIBRARIES" ${ARGN})
  zhiwen_test_main()
  add_executable(${name} ${arg_SOURCES} $<TARGET_OBJECTS:zhiwen_test_main>)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} zhiwen_kernels GTest::gmock)
  zhiwen_compile(${name} test)
  set(sanitize sanitize)
  if(zhiwen_cli IN_LIST arg_LIBRARIES)
    set(sanitize "")
  else()
    add_dependencies(library_tests ${name})
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  set(suites fast)
  set(race "")
  if(name STREQUAL concurrency_test)
    set(race race)
  endif()
  foreach(source IN LISTS arg_SOURCES)
    file(STRINGS ${source} slow_tests LIMIT_COUNT 1
      REGEX "^(TYPED_)?TEST(_[FP])?\\([A-Za-z0-9]+, Slow")
    if(slow_tests)
      set(suites fast slow)
      break()
    endif()
  endforeach()
  foreach(suite IN LISTS suites)
    set(run ${name})
    set(labels fast ${sanitize} ${race})
    set(filter "-*.Slow*")
    if(ZHIWEN_SANITIZE MATCHES address)
      set(filter "-*.Slow*:*.Raced*")
    endif()
    if(suite STREQUAL "slow")
      set(run ${name}.slow)
      set(labels slow)
      set(filter "*.Slow*")
    endif()
    if(arg_EVERY_SIMD_LEVEL)
      foreach(level scalar avx2 avx512)
        set(of_level ${labels})
        if(NOT level STREQUAL avx2)
          list(REMOVE_ITEM of_level sanitize)
        endif()
        zhiwen_register_test(${run}.${level} ${name} "${of_level}"
          ZHIWEN_SIMD=${level} GTEST_FILTER=${filter})
      endforeach()
    elseif(arg_SHARDS)
      foreach(shard RANGE 1 ${arg_SHARDS})
        math(EXPR index "${shard} - 1")
        zhiwen_register_test(${run}.${shard} ${name} "${labels}" GTEST_FILTER=${filter}
          GTEST_TOTAL_SHARDS=${arg_SHARDS} GTEST_SHARD_INDEX=${index})
      endforeach()
    else()
      zhiwen_register_test(${run} ${name} "${labels}" GTEST_FILTER=${filter})
    endif()
  endforeach()
endfunction()

# zhiwen_register_test(NAME PROGRAM LABELS VARIABLE=VALUE...)
# Registers one run of `program` with ctest. It runs in the source root with a temporary folder of
# its own, writes its cases to test_results/NAME.json (tools/summarize_tests.py counts them), and
# exits 77 when the processor lacks the level (tests/support/test_main.cc).
function(zhiwen_register_test name program labels)
  set(scratch ${PROJECT_BINARY_DIR}/test_scratch/${name})
  file(MAKE_DIRECTORY ${scratch})
  add_test(NAME ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    COMMAND ${program} --gtest_brief=1
      --gtest_output=json:${PROJECT_BINARY_DIR}/test_results/${name}.json)
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS "${labels}"
    ENVIRONMENT "TEST_TMPDIR=${scratch};TMPDIR=${scratch};${ARGN}")
endfunction()

# zhiwen_kernel(LEVEL flag...): every src/kernels/*_LEVEL.cc is compiled with these flags, and
# nothing else is.
function(zhiwen_kernel level)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kernels/*_${level}.cc)
  set_source_files_properties(${files} PROPERTIES COMPILE_OPTIONS "${ARGN}")
endfunction()

# zhiwen_fuzz_target(FILE): a libFuzzer program named after NAME_fuzz.cc. Its seeds are the files of
# fuzz/corpus/NAME_fuzz/.
function(zhiwen_fuzz_target file)
  get_filename_component(name ${file} NAME_WE)
  add_executable(${name} ${file})
  zhiwen_compile(${name} thorough)
  target_link_libraries(${name} PRIVATE zhiwen_pipeline fmt::fmt)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE ZHIWEN_LANGUAGE_FILE="${ZHIWEN_LANGUAGE_FILE}")
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  add_dependencies(fuzzers ${name})
endfunction()

# zhiwen_embed(NAME HEADER include FILES file...): the files become constants of module NAME, as
# `include` declares them (EmbedFiles.cmake).
function(zhiwen_embed name)
  cmake_parse_arguments(arg "" "HEADER" "FILES" ${ARGN})
  list(TRANSFORM arg_FILES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(JOIN arg_FILES "," files)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}_embedded_files.cc)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake)
  add_custom_command(OUTPUT ${output} DEPENDS ${arg_FILES} ${script} VERBATIM
    COMMENT "Embedding the files of ${name}"
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DHEADER=${arg_HEADER} -DFILES=${files}
      -P ${script})
  target_sources(zhiwen_${name} PRIVATE ${output})
endfunction()
