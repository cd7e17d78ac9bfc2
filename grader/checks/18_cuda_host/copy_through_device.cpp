// Lab 18, copy_through_device: the checks.
#include "checks/18_cuda_host/copy_through_device.hpp"

namespace nibble::judge::lab_18_cuda_host {
namespace {

// Nothing; one; what a fence is long; more than a megabyte.
TEST(copy_through_device, EverySize) {
  copying.is_right(copies({0, 1, 2, 3, 63, 64, 65, 1000, 300007}, seed(0)));
}

TEST(copy_through_device, RunsClean) {
  copying.runs_clean(
      copies({0, 1, 7, 100}, seed(1)), [](Expect& expect, const Values& c, const auto& answer) {
        const unsigned calls = answer.work.calls;
        expect.that(
            c.x.empty() || calls >= 5,
            "makes " + std::to_string(calls) + " CUDA calls: two buffers and three copies are 5",
            "N-ELSEWHERE");
      });
}

TEST(copy_through_device, EveryErrorComesBack) {
  copying.returns_every_error(copies({5}, seed(2)));
}

}  // namespace
}  // namespace nibble::judge::lab_18_cuda_host
