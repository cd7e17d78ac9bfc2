#include "cli/children.hpp"

#include "cli/interrupt.hpp"
#include "cli/learner.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;

compile::Built compile_side(const Context& context, const MarkedLab& lab, const std::string& source,
                            const char* folder) {
  const compile::Job job{
      lab, source,         protocol::Leg::kPlain, work_folder(context.kit, lab) / folder,
      {},  was_interrupted};
  return told_as_trouble([&] { return children_of(context.kit, lab).get(context.kit, job); });
}

}  // namespace

fs::path work_folder(const lab::Kit& kit, const lab::Lab& lab) {
  return kit.root / ".nibble" / "work" / lab.name;
}

compile::Cache children_of(const lab::Kit& kit, const lab::Lab& lab) {
  return compile::Cache(work_folder(kit, lab) / "children", 4);
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
