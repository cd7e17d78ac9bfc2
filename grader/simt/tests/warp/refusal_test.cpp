// What the engine does not have is said in a sentence, when the file is compiled.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

/// What the compiler says about a kernel with this body.
std::string says(const std::string& body) {
  const std::string file = ::testing::TempDir() + "/refusal." + std::to_string(getpid()) + ".cpp";
  std::ofstream(file) << "#include <cooperative_groups.h>\n#include <mma.h>\n"
                         "namespace cg = cooperative_groups;\nusing namespace nvcuda;\n"
                         "void kernel() {\n"
                      << body << "\n}\n";
  const std::string command = NIBBLE_GXX " -std=c++20 -fsyntax-only -I" NIBBLE_COMMON
                                         " -I" NIBBLE_COMMON "/simt/cuda -I" NIBBLE_COMMON
                                         "/simt/include '" +
                              file + "' 2>&1";
  std::string text;
  if (FILE* const pipe = popen(command.c_str(), "r")) {
    std::array<char, 256> part{};
    while (fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
    pclose(pipe);
  }
  std::filesystem::remove(file);
  return text;
}

void expect_said(const std::string& body, const std::string& sentence) {
  const std::string text = says(body);
  EXPECT_NE(text.find(sentence), std::string::npos) << text;
}

TEST(Refusal, SaysNothingOfWhatThereIs) {
  EXPECT_EQ(says("wmma::fragment<wmma::accumulator, 16, 16, 16, int> f;\n"
                 "wmma::fill_fragment(f, 0);\n"
                 "cg::sync(cg::tiled_partition<32>(cg::this_thread_block()));"),
            "");
}
TEST(Refusal, TilesEndAtAWarp) {
  expect_said("cg::tiled_partition<64>(cg::this_thread_block());",
              "a tile has 1, 2, 4, 8, 16 or 32 threads");
}
TEST(Refusal, WmmaHasThreeShapes) {
  expect_said("wmma::fragment<wmma::accumulator, 16, 16, 8, float> f;",
              "a WMMA shape is 16x16x16, 32x8x16 or 8x32x16 (m, n, k)");
}
TEST(Refusal, OperandsHaveAnOrder) {
  expect_said("wmma::fragment<wmma::matrix_a, 16, 16, 16, __half> f;",
              "matrix_a and matrix_b say row_major or col_major");
}

}  // namespace
