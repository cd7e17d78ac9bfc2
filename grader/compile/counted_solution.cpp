// The published kernels, compiled to be counted: what a submission's counts are compared with. Kept
// for all that are judged after this one.
#include <stdexcept>

#include "compile/cache.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"

namespace nibble::compile {

namespace fs = std::filesystem;
using sandbox::Level;

fs::path counted_solution(const lab::Kit& kit, const lab::Lab& lab, Level level) {
  const fs::path solution = published_solution(kit, lab);
  if (solution.empty()) return {};
  Job job{lab, files::read_file(solution), protocol::Leg::kCounters, {}};
  job.boxes.run = level;  // the kit's own code: what compiles it needs no box
  const files::ScratchFolder folder(kit.notes() / "published");
  job.work = folder.path();
  const Built built = Cache(kit.notes() / "published" / lab.name, 4).get(kit, job);
  if (!built.ok) throw std::runtime_error("the published solution: " + built.diagnostics);
  return built.executable;
}

}  // namespace nibble::compile
