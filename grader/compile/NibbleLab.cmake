# nibble_lab(NN_name [KERNELS|DEVICE|HOST|NETS]): everything a lab needs, from its folders alone.
# KERNELS: its exercises are compiled to be fast (Toolchain.cmake says how). DEVICE: they are CUDA
# kernels. HOST: they are functions that launch such. The runner of these two brings the SIMT
# engine. NETS: networks learn in its checks (judge/learnt_net.hpp).
#
#   judge.NN_name          checks + judge library + GoogleTest + the reference, for values (a CUDA
#                          lab's checks hold definitions instead)
#   runner/NN_name.o       what a submission is linked with: the table of the lab's exercises
#   runner/NN_name.gpu.o   the same for kernels on a real GPU, where nvcc is found
#
#   lab-NN_name            the target of all that a run of the lab takes; built when it is first asked for
#
#   marks/NN_name.json     its mark scheme, which the learner's command reads of every lab
#   contracts/NN_name/     the contract, and nothing beside it: what a submission is compiled against
#
# The objects of a runner are compiled ahead; a save compiles the learner's file and links.

# Compiles `source` to exactly `object`, with the compiler of the kit.
function(nibble_object target source object)
  add_library(${target} OBJECT ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/grader ${CMAKE_SOURCE_DIR}/common
    ${CMAKE_SOURCE_DIR}/common/simt/include ${ARGN})
  target_compile_options(${target} PRIVATE -O2 -Wall -Wextra -ffp-contract=off)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different $<TARGET_OBJECTS:${target}> ${object}
    DEPENDS ${target} $<TARGET_OBJECTS:${target}> VERBATIM)
  add_custom_target(${target}.copy ALL DEPENDS ${object})
endfunction()

# The parts of a runner that are the same for every lab.
function(nibble_runner_core)
  foreach(part main loop crash_note device_engine)
    nibble_object(runner.${part} ${CMAKE_SOURCE_DIR}/grader/runner/${part}.cpp
      ${CMAKE_BINARY_DIR}/runner/${part}.o)
  endforeach()
  target_include_directories(runner.device_engine PRIVATE ${NIBBLE_SIMT_INCLUDES})
endfunction()

# What an editor knows of a lab's file: an entry in compile_commands.json, with the flags that judge
# it. Nobody builds it, and the file may be away. A .cu file is C++ to an editor as it is to
# the judge.
function(nibble_editor_entry lab source recipe)
  nibble_common_flags()
  nibble_flags_of_kind(${recipe})
  set_source_files_properties(${source} PROPERTIES GENERATED TRUE LANGUAGE CXX)
  add_library(editor.${lab} OBJECT EXCLUDE_FROM_ALL ${source})
  target_include_directories(editor.${lab} PRIVATE ${CMAKE_SOURCE_DIR}/labs/${lab}
    ${CMAKE_SOURCE_DIR}/common)
  target_compile_options(editor.${lab} PRIVATE -UNDEBUG ${common} ${plain} -include ${header})
  if(recipe STREQUAL cuda)
    target_include_directories(editor.${lab} PRIVATE ${NIBBLE_SIMT_INCLUDES})
    target_compile_definitions(editor.${lab} PRIVATE __shared__=)  # the rewriter's word
  endif()
endfunction()

# Whether this build has the lab: NIBBLE_LABS may name some.
function(nibble_has_lab lab result)
  set(${result} FALSE PARENT_SCOPE)
  if(NOT NIBBLE_LABS OR lab IN_LIST NIBBLE_LABS)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

