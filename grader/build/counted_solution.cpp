// The published kernels, compiled to be counted: what a submission's counts are compared with. Kept for
// all that are judged after this one.
#include <stdlib.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "build/compile.hpp"
#include "build/files.hpp"
#include "build/sha256.hpp"

namespace nibble::build {

namespace fs = std::filesystem;
using sandbox::Level;

fs::path counted_solution(const Kit& kit, const std::string& lab, Level level) {
  const fs::path solution = published_solution(kit, lab);
  if (solution.empty()) return {};
  Job job{lab, read_file(solution), Leg::kCounters, {}};
  job.boxes.run = level;  // the kit's own code: what compiles it needs no box
  std::string key = job.source + (level == Level::kStatic ? "static" : "");
  for (const std::string& flag : kit.flags(lab, job.leg)) key += flag;
  for (const fs::path& object : runner_objects(kit, lab)) key += read_file(object);
  const std::string hash = sha256(key);
  const fs::path kept = kit.notes() / "published" / lab / hash.substr(hash.find(':') + 1);
  if (fs::exists(kept)) return kept;
  fs::create_directories(kept.parent_path());
  std::string folder = (kept.parent_path() / "XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::system_error(errno, std::generic_category());
  job.work = folder;
  const Built built = compile_once(kit, job);
  if (built.ok) fs::rename(built.executable, kept);
  fs::remove_all(folder);
  if (!built.ok) throw std::runtime_error("the published solution: " + built.diagnostics);
  return kept;
}

}  // namespace nibble::build
