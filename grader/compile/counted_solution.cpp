// The published kernels, compiled to be counted: what a submission's counts are compared with. Kept
// for all that are judged after this one.
#include <stdexcept>

#include "compile/compile.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "files/sha256.hpp"

namespace nibble::compile {

namespace fs = std::filesystem;
using sandbox::Level;

fs::path counted_solution(const lab::Kit& kit, const std::string& lab, Level level) {
  const fs::path solution = published_solution(kit, lab);
  if (solution.empty()) return {};
  Job job{lab, files::read_file(solution), protocol::Leg::kCounters, {}};
  job.boxes.run = level;  // the kit's own code: what compiles it needs no box
  std::string key = job.source + (level == Level::kStatic ? "static" : "");
  for (const std::string& flag : kit.flags(lab, job.leg)) key += flag;
  for (const fs::path& object : runner_objects(kit, lab)) key += files::read_file(object);
  const std::string hash = files::sha256(key);
  const fs::path kept = kit.notes() / "published" / lab / hash.substr(hash.find(':') + 1);
  if (fs::exists(kept)) return kept;
  const files::ScratchFolder folder(kept.parent_path());
  job.work = folder.path();
  const Built built = compile_once(kit, job);
  if (!built.ok) throw std::runtime_error("the published solution: " + built.diagnostics);
  fs::rename(built.executable, kept);
  return kept;
}

}  // namespace nibble::compile
