// nibble-simt-rewrite [--host] in.cu out.cpp
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "rewriter/rewrite.hpp"

namespace {

using nibble::simt::Complaint;
using nibble::simt::Dialect;

int rewrite_file(const std::string& in, const std::string& out, Dialect dialect) {
  std::ifstream file(in, std::ios::binary);
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    std::fprintf(stderr, "%s: error: cannot be read\n", in.c_str());
    return 2;
  }
  const nibble::simt::Rewritten result = nibble::simt::rewrite(source, in, dialect);
  for (const Complaint& complaint : result.complaints) {
    std::fprintf(stderr, "%s:%d:%d: error: %s\n", in.c_str(), complaint.line, complaint.column,
                 complaint.message.c_str());
  }
  if (!result.complaints.empty()) return 1;
  std::ofstream written(out, std::ios::binary);
  written << result.text << std::flush;
  if (written) return 0;
  std::fprintf(stderr, "%s: error: cannot be written\n", out.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_host = argc == 4 && std::string(argv[1]) == "--host";
  if (argc != 3 && !is_host) {
    std::fputs("usage: nibble-simt-rewrite [--host] in.cu out.cpp\n", stderr);
    return 2;
  }
  return rewrite_file(argv[argc - 2], argv[argc - 1],
                      is_host ? Dialect::kHostAndKernels : Dialect::kKernels);
}
