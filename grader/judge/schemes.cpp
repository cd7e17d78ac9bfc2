// schemes: writes the mark scheme of each lab as FOLDER/NN_name.json, for commands that list labs
// whose checks are not built. The tables are in the file that CMake writes for the labs of this
// kit.
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "judge/marks.hpp"
#include "record/codec.hpp"

int main(int, char** argv) {
  using namespace nibble;
  try {
    for (const record::Scheme& scheme : judge::all_schemes()) {
      std::ofstream file(std::filesystem::path(argv[1]) / (scheme.lab + ".json"));
      file.exceptions(std::ios::failbit | std::ios::badbit);
      file << record::text_of(scheme);
    }
  } catch (const std::exception& error) {
    std::cerr << "nibble: the mark schemes cannot be written: " << error.what() << '\n';
    return 6;
  }
  return 0;
}
