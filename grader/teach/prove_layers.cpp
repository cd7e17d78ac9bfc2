#include "teach/proofs.hpp"

#include "files/files.hpp"
#include "teach/format_error.hpp"
#include "teach/includes.hpp"
#include "teach/source_files.hpp"

namespace nibble::teach {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> faults_of(const Layers& layers, const fs::path& top,
                                   const fs::path& file) {
  try {
    return forbidden_includes(layers, top, file);
  } catch (const FormatError& error) {
    return {file.string() + ", " + error.what()};
  }
}

}  // namespace

Proof prove_layers(const fs::path& top, const std::vector<fs::path>& files) {
  Proof proof{"includes keep to their layers"};
  const fs::path table = top / "grader" / "teach" / "layers.txt";
  try {
    const Layers layers = parse_layers(files::read_file(table));
    for (const fs::path& file : files) {
      if (is_layered(file)) proof.count(faults_of(layers, top, file));
    }
  } catch (const FormatError& error) {
    proof.count(false, std::string("layers.txt, ") + error.what());
  }
  return proof;
}

}  // namespace nibble::teach
