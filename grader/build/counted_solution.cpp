// The published kernels, compiled to be counted: what a submission's counts are compared with. Kept
// for all that are judged after this one.
#include <stdexcept>

#include "build/compile.hpp"
#include "build/files.hpp"
#include "build/scratch_folder.hpp"
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
  const ScratchFolder folder(kept.parent_path());
  job.work = folder.path();
  const Built built = compile_once(kit, job);
  if (!built.ok) throw std::runtime_error("the published solution: " + built.diagnostics);
  fs::rename(built.executable, kept);
  return kept;
}

}  // namespace nibble::build
