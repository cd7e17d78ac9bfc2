# How a learner's file is compiled: said once, here, and written to kit.json for the grader.
# The standard headers and the kit's few words are compiled ahead, once per leg.

include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)

# The fastest linker that is here; an empty list leaves the choice to the compiler.
function(nibble_find_linker result)
  set(${result} "" PARENT_SCOPE)
  foreach(linker mold lld)
    string(MAKE_C_IDENTIFIER "NIBBLE_LINKS_WITH_${linker}" works)
    check_linker_flag(CXX -fuse-ld=${linker} ${works})
    if(${works})
      set(${result} -fuse-ld=${linker} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# ["a", "b"] for JSON.
function(nibble_json_list result)
  list(TRANSFORM ARGN REPLACE "(.+)" "\"\\1\"")
  list(JOIN ARGN ", " joined)
  set(${result} "[${joined}]" PARENT_SCOPE)
endfunction()

# CUDA is found, not assumed: in PATH or where its installer puts it. Empty when it is not here.
function(nibble_find_cuda result)
  find_program(NIBBLE_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  if(NIBBLE_CUDA AND NOT NIBBLE_NVCC)
    message(FATAL_ERROR "NIBBLE_CUDA is on and nvcc is not found: install the CUDA toolkit, or set CUDA_HOME")
  endif()
  set(${result} "" PARENT_SCOPE)
  if(NIBBLE_NVCC)
    set(${result} ${NIBBLE_NVCC} PARENT_SCOPE)
  endif()
endfunction()

function(nibble_toolchain)
  # No contraction: a fused multiply-add rounds once where the contracts round twice.
  # Bounds of span and vector are checked; locals that were never set hold a pattern, so that a
  # forgotten initialisation is wrong every time and not only on some days.
  set(common -std=c++20 -D_GLIBCXX_ASSERTIONS -Wall -Wextra -Wno-unused-parameter
    -ffp-contract=off -fdiagnostics-color=never -fmax-errors=20 -ftemplate-depth=256
    -ftemplate-backtrace-limit=6)
  check_cxx_compiler_flag(-ftrivial-auto-var-init=pattern NIBBLE_HAS_PATTERN_INIT)
  if(NIBBLE_HAS_PATTERN_INIT)
    list(APPEND common -ftrivial-auto-var-init=pattern)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    list(REMOVE_ITEM common -fmax-errors=20)
    list(APPEND common -ferror-limit=20)
    set(compiler_name clang++)
  else()
    set(compiler_name g++)
  endif()
  set(plain -O1)  # a save waits for the compiler, not for the exercises
  set(sanitizers -O1 -g -fno-omit-frame-pointer
    -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all)
  nibble_find_linker(link_flags)
  find_path(NIBBLE_EIGEN_INCLUDE Eigen/Core PATH_SUFFIXES eigen3)  # only for the kit's own solutions
  set(eigen_include "")
  if(NIBBLE_EIGEN_INCLUDE)
    set(eigen_include ${NIBBLE_EIGEN_INCLUDE})
  endif()
  nibble_find_cuda(nvcc)

  # What is compiled ahead must come first of all: every contract includes it first anyway.
  set(prelude "")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(prelude -include nibble/lab.hpp)
  endif()

  set(system_includes ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
  foreach(list common prelude plain sanitizers link_flags system_includes)
    nibble_json_list(${list}_json ${${list}})
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/kit.json CONTENT [[{
  "version": "@PROJECT_VERSION@",
  "source": "@CMAKE_SOURCE_DIR@",
  "cxx": "@CMAKE_CXX_COMPILER@",
  "cxx_name": "@compiler_name@ @CMAKE_CXX_COMPILER_VERSION@",
  "common_flags": @common_json@,
  "prelude": @prelude_json@,
  "plain_flags": @plain_json@,
  "sanitizer_flags": @sanitizers_json@,
  "link_flags": @link_flags_json@,
  "system_includes": @system_includes_json@,
  "eigen_include": "@eigen_include@",
  "nvcc": "@nvcc@"
}
]] @ONLY)

  # Only g++ takes a .gch by itself. It stands beside a copy of its header: who includes the header
  # once more finds the file that was compiled, and skips it.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(headers ${CMAKE_SOURCE_DIR}/common/nibble)
    foreach(leg plain sanitizers)
      set(folder ${CMAKE_BINARY_DIR}/pch/${leg}/nibble)
      add_custom_command(OUTPUT ${folder}/lab.hpp.gch
        COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
        COMMAND ${CMAKE_COMMAND} -E copy ${headers}/lab.hpp ${folder}/lab.hpp
        COMMAND ${CMAKE_CXX_COMPILER} ${common} ${${leg}} -I${CMAKE_SOURCE_DIR}/common
                -x c++-header ${folder}/lab.hpp -o ${folder}/lab.hpp.gch -w
        DEPENDS ${headers}/lab.hpp ${headers}/check.hpp ${headers}/exercises.hpp
                ${headers}/int_range.hpp
        COMMENT "Compiling the labs' headers ahead (${leg})" VERBATIM)
      add_custom_target(pch.${leg} ALL DEPENDS ${folder}/lab.hpp.gch)
      add_dependencies(kit pch.${leg})
    endforeach()
  endif()
endfunction()
