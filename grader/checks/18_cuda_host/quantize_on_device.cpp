// Lab 18, quantize_on_device: the checks.
#include "checks/18_cuda_host/quantize_on_device.hpp"

namespace nibble::judge::lab_18_cuda_host {
namespace {

// Nothing; one less than, as many as, one more than a block; blocks of one thread, of no whole
// warp, of the most threads; many blocks.
const std::vector<Parts> kBlocks = {{0, 256},   {1, 256},   {1, 1},    {10, 4},      {255, 256},
                                    {256, 256}, {257, 256}, {100, 33}, {2049, 1024}, {70000, 128}};

TEST(quantize_on_device, EverySize) {
  auto cases = in_parts<Blocks>(kBlocks, seed(0));
  cases.push_back({"Ties", {{0.5f, 1.5f, 2.5f, -1.5f, -2.5f, 300.0f, -300.0f}, 1.0f, 4}});
  in_blocks.is_right(cases);
}

// CUDA's own answer to it: cudaErrorInvalidConfiguration.
TEST(quantize_on_device, RefusedLaunchComesBack) {
  const auto cases = in_parts<Blocks>({{3000, 1025}, {100, 2048}}, seed(1));
  each_case(cases, [](const Blocks& c, Expect& expect) { asks_the_device(c, expect); });
  in_blocks.returns_error(9, cases);
}

TEST(quantize_on_device, RunsClean) {
  in_blocks.runs_clean(in_parts<Blocks>({{0, 32}, {1, 32}, {100, 32}, {257, 256}}, seed(2)));
}

TEST(quantize_on_device, EveryErrorComesBack) {
  in_blocks.returns_every_error(in_parts<Blocks>({{70, 32}}, seed(3)));
}

}  // namespace
}  // namespace nibble::judge::lab_18_cuda_host
