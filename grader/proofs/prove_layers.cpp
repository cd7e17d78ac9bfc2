#include "proofs/proofs.hpp"

#include "files/files.hpp"
#include "proofs/includes.hpp"
#include "proofs/source_files.hpp"
#include "text/format_error.hpp"

namespace nibble::proofs {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> faults_of(const Layers& layers, const fs::path& top,
                                   const fs::path& file) {
  try {
    return forbidden_includes(layers, top, file);
  } catch (const text::FormatError& error) {
    return {file.string() + ", " + error.what()};
  }
}

}  // namespace

Proof prove_layers(const fs::path& top, const std::vector<fs::path>& files) {
  Proof proof{"includes keep to their layers"};
  const fs::path table = top / "grader" / "layers.txt";
  try {
    const Layers layers = parse_layers(files::read_file(table));
    for (const fs::path& file : files) {
      if (is_layered(file)) proof.count(faults_of(layers, top, file));
    }
  } catch (const text::FormatError& error) {
    proof.count(false, std::string("layers.txt, ") + error.what());
  }
  return proof;
}

}  // namespace nibble::proofs
