// Saves are seen however an editor makes them, and a watch judges each.
#include <atomic>
#include <thread>

#include "cli/file_events.hpp"
#include "end_to_end.hpp"

namespace nibble::cli {
namespace {

using namespace std::chrono_literals;

class Saves : public testing::TestWithParam<bool> {};

bool is_told_of(FileEvents& events, const fs::path& file) {
  for (int i = 0; i < 100; ++i) {
    for (const fs::path& saved : events.saved()) {
      if (saved == file) return true;
    }
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST_P(Saves, AreSeenHoweverTheyAreMade) {
  const Scratch scratch;
  const fs::path file = scratch.path() / "a.cpp", other = scratch.path() / "b.cpp";
  std::ofstream(file) << "one";
  const auto events = watch_files({file}, GetParam());
  EXPECT_TRUE(events->saved().empty());
  std::ofstream(other) << "not watched";
  std::ofstream(file) << "two, in place";
  EXPECT_TRUE(is_told_of(*events, file));
  write(file, "three, by a new file and a rename");
  EXPECT_TRUE(is_told_of(*events, file));
  fs::remove(file);
  std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(events->saved().empty());
  EXPECT_EQ(events->descriptor() < 0, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Both, Saves, testing::Bool());

/// A watch in another thread; it ends when told to, or after two minutes.
class Watching {
 public:
  explicit Watching(process::Command command) {
    command.cancelled = [this] { return stop_.load(); };
    thread_ = std::thread([this, command] { finished_ = process::run(command); });
  }
  ~Watching() { end(); }

  process::Finished end() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return finished_;
  }

 private:
  std::atomic<bool> stop_ = false;
  process::Finished finished_;
  std::thread thread_;
};

template <class Condition>
bool comes_true(const Condition& condition) {
  for (int i = 0; i < 600; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(50ms);
  }
  return false;
}

class WatchEndToEnd : public EndToEnd, public testing::WithParamInterface<const char*> {};

TEST_P(WatchEndToEnd, ASaveIsJudged) {
  Watching watching(command({"watch", "03"}, {GetParam()}));
  std::this_thread::sleep_for(1s);
  const auto is = [&](const char* verdict) {
    return comes_true([&] {
      const fs::path file = root_.path() / ".nibble" / "out" / kLab / "results.json";
      return fs::exists(file) && results()["verdict"] == verdict;
    });
  };
  save("this is no C++\n");
  EXPECT_TRUE(is("no_compile"));
  save("");  // an editor that is half done, or a mistake: watch goes on
  std::this_thread::sleep_for(700ms);
  save(rounds_away());
  EXPECT_TRUE(is("fail"));
  save(solution_);
  EXPECT_TRUE(is("pass"));
  std::this_thread::sleep_for(300ms);
  const std::string out = watching.end().out;
  EXPECT_HOLDS(out, "watching labs/03_symmetric (");
  EXPECT_HOLDS(out, "save  symmetric.cpp   STOP does not compile");
  EXPECT_HOLDS(out, "is empty");
  EXPECT_HOLDS(out, "FAIL ");
  EXPECT_HOLDS(out, "N-ROUND");
  EXPECT_HOLDS(out, "PASS ");
  EXPECT_HOLDS(out, " points");
}

INSTANTIATE_TEST_SUITE_P(Both, WatchEndToEnd, testing::Values("NIBBLE_POLL=0", "NIBBLE_POLL=1"));

}  // namespace
}  // namespace nibble::cli
