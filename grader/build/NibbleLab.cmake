# nibble_lab(NN_name [KERNELS]): everything a lab needs, from its folders alone. KERNELS: its
# exercises are compiled to be fast (Toolchain.cmake says how). A lab called NN_cuda_* has kernels for
# exercises; its runner brings the SIMT engine.
#
#   judge.NN_name          checks + judge library + GoogleTest + the reference, for values (a CUDA
#                          lab's checks hold definitions instead)
#   judge.NN_name.json     its mark scheme, for commands that only want to list
#   runner/NN_name.o       what a submission is linked with: the table of the lab's exercises
#   runner/NN_name.gpu.o   the same for kernels on a real GPU, where nvcc is found
#
# The objects of a runner are compiled ahead; a save compiles the learner's file and links.

# Compiles `source` to exactly `object`, with the compiler of the kit.
function(nibble_object target source object)
  add_library(${target} OBJECT ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/grader ${CMAKE_SOURCE_DIR}/common
    ${ARGN})
  target_compile_options(${target} PRIVATE -O2 -Wall -Wextra -ffp-contract=off)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different $<TARGET_OBJECTS:${target}> ${object}
    DEPENDS ${target} $<TARGET_OBJECTS:${target}> VERBATIM)
  add_custom_target(${target}.copy ALL DEPENDS ${object})
  add_dependencies(kit ${target}.copy)
endfunction()

# The parts of a runner that are the same for every lab.
function(nibble_runner_core)
  foreach(part main loop crash_note device_engine)
    nibble_object(runner.${part} ${CMAKE_SOURCE_DIR}/grader/runner/${part}.cpp
      ${CMAKE_BINARY_DIR}/runner/${part}.o)
  endforeach()
  target_include_directories(runner.device_engine PRIVATE ${NIBBLE_SIMT_INCLUDES})
endfunction()

function(nibble_lab lab)
  if(NIBBLE_LABS AND NOT lab IN_LIST NIBBLE_LABS)
    return()
  endif()
  string(REGEX REPLACE "^[0-9]+_" "" name ${lab})
  set(contract_dir ${CMAKE_SOURCE_DIR}/labs/${lab})

  set(device "")
  set(reference ${CMAKE_SOURCE_DIR}/solutions/${lab}/${name}.cpp)
  if(name MATCHES "^cuda_")
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

  add_executable(judge.${lab} ${CMAKE_SOURCE_DIR}/grader/checks/${lab}.cpp ${reference})
  target_include_directories(judge.${lab} PRIVATE ${contract_dir})
  target_link_libraries(judge.${lab} PRIVATE judge_main judge)
  if(NOT EXISTS ${CMAKE_SOURCE_DIR}/solutions)  # what only hidden checks used is still there
    target_compile_options(judge.${lab} PRIVATE -Wno-unused-function -Wno-unused-const-variable)
  endif()
  add_custom_command(TARGET judge.${lab} POST_BUILD
    COMMAND judge.${lab} --describe > ${CMAKE_BINARY_DIR}/judge.${lab}.json
    BYPRODUCTS ${CMAKE_BINARY_DIR}/judge.${lab}.json VERBATIM)
  add_dependencies(kit judge.${lab})

  if("KERNELS" IN_LIST ARGN)
    set_property(GLOBAL APPEND PROPERTY NIBBLE_KERNEL_LABS ${lab})
    nibble_flags_of_kind(kernels)
    set_source_files_properties(${CMAKE_SOURCE_DIR}/solutions/${lab}/${name}.cpp PROPERTIES
      COMPILE_OPTIONS "${plain}")
  endif()
endfunction()
