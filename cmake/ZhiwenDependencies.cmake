# The libraries of the core, all from Debian 12 packages. ./zw setup installs them.
find_package(Threads REQUIRED)
find_package(tl-expected REQUIRED)
find_package(fmt REQUIRED)
find_package(simdjson REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(ICU 72 REQUIRED COMPONENTS uc)
find_package(PkgConfig REQUIRED)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(isal REQUIRED IMPORTED_TARGET libisal)
pkg_check_modules(deflate REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(brotlidec REQUIRED IMPORTED_TARGET libbrotlidec)
pkg_check_modules(md REQUIRED IMPORTED_TARGET libmd)
pkg_check_modules(xml2 REQUIRED IMPORTED_TARGET libxml-2.0)
pkg_check_modules(zip REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(sqlite REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
if(ZHIWEN_TESTS)
  find_package(GTest REQUIRED)
endif()
if(ZHIWEN_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()

# Parquet is left out where the wheel is not: its inputs are then refused in plain words.
set(ZHIWEN_HAS_PARQUET FALSE)
if(ZHIWEN_PARQUET)
  find_package(ArrowWheel QUIET)
  if(ArrowWheel_FOUND)
    set(ZHIWEN_HAS_PARQUET TRUE)
    message(STATUS "Parquet: with Arrow ${ArrowWheel_VERSION} of ${ArrowWheel_DIR}")
  else()
    message(STATUS "Parquet: built without (no pyarrow ${ArrowWheel_VERSION}; ./zw setup core)")
  endif()
else()
  message(STATUS "Parquet: built without (ZHIWEN_PARQUET is OFF)")
endif()

# Language data is compiled from tables that ./zw collects from packages; without them the channels
# beyond folded and exact, segment and terms say at run time that there is none.
# ZHIWEN_LANGUAGE_MADE names a file that is there already, for programs too slow to make it.
set(ZHIWEN_LANGUAGE_TABLES ${PROJECT_SOURCE_DIR}/build/language/tables CACHE PATH
  "Tables that language data is compiled from (tools/collect_language_tables.py)")
set(ZHIWEN_LANGUAGE_MADE "" CACHE FILEPATH "Language data to use instead of compiling it")
set(ZHIWEN_HAS_LANGUAGE FALSE)
if(ZHIWEN_LANGUAGE_MADE)
  set(ZHIWEN_LANGUAGE_FILE ${ZHIWEN_LANGUAGE_MADE})
else()
  set(ZHIWEN_LANGUAGE_FILE ${PROJECT_BINARY_DIR}/share/zhiwen/language.zwl)
  if(EXISTS ${ZHIWEN_LANGUAGE_TABLES}/complete)
    set(ZHIWEN_HAS_LANGUAGE TRUE)
  else()
    message(STATUS "Language data: none (no ${ZHIWEN_LANGUAGE_TABLES}; ./zw setup core)")
  endif()
endif()

# libparquet exports a simdjson of its own, of another version. The one that base is compiled for
# must be the first library of every program, or its calls end in the other one.
if(ZHIWEN_HAS_PARQUET)
  find_library(ZHIWEN_SIMDJSON_LIBRARY simdjson REQUIRED)
  add_link_options(
    "LINKER:--push-state,--no-as-needed" ${ZHIWEN_SIMDJSON_LIBRARY} "LINKER:--pop-state")
endif()
