// Lab 18, count_codes: the checks.
#include "checks/18_cuda_host/count_codes.hpp"

namespace nibble::judge::lab_18_cuda_host {
namespace {

// Nothing; one; around the sizes of blocks; enough for every code to occur.
TEST(count_codes, EverySize) {
  counting.is_right(code_lists({0, 1, 31, 255, 256, 257, 1023, 1025, 50021}, seed(0)));
}

TEST(count_codes, RunsClean) { counting.runs_clean(code_lists({0, 1, 300}, seed(1))); }

TEST(count_codes, EveryErrorComesBack) { counting.returns_every_error(code_lists({40}, seed(2))); }

}  // namespace
}  // namespace nibble::judge::lab_18_cuda_host
