// In which order what CUDA spells otherwise is replaced, and what is refused is looked for.
#include "simt/rewriter/rewrite.hpp"

#include <algorithm>
#include <tuple>

#include "simt/rewriter/captures.hpp"
#include "simt/rewriter/declarations.hpp"
#include "simt/rewriter/designators.hpp"
#include "simt/rewriter/edits.hpp"
#include "simt/rewriter/inlined.hpp"
#include "simt/rewriter/kernel_casts.hpp"
#include "simt/rewriter/launch_bounds.hpp"
#include "simt/rewriter/launches.hpp"
#include "simt/rewriter/lexer.hpp"
#include "simt/rewriter/native_names.hpp"
#include "simt/rewriter/ptx.hpp"
#include "simt/rewriter/refusals.hpp"
#include "simt/rewriter/shared.hpp"
#include "simt/rewriter/variables.hpp"

namespace nibble::simt {
namespace {

/// More than anyone reads, and a hostile file could ask for millions.
constexpr std::size_t kMostComplaints = 50;

void put_in_order(std::vector<Complaint>& complaints) {
  const auto place = [](const Complaint& complaint) {
    return std::tie(complaint.line, complaint.column);
  };
  std::ranges::stable_sort(complaints, {}, place);
  const auto is_same_place = [&](const Complaint& a, const Complaint& b) {
    return place(a) == place(b);
  };
  complaints.erase(std::unique(complaints.begin(), complaints.end(), is_same_place),
                   complaints.end());
  if (complaints.size() > kMostComplaints) complaints.resize(kMostComplaints);
}

/// What nvcc says of itself. A file of kernels is device code, for the GPU whose limits the engine
/// keeps; a whole program is compiled once here for both sides, and is the host's.
std::string prologue(std::string_view file_name, Dialect dialect, bool speaks_ptx) {
  std::string text = "#include \"nibble/simt.hpp\"\n";
  if (speaks_ptx) text += "#include \"nibble/simt/ptx.hpp\"\n";
  text += "#define __CUDACC__ 1\n";
  if (dialect == Dialect::kKernels) text += "#define __CUDA_ARCH__ 800\n";
  text += "#line 1 \"";
  for (const char c : file_name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text + "\"\n";
}

/// Few files do, and what they need is long.
bool speaks_ptx(const Tokens& tokens) {
  for (int i = 0; i < tokens.size(); i++) {
    if (tokens[i].text == "asm" || tokens[i].text.starts_with("__asm") ||
        tokens[i].text.starts_with("__cvta_")) {
      return true;
    }
  }
  return false;
}

}  // namespace

Rewritten rewrite(std::string_view source, std::string_view file_name, Dialect dialect) {
  const Tokens tokens(source);
  const std::vector<Declaration> declarations = find_declarations(tokens);
  std::vector<Complaint> complaints = tokens.complaints();
  Edits edits(tokens);
  if (source.starts_with("\xEF\xBB\xBF")) edits.erase_bytes(0, 3);  // only good as a file's first

  const std::vector<int> understood = rewrite_ptx(tokens, dialect, edits, complaints);
  if (dialect == Dialect::kKernels) {
    refuse_tokens(tokens, understood, complaints);
    refuse_directives(tokens, complaints);
    refuse_host_code(tokens, declarations, complaints);
    inline_lambdas(tokens, edits);
    inline_constexpr_functions(tokens, declarations, edits);
  } else {
    refuse_host_calls(tokens, complaints);
    rewrite_launches(tokens, declarations, edits, complaints);
    take_kernels_casts_out(tokens, edits);
  }
  use_names_of_cuda(tokens, edits);
  take_designators_out(tokens, edits);
  keep_launch_bounds(source, tokens, declarations, edits);
  const std::vector<int> shared = rewrite_shared(tokens, declarations, edits, complaints);
  capture_shared(tokens, shared, edits, complaints);
  keep_recursion(tokens, declarations, edits);
  register_variables(tokens, declarations, edits, complaints);

  std::string text = edits.apply();
  if (complaints.empty()) refuse_what_is_left(text, complaints);
  put_in_order(complaints);
  return {prologue(file_name, dialect, speaks_ptx(tokens)) + text, std::move(complaints)};
}

}  // namespace nibble::simt