function(nibble_lab lab)
  nibble_has_lab(${lab} wanted)
  if(NOT wanted)
    return()
  endif()
  string(REGEX REPLACE "^[0-9]+_" "" name ${lab})
  set(contract_dir ${NIBBLE_HEADERS}/labs/${lab})
  # A submission sees the contract in a folder that holds nothing else.
  configure_file(${contract_dir}/${name}.hpp ${CMAKE_BINARY_DIR}/contracts/${lab}/${name}.hpp COPYONLY)

  set(kind ordinary)
  set(judge judge)
  if("${ARGN}" STREQUAL "NETS")
    set(judge judge_nets)
  elseif(ARGN)
    string(TOLOWER ${ARGN} kind)
  endif()
  if(NOT kind MATCHES "^(ordinary|kernels|device|host)$")
    message(FATAL_ERROR "${lab}: no labs are of the kind ${ARGN}: say KERNELS, DEVICE, HOST or NETS")
  endif()
  set(recipe ${kind})
  set(suffix cpp)
  set(device "")
  set(reference ${CMAKE_SOURCE_DIR}/solutions/${lab}/${name}.cpp)
  if(kind MATCHES "^(device|host)$")
    set(recipe cuda)
    set(suffix cu)
    set(device "#include \"runner/device.hpp\"\n")
    set(reference "")
  endif()
  if(reference AND NOT EXISTS ${reference})  # a handout: no hidden checks, so nobody asks for values
    set(reference "")
  endif()
  set(table ${CMAKE_BINARY_DIR}/tables/${lab}.cpp)
  file(CONFIGURE OUTPUT ${table} CONTENT
    "${device}#include \"${name}.hpp\"\n#include \"runner/serve.hpp\"\nNIBBLE_SERVE()\n")
  nibble_object(runner.${lab} ${table} ${CMAKE_BINARY_DIR}/runner/${lab}.o ${contract_dir})
  if(device AND NIBBLE_NVCC)
    nibble_object(runner.${lab}.gpu ${table} ${CMAKE_BINARY_DIR}/runner/${lab}.gpu.o ${contract_dir})
    target_compile_definitions(runner.${lab}.gpu PRIVATE NIBBLE_ON_GPU)
  endif()

  set_property(GLOBAL APPEND PROPERTY NIBBLE_LABS_HERE ${lab})
  set_property(GLOBAL APPEND PROPERTY NIBBLE_KINDS_HERE ${kind})
  file(GLOB checks CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/grader/checks/${lab}/*.cpp)
  add_executable(judge.${lab} ${checks} ${reference})
  set_target_properties(judge.${lab} PROPERTIES UNITY_BUILD ${NIBBLE_UNITY} UNITY_BUILD_BATCH_SIZE 0)
  target_include_directories(judge.${lab} PRIVATE ${contract_dir})
  target_link_libraries(judge.${lab} PRIVATE judge_main ${judge})
  target_precompile_headers(judge.${lab} REUSE_FROM judge)
  if(reference)
    set_source_files_properties(${reference} PROPERTIES SKIP_PRECOMPILE_HEADERS ON
      SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  add_custom_command(TARGET judge.${lab} POST_BUILD COMMAND judge.${lab} < /dev/null VERBATIM)

  add_custom_target(lab-${lab})
  add_dependencies(lab-${lab} marks judge.${lab} runner.${lab}.copy runner.main.copy runner.loop.copy
    runner.crash_note.copy headers.${recipe})
  if(device)
    add_dependencies(lab-${lab} simt_engine runner.device_engine.copy nibble-simt-rewrite)
  endif()
  if(TARGET runner.${lab}.gpu)
    add_dependencies(lab-${lab} runner.${lab}.gpu.copy nibble_gpu_device)
  endif()
  add_dependencies(kit lab-${lab})

  nibble_editor_entry(${lab} ${CMAKE_SOURCE_DIR}/labs/${lab}/${name}.${suffix} ${recipe})

  if(kind STREQUAL kernels)
    nibble_flags_of_kind(kernels)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
      # It warns inside its own headers of intrinsics (compile_words.hpp).
      list(APPEND plain -Wno-uninitialized -Wno-maybe-uninitialized)
    endif()
    set_source_files_properties(${CMAKE_SOURCE_DIR}/solutions/${lab}/${name}.cpp PROPERTIES
      COMPILE_OPTIONS "${plain}")
  endif()
endfunction()

# marks/NN_name.json of all labs: their tables alone,
# so that none of their checks has to be compiled.
function(nibble_mark_schemes)
  get_property(labs GLOBAL PROPERTY NIBBLE_LABS_HERE)
  set(tables "")
  set(schemes "")
  foreach(lab ${labs})
    list(APPEND tables ${CMAKE_SOURCE_DIR}/grader/checks/${lab}/marks.cpp)
    list(APPEND schemes ${CMAKE_BINARY_DIR}/marks/${lab}.json)
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/marks)
  add_executable(schemes grader/judge/schemes.cpp ${tables})
  target_link_libraries(schemes PRIVATE judge)
  set_target_properties(schemes PROPERTIES UNITY_BUILD ${NIBBLE_UNITY} UNITY_BUILD_BATCH_SIZE 0)
  add_custom_command(OUTPUT ${schemes} COMMAND schemes ${CMAKE_BINARY_DIR}/marks DEPENDS schemes
    COMMENT "Writing the mark schemes" VERBATIM)
  add_custom_target(marks ALL DEPENDS ${schemes})
endfunction()
