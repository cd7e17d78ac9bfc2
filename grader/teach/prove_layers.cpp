#include "teach/proofs.hpp"

#include "build/files.hpp"
#include "teach/includes.hpp"
#include "teach/source_files.hpp"

namespace nibble::teach {

namespace fs = std::filesystem;

Proof prove_layers(const fs::path& top, const std::vector<fs::path>& files) {
  Proof proof{"includes keep to their layers"};
  try {
    const Layers layers = parse_layers(build::read_file(top / "grader" / "teach" / "layers.txt"));
    for (const fs::path& file : files) {
      if (is_layered(file)) proof.count(forbidden_includes(layers, top, file));
    }
  } catch (const std::exception& error) {
    proof.count(false, error.what());
  }
  return proof;
}

}  // namespace nibble::teach
