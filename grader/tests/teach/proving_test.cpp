// What every proof stands on: it counts, each thing is done once, and a failure is somebody's.
#include <atomic>
#include <stdexcept>
#include <system_error>

#include "complaint.hpp"
#include "proofs/parallel.hpp"
#include "proofs/proof.hpp"
#include "teach/guarded.hpp"

namespace nibble::proofs {
namespace {

TEST(Proofs, NothingLookedAtProvesNothing) {
  Proof proof{"a thing"};
  EXPECT_FALSE(proof.holds());
  expect_contains(show(proof), "nothing was looked at");
  proof.count(true, "");
  EXPECT_TRUE(proof.holds());
  proof.count(false, "this one");
  EXPECT_FALSE(proof.holds());
  expect_contains(show(proof), "1/2");
  expect_contains(show(proof), "FAIL this one");
}

TEST(Parallel, DoesEachOnceAndThrowsWhatIsThrown) {
  std::vector<std::atomic<int>> done(100);
  parallel("", done.size(), 3, [&](std::size_t i) { ++done[i]; });
  for (const auto& count : done) EXPECT_EQ(count, 1);
  EXPECT_THROW(parallel("", 5, 2,
                        [](std::size_t i) {
                          if (i == 3) throw std::out_of_range("x");
                        }),
               std::out_of_range);
}

TEST(Guarded, APathThatIsNotThereIsTheCallers) {
  const auto thrown = [](std::errc code) {
    return teach::guarded([&]() -> int {
      throw std::filesystem::filesystem_error("x", "/here", std::make_error_code(code));
    });
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(thrown(std::errc::no_such_file_or_directory), 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "nibble: /here is not there: is the path right?\n");
  EXPECT_EQ(thrown(std::errc::permission_denied), 2);
  EXPECT_EQ(thrown(std::errc::not_a_directory), 2);
  EXPECT_EQ(thrown(std::errc::io_error), 6);
}

}  // namespace
}  // namespace nibble::proofs
