# How a learner's file is compiled: said once, here, and written to kit.json for the grader.
# The standard headers and the kit's few words are compiled ahead, once per kind of lab and leg.

include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)

# The linkers that work here, the fastest first, as JSON: [["-fuse-ld=mold"], []]. The last is
# the compiler's own. What works here may not work in a box: there they are tried once more,
# before one is chosen. lld would read the files that an object's section names as libraries.
function(nibble_find_linkers result)
  set(found "")
  set(flags_of_mold "\"-fuse-ld=mold\"")
  set(flags_of_lld "\"-fuse-ld=lld\", \"-Wl,--no-dependent-libraries\"")
  foreach(linker mold lld)
    string(MAKE_C_IDENTIFIER "NIBBLE_LINKS_WITH_${linker}" works)
    check_linker_flag(CXX -fuse-ld=${linker} ${works})
    if(${works})
      string(APPEND found "[${flags_of_${linker}}], ")
    endif()
  endforeach()
  set(${result} "[${found}[]]" PARENT_SCOPE)
endfunction()

# The programs that a compiler consists of: itself, of g++ the one that it starts, and what
# assembles and links for it.
function(nibble_compiler_parts result)
  file(REAL_PATH ${CMAKE_CXX_COMPILER} driver)
  set(parts ${CMAKE_CXX_COMPILER} ${driver})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-prog-name=cc1plus OUTPUT_VARIABLE compiler
      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    list(APPEND parts ${compiler})
  endif()
  foreach(tool as ld objcopy ld.mold ld.lld)
    find_program(NIBBLE_TOOL_${tool} ${tool})
    if(NIBBLE_TOOL_${tool})
      file(REAL_PATH ${NIBBLE_TOOL_${tool}} program)
      list(APPEND parts ${program})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES parts)
  set(${result} ${parts} PARENT_SCOPE)
endfunction()

# Sets ${result} to what a compiler that is not the system's consists of: the driver, the folders of
# its parts, and where it looks for headers and libraries. Its box has to show that.
function(nibble_compiler_folders parts result)
  set(folders ${CMAKE_CXX_COMPILER} ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES}
    ${CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES})
  foreach(part IN LISTS parts)
    if(NOT part MATCHES "/bin/[^/]*$")  # a bin may lie in anybody's home
      get_filename_component(part ${part} DIRECTORY)
    endif()
    list(APPEND folders ${part})
  endforeach()
  list(FILTER folders EXCLUDE REGEX "^/(usr|bin|lib[0-9x]*)(/|$)")
  list(REMOVE_DUPLICATES folders)
  set(${result} "${folders}" PARENT_SCOPE)
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

# Sets ${result} to the folders where nvcc's host compiler looks for headers: the one that nvcc
# takes from PATH, which need not be the kit's.
function(nibble_find_nvcc_includes nvcc result)
  if(nvcc AND NOT DEFINED NIBBLE_NVCC_INCLUDES)
    execute_process(COMMAND ${nvcc} -E -x cu -Xcompiler -v /dev/null OUTPUT_QUIET ERROR_VARIABLE said)
    string(REGEX MATCHALL "\n /[^\n]*" folders "${said}")
    list(TRANSFORM folders STRIP)
    list(FILTER folders EXCLUDE REGEX " ")  # commands
    list(REMOVE_DUPLICATES folders)
    set(NIBBLE_NVCC_INCLUDES "${folders}" CACHE INTERNAL "where nvcc's host compiler looks")
  endif()
  set(${result} "${NIBBLE_NVCC_INCLUDES}" PARENT_SCOPE)
endfunction()

