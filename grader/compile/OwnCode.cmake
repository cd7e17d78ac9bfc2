# Writes OUT: the hash of what the kit itself does between a submission's text and its child. By
# contents and names alone: the same kit says the same wherever it lies.
#
#   cmake -DGRADER=grader -DOUT=own_code.cpp -P OwnCode.cmake
set(known "")
foreach(folder compile simt/rewriter)
  file(GLOB sources RELATIVE ${GRADER} ${GRADER}/${folder}/*.cpp ${GRADER}/${folder}/*.hpp)
  list(SORT sources)
  foreach(source ${sources})
    file(SHA256 ${GRADER}/${source} hash)
    string(APPEND known "${source} ${hash}\n")
  endforeach()
endforeach()
string(SHA256 hash "${known}")
file(WRITE ${OUT} "#include \"compile/own_code.hpp\"

std::string_view nibble::compile::own_code() { return \"${hash}\"; }
")
