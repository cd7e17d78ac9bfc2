#include "proofs/proofs.hpp"

#include "files/files.hpp"
#include "proofs/lints.hpp"

namespace nibble::proofs {

namespace fs = std::filesystem;

Proof prove_lints(const fs::path& top, const std::vector<fs::path>& files) {
  Proof proof{"sources hold nothing banned"};
  for (const fs::path& file : files) proof.count(lint(file, files::read_file(top / file)));
  return proof;
}

}  // namespace nibble::proofs
