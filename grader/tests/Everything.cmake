# everything: the programs and libraries that `all` leaves out. `./nibble test deep` builds them
# too, so that no benchmark stops compiling unseen.
#
# Not among them: what a learner writes (editor.*), which need not compile.

# nibble_left_out(folder list): adds the targets of the folder, and of those within, to the list.
function(nibble_left_out folder list)
  set(found ${${list}})
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(is_left_out ${target} EXCLUDE_FROM_ALL)
    get_target_property(type ${target} TYPE)
    if(is_left_out AND NOT type STREQUAL UTILITY AND NOT target MATCHES "^editor\\.")
      list(APPEND found ${target})
    endif()
  endforeach()
  get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(inner IN LISTS folders)
    nibble_left_out(${inner} found)
  endforeach()
  set(${list} ${found} PARENT_SCOPE)
endfunction()

function(nibble_everything)
  set(targets "")
  nibble_left_out(${CMAKE_SOURCE_DIR} targets)
  add_custom_target(everything DEPENDS ${targets})
endfunction()

cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL nibble_everything)  # when all targets are known
