# cmake -DLD= -DNM= -DOBJCOPY= -DOBJECTS=a.o;b.o -DOUTPUT=one.o -P one_object.cmake
get_filename_component(folder ${OUTPUT} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
execute_process(COMMAND ${LD} -r --force-group-allocation ${OBJECTS} -o ${OUTPUT}.tmp
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${NM} ${OUTPUT}.tmp OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]* [WV] [^\n]*" weak "${symbols}")
list(TRANSFORM weak REPLACE "^.* [WV] " "")
list(JOIN weak "\n" weak)
file(WRITE ${OUTPUT}.weak "${weak}\n")
execute_process(COMMAND ${OBJCOPY} --localize-symbols=${OUTPUT}.weak ${OUTPUT}.tmp ${OUTPUT}
  COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${OUTPUT}.tmp)
# objcopy leaves these as they are, and a linker may find them in a submission, too.
execute_process(COMMAND ${NM} -C ${OUTPUT} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(symbols MATCHES "[^\n]* u ([^\n]*)")
  file(REMOVE ${OUTPUT})
  message(FATAL_ERROR "${CMAKE_MATCH_1} is unique in a process, and the engine may share nothing: "
    "a map's [] brings std::piecewise_construct, its insert() does not")
endif()
