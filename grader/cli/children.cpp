#include "cli/children.hpp"

#include <system_error>

#include "cli/interrupt.hpp"
#include "cli/learner.hpp"
#include "cli/trouble.hpp"
#include "compile/cache.hpp"
#include "compile/toolchain.hpp"
#include "files/files.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;

compile::Built compile_side(const Context& context, const MarkedLab& lab, const std::string& source,
                            const char* folder) {
  const compile::Job job{
      lab, source, protocol::Leg::kPlain, work_folder(context, lab) / folder, {}, was_interrupted};
  try {
    return compile_or_reuse(context.kit, job);
  } catch (const compile::ToolchainBroke& broke) {
    throw kit_fault(broke.what());
  } catch (const fs::filesystem_error&) {
    throw;
  } catch (const std::system_error& error) {
    throw Trouble(kNotHere, "the compiler cannot be started (" + std::string(error.what()) + ")");
  }
}

}  // namespace

fs::path work_folder(const Context& context, const MarkedLab& lab) {
  return context.kit.root / ".nibble" / "work" / lab.name;
}

compile::Built compile_or_reuse(const lab::Kit& kit, const compile::Job& job) {
  // Of one lab: plain, sanitizers, published, and what was saved before.
  return compile::Cache(job.work.parent_path() / "children", 4).get(kit, job);
}

fs::path learners_child(const Context& context, const MarkedLab& lab) {
  must_be_built(context.kit, lab);
  const compile::Built child =
      compile_side(context, lab, read_learners_file(context.kit, lab), "plain");
  if (child.cancelled) return {};
  if (!child.ok) {
    throw Trouble(kNoCompile,
                  "it does not compile:\n" + report::first_errors(child.diagnostics, 8));
  }
  return fs::absolute(child.executable);
}

fs::path published_child(const Context& context, const MarkedLab& lab) {
  const fs::path source = compile::published_solution(context.kit, lab);
  if (source.empty()) return {};
  const compile::Built child = compile_side(context, lab, files::read_file(source), "published");
  if (child.cancelled) return {};
  if (!child.ok) throw kit_fault("the published solution does not compile\n");
  return fs::absolute(child.executable);
}

std::string compiler_text(const Context& context, const MarkedLab& lab) {
  std::string text = context.kit.cxx_name;
  for (const std::string& flag : context.kit.flags(lab.kind, protocol::Leg::kPlain)) {
    if (flag.starts_with("-O") || flag.starts_with("-m")) text += " " + flag;
  }
  return text;
}

}  // namespace nibble::cli