# The flags that let a compiler use what every x86-64 of the last decade has (AVX2, FMA, BMI), when
# this machine has it; nothing elsewhere. Wider units are chosen at run time, by the lab itself.
function(nibble_find_vector_flags result)
  include(CheckCXXSourceRuns)
  check_cxx_source_runs("
    int main() {
    #if defined(__x86_64__)
      __builtin_cpu_init();
      return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") &&
             __builtin_cpu_supports(\"bmi2\") ? 0 : 1;
    #else
      return 1;
    #endif
    }" NIBBLE_CPU_HAS_AVX2)
  set(${result} "" PARENT_SCOPE)
  if(NIBBLE_CPU_HAS_AVX2)
    set(${result} -march=x86-64-v3 PARENT_SCOPE)
  endif()
endfunction()

# Locals that were never set hold a pattern, so that a forgotten initialisation is wrong every time
# and not only on some days. g++ 11 has no such flag: there it is wrong where the stack happens to
# hold something else.
function(nibble_pattern_flag result)
  check_cxx_compiler_flag(-ftrivial-auto-var-init=pattern NIBBLE_HAS_PATTERN_INIT)
  set(${result} "" PARENT_SCOPE)
  if(NIBBLE_HAS_PATTERN_INIT)
    set(${result} -ftrivial-auto-var-init=pattern PARENT_SCOPE)
  endif()
endfunction()

# The flags that have g++'s analyzer look for what is read and was never set, in CUDA's labs: 24 of
# 35 arrays whose start was taken away in right kernels, of which g++ warns of none. In the other
# labs, among the templates of the standard library, it gives up (2 of 23, and g++ warns of 22).
# -O1: half of the time that it takes without.
function(nibble_analyzer_flags result)
  set(flag -Wanalyzer-use-of-uninitialized-value)
  check_cxx_compiler_flag(${flag} NIBBLE_HAS_ANALYZER)
  set(${result} "" PARENT_SCOPE)
  if(NIBBLE_HAS_ANALYZER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(${result} -O1 -fanalyzer ${flag} -fdiagnostics-path-format=none PARENT_SCOPE)
  endif()
endfunction()

# nibble_flags_of_kind(kind): sets plain, sanitizers and prelude, the flags of one kind of lab.
#
#   ordinary   a save waits for the compiler, not for the exercises
#   kernels    the exercises are what is waited for: -O3, vectors, and no checks inside a loop
#              (the guard pages stay, and the sanitizers' leg checks what this one leaves out)
#   cuda       kernels for the SIMT engine: fast, watched (every access calls the engine), counted
function(nibble_flags_of_kind kind)
  if(kind STREQUAL cuda)
    nibble_cuda_flags()
    foreach(name plain sanitizers counters prelude header)
      set(${name} ${${name}} PARENT_SCOPE)
    endforeach()
    return()
  endif()
  nibble_pattern_flag(pattern)
  set(careful -D_GLIBCXX_ASSERTIONS ${pattern})  # bounds of span and vector are checked
  # Whether an object is of its type is found out by asking the system which memory can be read,
  # which a box refuses: every std::cout would be a mistake.
  set(watched -g -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow
    -fno-sanitize=vptr -fno-sanitize-recover=all)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # Its own list of functions to leave out would be a file that the learner's includes:
    # none is of a lab.
    list(APPEND watched -fno-sanitize-ignorelist)
  endif()
  set(header nibble/lab.hpp)
  if(kind STREQUAL kernels)
    nibble_find_vector_flags(vectors)
    set(header nibble/kernel_lab.hpp)
    set(plain -O3 ${vectors})
    set(sanitizers -O1 ${vectors} ${careful} ${watched})
  else()
    set(plain -O1 ${careful})
    set(sanitizers -O1 ${careful} ${watched})
  endif()
  # What is compiled ahead must come first of all: every contract includes it first anyway.
  set(prelude "")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(prelude -include ${header})
  endif()
  set(counters "")
  foreach(name plain sanitizers counters prelude header)
    set(${name} ${${name}} PARENT_SCOPE)
  endforeach()
endfunction()

# The compiler's own thread sanitizer calls the engine at every access, its coverage at every basic
# block, its undefined-behaviour sanitizer where a cast, a sum or an index goes wrong; none of their
# libraries is linked. -O0: an optimiser splits and moves accesses, and they
# could not be counted.
macro(nibble_cuda_flags)
  set(hooks -O0 -gdwarf-4 -fno-omit-frame-pointer -fsanitize=thread)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    # Guards push what they use, and know no memory by a segment. No frame steps over the page that
    # ends a thread's stack.
    list(APPEND hooks -mno-red-zone -fstack-clash-protection -fno-stack-protector)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    list(APPEND hooks -mllvm -tsan-instrument-func-entry-exit=0 -mllvm -tsan-distinguish-volatile=1
      -mllvm -tsan-instrument-read-before-write=1)
    set(undefined -fsanitize-coverage=trace-pc
      -fsanitize=array-bounds,float-cast-overflow,signed-integer-overflow)
    set(every_block -fsanitize-coverage=trace-pc,no-prune)
  else()
    list(APPEND hooks --param=tsan-instrument-func-entry-exit=0 --param=tsan-distinguish-volatile=1)
    set(every_block -fsanitize-coverage=trace-pc)
    set(undefined -fsanitize-coverage=trace-pc -fsanitize=bounds,float-cast-overflow,signed-integer-overflow)
  endif()
  # nvcc has no array whose size is known at run time; here it would be memory that nobody counts.
  set(face -DNIBBLE_SIMT=1 -Wno-unknown-pragmas -Werror=vla)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND face -fno-gnu-unique)  # a unique symbol cannot be made local
  endif()
  # A call at the end of a function stays a call: its line is told. nvcc does not optimise by what
  # type a pointer has: the eight halves in a uint4 are read through a __half*.
  nibble_pattern_flag(pattern)
  set(plain -O2 -gdwarf-4 -fno-optimize-sibling-calls -fno-strict-aliasing ${pattern} ${face})
  set(sanitizers ${hooks} ${undefined} ${face})
  set(counters ${hooks} ${every_block} ${face})  # g++ evaluates what it casts more than once when it checks the cast
  set(header nibble/cuda_lab.hpp)
  set(prelude "")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(prelude -include ${header})
  endif()
endmacro()

# Only g++ takes a .gch by itself. It stands beside a copy of its header: who includes the header
# once more finds the file that was compiled, and skips it.
function(nibble_compile_ahead kind leg header)
  set(common ${NIBBLE_HEADERS}/common)
  set(folder ${CMAKE_BINARY_DIR}/pch/${kind}/${leg})
  file(GLOB parts CONFIGURE_DEPENDS ${common}/nibble/*.hpp)
  find_file(source ${header} PATHS ${common} ${common}/simt/include NO_CACHE NO_DEFAULT_PATH REQUIRED)
  if(kind STREQUAL cuda)
    file(GLOB_RECURSE face CONFIGURE_DEPENDS ${common}/simt/include/*.hpp ${common}/simt/cuda/*.h)
    list(APPEND parts ${face})
  endif()
  add_custom_command(OUTPUT ${folder}/${header}.gch
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}/nibble
    COMMAND ${CMAKE_COMMAND} -E copy ${source} ${folder}/${header}
    COMMAND ${CMAKE_CXX_COMPILER} ${ARGN} -I${common}
            -I${common}/simt/include -I${common}/simt/cuda
            -x c++-header ${folder}/${header} -o ${folder}/${header}.gch -w
    DEPENDS ${parts}
    COMMENT "Compiling the labs' headers ahead (${kind}, ${leg})" VERBATIM)
  add_custom_target(pch.${kind}.${leg} ALL DEPENDS ${folder}/${header}.gch)
  add_dependencies(headers.${kind} pch.${kind}.${leg})
endfunction()

# nibble_common_flags(): sets common, the flags of every lab's file, for CMAKE_CXX_COMPILER.
function(nibble_common_flags)
  # No contraction: a fused multiply-add rounds once where the contracts round twice.
  set(common -std=c++20 -Wall -Wextra -Wno-unused-parameter
    -ffp-contract=off -fdiagnostics-color=never -fmax-errors=20 -ftemplate-depth=256
    -ftemplate-backtrace-limit=6)
  if(NIBBLE_ISA_MASK)
    list(APPEND common -DNIBBLE_ISA_MASK=${NIBBLE_ISA_MASK})
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    list(REMOVE_ITEM common -fmax-errors=20)
    list(APPEND common -ferror-limit=20)
  endif()
  set(common ${common} PARENT_SCOPE)
endfunction()

# Writes `folder`/kit.json, for CMAKE_CXX_COMPILER.
function(nibble_write_kit folder)
  nibble_common_flags()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # not for editors: clangd does not know it
    list(APPEND common -fno-canonical-system-headers)  # headers have the name by which they were found
  endif()
  set(compiler_name g++)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    set(compiler_name clang++)
  endif()
  nibble_find_linkers(linkers)
  find_path(NIBBLE_EIGEN_INCLUDE Eigen/Core PATH_SUFFIXES eigen3)  # only for the kit's own solutions
  set(eigen_include "")
  if(NIBBLE_EIGEN_INCLUDE)
    set(eigen_include ${NIBBLE_EIGEN_INCLUDE})
  endif()
  nibble_find_cuda(nvcc)
  nibble_find_nvcc_includes("${nvcc}" nvcc_includes)
  set(links_statically false)
  if(NIBBLE_LINKS_STATICALLY)
    set(links_statically true)
  endif()

  set(kinds "")
  foreach(kind ordinary kernels cuda)
    nibble_flags_of_kind(${kind})
    foreach(list prelude plain sanitizers counters)
      nibble_json_list(${list}_json ${${list}})
    endforeach()
    string(CONCAT entry "\"${kind}\": {\"prelude\": ${prelude_json}, "
      "\"plain_flags\": ${plain_json},\n      \"sanitizer_flags\": ${sanitizers_json},\n"
      "      \"counter_flags\": ${counters_json}}")
    list(APPEND kinds "${entry}")
    if(NOT TARGET headers.${kind})
      add_custom_target(headers.${kind})
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      nibble_compile_ahead(${kind} plain ${header} ${common} ${plain})
      nibble_compile_ahead(${kind} sanitizers ${header} ${common} ${sanitizers})
      if(counters)
        nibble_compile_ahead(${kind} counters ${header} ${common} ${counters})
      endif()
    endif()
  endforeach()
  list(JOIN kinds ",\n    " kinds_json)

  set(NIBBLE_BUDGET 300 CACHE STRING "Seconds that a submission has for all its compilations and runs")
  get_property(labs GLOBAL PROPERTY NIBBLE_LABS_HERE)
  get_property(kinds_of_labs GLOBAL PROPERTY NIBBLE_KINDS_HERE)
  set(table "")
  foreach(lab kind IN ZIP_LISTS labs kinds_of_labs)
    list(APPEND table "\"${lab}\": \"${kind}\"")
  endforeach()
  list(JOIN table ", " labs_json)
  set(system_includes ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
  nibble_analyzer_flags(analyzer)
  nibble_compiler_parts(compiler_parts)
  nibble_compiler_folders("${compiler_parts}" compiler_folders)
  foreach(list common analyzer system_includes nvcc_includes compiler_parts compiler_folders)
    nibble_json_list(${list}_json ${${list}})
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/kit.json CONTENT [[{
  "version": "@PROJECT_VERSION@",
  "source": "@CMAKE_SOURCE_DIR@",@judges_elsewhere@
  "headers": "@NIBBLE_HEADERS@",
  "cxx": "@CMAKE_CXX_COMPILER@",
  "cxx_name": "@compiler_name@ @CMAKE_CXX_COMPILER_VERSION@",
  "compiler_parts": @compiler_parts_json@,
  "compiler_folders": @compiler_folders_json@,
  "common_flags": @common_json@,
  "analyzer_flags": @analyzer_json@,
  "kinds": {
    @kinds_json@
  },
  "labs": {@labs_json@},
  "linkers": @linkers@,
  "system_includes": @system_includes_json@,
  "eigen_include": "@eigen_include@",
  "nvcc": "@nvcc@",
  "nvcc_includes": @nvcc_includes_json@,
  "budget_seconds": @NIBBLE_BUDGET@,
  "links_statically": @links_statically@
}
]] @ONLY)
endfunction()

# Called when all labs are known. A kit built by g++ is described once more with clang++ for
# the learner's files, in clang++/kit.json: a test of the CUDA labs, whose checks count what the
# compiler wrote. Judges and runners are the same; all that they share with a learner's object is
# the binary interface.
function(nibble_toolchain)
  nibble_write_kit(${CMAKE_BINARY_DIR})
  find_program(NIBBLE_CLANG NAMES clang++)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NIBBLE_CLANG)
    execute_process(COMMAND ${NIBBLE_CLANG} -dumpversion OUTPUT_VARIABLE version
      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${NIBBLE_CLANG} -print-resource-dir OUTPUT_VARIABLE own_headers
      OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    list(APPEND CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES ${own_headers}/include)
    set(CMAKE_CXX_COMPILER ${NIBBLE_CLANG})
    set(CMAKE_CXX_COMPILER_ID Clang)
    set(CMAKE_CXX_COMPILER_VERSION ${version})
    set(judges_elsewhere "\n  \"build\": \"${CMAKE_BINARY_DIR}\",")
    nibble_write_kit(${CMAKE_BINARY_DIR}/clang++)
  endif()
endfunction()
