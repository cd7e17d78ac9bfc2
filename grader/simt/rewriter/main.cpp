// nibble-simt-rewrite [--host] in.cu out.cpp
// nibble-simt-rewrite --guards in.s out.s
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "simt/rewriter/guards.hpp"
#include "simt/rewriter/rewrite.hpp"

namespace {

using nibble::simt::Complaint;
using nibble::simt::Dialect;

int write_file(const std::string& out, const std::string& text) {
  std::ofstream written(out, std::ios::binary);
  written << text << std::flush;
  if (written) return 0;
  std::fprintf(stderr, "%s: error: cannot be written\n", out.c_str());
  return 2;
}

int rewrite_file(const std::string& in, const std::string& source, const std::string& out,
                 Dialect dialect) {
  const nibble::simt::Rewritten result = nibble::simt::rewrite(source, in, dialect);
  for (const Complaint& complaint : result.complaints) {
    std::fprintf(stderr, "%s:%d:%d: error: %s\n", in.c_str(), complaint.line, complaint.column,
                 complaint.message.c_str());
  }
  if (!result.complaints.empty()) return nibble::simt::kRefusedExit;
  return write_file(out, result.text);
}

int guard_file(const std::string& assembly, const std::string& out) {
  const nibble::simt::Guarded guarded = nibble::simt::with_guards(assembly);
  if (guarded.unknown.empty()) return write_file(out, guarded.text);
  std::fprintf(stderr, "error: memory is used where it cannot be checked, by the instruction %s\n",
               guarded.unknown.front().c_str());
  return nibble::simt::kRefusedExit;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string option = argc == 4 ? argv[1] : "";
  if (argc != 3 && option != "--host" && option != "--guards") {
    std::fputs("usage: nibble-simt-rewrite [--host] in.cu out.cpp, or --guards in.s out.s\n",
               stderr);
    return 2;
  }
  const std::string in = argv[argc - 2], out = argv[argc - 1];
  std::ifstream file(in, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    std::fprintf(stderr, "%s: error: cannot be read\n", in.c_str());
    return 2;
  }
  if (option == "--guards") return guard_file(text, out);
  return rewrite_file(in, text, out,
                      option == "--host" ? Dialect::kHostAndKernels : Dialect::kKernels);
}
