// nibble-python: the one command that nibble hands on to it.
#include "cli/words.hpp"
#include "python/python_command.hpp"

int main(int argc, char** argv) {
  return nibble::cli::obey_words(argc, argv, {.python = nibble::python::python_command});
}
