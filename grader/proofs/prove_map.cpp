#include "files/files.hpp"
#include "proofs/map.hpp"
#include "proofs/proofs.hpp"

namespace nibble::proofs {

Proof prove_map(const std::filesystem::path& top) {
  Proof proof{"the map shows the house"};
  try {
    const std::string page = files::read_file(top / "docs/design/map.md");
    const std::string layers = files::read_file(top / "grader/layers.txt");
    proof.count(with_rooms(page, layers) == page,
                "docs/design/map.md shows other rooms than layers.txt: ./nibble teach map");
    for (const std::string& fault : what_is_not_there(page, top)) {
      proof.count(false, "docs/design/map.md, " + fault);
    }
  } catch (const std::exception& error) {
    proof.count(false, std::string("docs/design/map.md or layers.txt: ") + error.what());
  }
  return proof;
}

}  // namespace nibble::proofs
