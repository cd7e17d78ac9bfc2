#include <map>

#include "files/files.hpp"
#include "proofs/nouns.hpp"
#include "proofs/proofs.hpp"

namespace nibble::proofs {

namespace fs = std::filesystem;

Proof prove_nouns(const fs::path& top, const std::vector<fs::path>& files) {
  Proof proof{"each noun is one class"};
  std::map<std::string, fs::path> known;
  for (const fs::path& file : files) {
    if (!has_nouns(file)) continue;
    for (const std::string& noun : classes_in(files::read_file(top / file))) {
      const auto [first, is_new] = known.emplace(noun, file);
      proof.count(is_new, file.string() + ": " + noun + " is a class of " + first->second.string() +
                              " already");
    }
  }
  return proof;
}

}  // namespace nibble::proofs
