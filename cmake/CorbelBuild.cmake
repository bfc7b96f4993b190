# Settings common to every target of the project: language, warnings, sanitizers, coverage, ccache.
include_guard(GLOBAL)
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)

# For those who build often: eight sources are compiled as one, and mold links. Sources whose names of their own meet
# those of others in a batch have the property SKIP_UNITY_BUILD_INCLUSION.
option(CORBEL_QUICK_BUILD "Compile sources in batches and link with mold, if it is there" OFF)
if(CORBEL_QUICK_BUILD)
  set(CMAKE_UNITY_BUILD ON)
  find_program(MOLD mold)
  if(MOLD)
    add_link_options(-fuse-ld=mold)
  else()
    message(STATUS "mold is not here (./run deps installs it): the common linker takes longer")
  endif()
endif()
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Libraries are optimised even with sanitizers: tests need not be, and compile much faster without. For the same reason only
# the libraries, and what tests/fuzz/ generates, are instrumented for libFuzzer.
option(CORBEL_FUZZ "Instrument the libraries for libFuzzer (clang), which the fuzz tests then use" OFF)
set(CORBEL_FUZZ_OPTIONS)
if(CORBEL_FUZZ)
  set(CORBEL_FUZZ_OPTIONS -fsanitize=fuzzer-no-link)
endif()
set(CORBEL_LIBRARY_OPTIONS ${CORBEL_FUZZ_OPTIONS})
if(CORBEL_SANITIZE)
  list(APPEND CORBEL_LIBRARY_OPTIONS -O1)
endif()

# What the project's own sources are compiled with; generated code gets the same.
add_library(corbel-options INTERFACE)
target_compile_options(corbel-options INTERFACE -Wall -Wextra -Wpedantic -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # gcc 12 sees overlapping copies in every concatenation of strings (gcc bug 105651).
  target_compile_options(corbel-options INTERFACE -Wno-restrict)
endif()
if(CORBEL_SANITIZE)
  # Nil references are null pointers, and calling them raises an exception.
  target_compile_options(corbel-options INTERFACE -fsanitize=${CORBEL_SANITIZE} -fno-sanitize=null -fno-sanitize-recover=all
                         -fno-omit-frame-pointer)
  target_link_options(corbel-options INTERFACE -fsanitize=${CORBEL_SANITIZE})
endif()
if(CORBEL_COVERAGE)
  # Not counted with locks, which makes the tests take three times as long: where threads meet a count may be lost, and no
  # more is wanted to know than what has run at all.
  target_compile_options(corbel-options INTERFACE --coverage -fprofile-update=single)
  target_link_options(corbel-options INTERFACE --coverage)
endif()
