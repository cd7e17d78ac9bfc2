// One child that misbehaves in every way there is: each way has its own words, the next call finds
// a fresh child, and nothing is left running.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "trial.hpp"

#include "judge/budget.hpp"
#include "judge/call.hpp"
#include "judge/kit_error.hpp"
#include "judge/record.hpp"
#include "text/harmless.hpp"

namespace nibble::judge {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr Limits kShort{.cpu = 200ms, .wall = 2500ms};
constexpr Patience kWait{kShort.cpu, kShort.wall};

std::vector<pid_t> children(pid_t judge = getpid()) {
  std::ifstream list("/proc/self/task/" + std::to_string(judge) + "/children");
  return {std::istream_iterator<pid_t>(list), {}};
}

class JudgeChild : public testing::Test {
 protected:
  JudgeChild() { set_submission({TRIAL_CHILD, false, 0x5eed, kShort}); }
  ~JudgeChild() override {
    set_submission({TRIAL_CHILD, false, 0, kShort});  // ends the one before
    EXPECT_TRUE(children().empty()) << "a process was left behind";
  }

  /// How a call fails; an empty message when it does not.
  template <auto Function, class... Arguments>
  Failure failure_of(const Arguments&... arguments) {
    try {
      call<Function>(arguments...);
      ADD_FAILURE() << "the call gave a value";
      return {};
    } catch (const CallFailed& failed) {
      return failed.failure;
    }
  }

  /// `deed` must fail so, and the call after it must work.
  void expect(Deed deed, CheckStatus status, const std::string& code, const std::string& words) {
    const Failure failure = failure_of<&act>(deed);
    EXPECT_EQ(name_of(failure.status), name_of(status)) << failure.message;
    EXPECT_EQ(failure.code, code) << failure.message;
    EXPECT_NE(failure.message.find(words), std::string::npos) << failure.message;
    EXPECT_EQ(call<&half>(3.0f), 1.5f) << "the next call finds a child that works";
  }

  void expect(Filling how, CheckStatus status, const std::string& code, const std::string& words) {
    const Failure failure = failure_of<&fill>(std::vector<float>(64, 1.0f), out(64), how);
    EXPECT_EQ(name_of(failure.status), name_of(status)) << failure.message;
    EXPECT_EQ(failure.code, code) << failure.message;
    EXPECT_NE(failure.message.find(words), std::string::npos) << failure.message;
    EXPECT_EQ(call<&half>(3.0f), 1.5f);
  }
};

// --- Values --------------------------------------------------------------------------------------

TEST_F(JudgeChild, GivesScalarsVectorsStructsAndStrings) {
  EXPECT_EQ(call<&half>(5.0f), 2.5f);
  EXPECT_EQ(call<&twice>(std::vector<float>{1, 2}), (std::vector<float>{2, 4}));
  EXPECT_EQ(call<&twice>(std::vector<float>{}), std::vector<float>{});
  EXPECT_EQ(call<&greet>(std::string("you")), "hello you");
  const Tensor got = call<&describe>(Tensor{{1}, 2.0f, "t", {1, 2, 3}, true}, 5);
  EXPECT_EQ(got.q, std::vector<std::int8_t>{6});
  EXPECT_EQ(got.scale, 4.0f);
  EXPECT_EQ(got.name, "t!");
  EXPECT_EQ(got.shape, (std::array<std::int32_t, 3>{3, 2, 1}));
  EXPECT_FALSE(got.exact);
}

TEST_F(JudgeChild, GivesTheOutputsThatItFilled) {
  EXPECT_EQ(call<&fill>(std::vector<float>{1, 2}, out(2), Filling::kWhole),
            (std::vector<float>{2, 3}));
}

TEST_F(JudgeChild, IsOneProcessUntilItEnds) {
  EXPECT_EQ(call<&act>(Deed::kReturn), 1);
  EXPECT_EQ(call<&act>(Deed::kReturn), 2);
  failure_of<&act>(Deed::kExit);
  EXPECT_EQ(call<&act>(Deed::kReturn), 1) << "a fresh child";
}

// --- Exceptions ----------------------------------------------------------------------------------

TEST_F(JudgeChild, ThatThrowsSaysWhat) {
  expect(Deed::kTodo, CheckStatus::kFail, "N-STUB", "not written yet");
  expect(Deed::kRefuse, CheckStatus::kFail, "N-REFUSED", "expected a deed");
  expect(Deed::kBadAlloc, CheckStatus::kCrash, "N-MEMORY", "512 MiB");
  expect(Deed::kLengthError, CheckStatus::kFail, "N-THROW", "too long");
  expect(Deed::kThrowInt, CheckStatus::kFail, "N-THROW", "not a std::exception");
}

TEST_F(JudgeChild, ThatRefusesIsToldFromOneThatFails) {
  EXPECT_TRUE(refuses<&act>(Deed::kRefuse));
  EXPECT_FALSE(refuses<&act>(Deed::kReturn));
  EXPECT_THROW(refuses<&act>(Deed::kExit), CallFailed);
  EXPECT_THROW(refuses<&act>(Deed::kLengthError), CallFailed);
}

// --- Endings -------------------------------------------------------------------------------------

TEST_F(JudgeChild, ThatEndsItselfIsNamedByHow) {
  expect(Deed::kExit, CheckStatus::kCrash, "N-EXIT", "exit status 0");
  expect(Deed::kAbort, CheckStatus::kCrash, "N-CRASH", "signal 6");
  expect(Deed::kKill, CheckStatus::kCrash, "N-CRASH", "signal 9");
  expect(Deed::kNullPointer, CheckStatus::kCrash, "N-CRASH", "signal 11");
  expect(Deed::kIllegal, CheckStatus::kCrash, "N-CRASH", "signal 4");
  expect(Deed::kRecurse, CheckStatus::kCrash, "N-CRASH", "ran out of stack");
#ifdef __x86_64__
  expect(Deed::kDivideByZero, CheckStatus::kCrash, "N-CRASH", "signal 8");
#endif
}

TEST_F(JudgeChild, ThatIsKilledFromOutsideIsAskedOnceMore) {
  const pid_t judge = getpid();
  for (const int signal : {SIGKILL, SIGTERM}) {  // out of memory; a cluster's job taken back
    std::thread outside([judge, signal] {
      std::vector<pid_t> found;
      while (found.empty()) found = children(judge);
      kill(found.front(), signal);
    });
    expect(Deed::kSleep, CheckStatus::kTimeout, "N-TIME", "without an answer");
    outside.join();
  }
}

TEST_F(JudgeChild, ThatIsAskedOnceMoreHasTheSameArguments) {
  EXPECT_EQ(call<&fill>(std::vector<float>{1, 2}, out(2), Filling::kKilledOnce),
            (std::vector<float>{2, 3}));
}

TEST_F(JudgeChild, FindsNothingThatAnotherLeft) {
  failure_of<&act>(Deed::kLeaveAWord);
  EXPECT_EQ(call<&act>(Deed::kFindAWord), 1) << "memory outlived the process that wrote to it";
  failure_of<&act>(Deed::kLeaveAWord);
  submission().start_afresh(-1);
  EXPECT_GT(submission().cpu_time().count(), 0) << "started before anything is laid out";
  EXPECT_EQ(call<&act>(Deed::kFindAWord), 1);
}

TEST_F(JudgeChild, ThatLiesAboutItsCrashIsOnlyShownTheSignal) {
  expect(Deed::kLieAboutCrash, CheckStatus::kCrash, "N-CRASH", "signal 11");
}

TEST_F(JudgeChild, ThatDoesNotReturnIsStopped) {
  expect(Deed::kLoop, CheckStatus::kTimeout, "N-TIME", "200 ms of CPU time");
  expect(Deed::kSleep, CheckStatus::kTimeout, "N-TIME", "without an answer");
  expect(Deed::kStop, CheckStatus::kTimeout, "N-TIME", "without an answer");
}

TEST(WallLimit, IsLongerForWhoeverIsShortOfACore) {
  EXPECT_EQ(wall_limit(kWait, 0ms), kShort.wall) << "it sleeps";
  EXPECT_EQ(wall_limit(kWait, kShort.cpu / 21), kShort.wall);
  EXPECT_EQ(wall_limit(kWait, kShort.cpu / 20), 3 * kShort.wall) << "it works";
}

TEST_F(JudgeChild, ThatFloodsItsOutputIsStoppedInTime) {
  const auto start = steady_clock::now();
  EXPECT_EQ(failure_of<&act>(Deed::kFlood).code, "N-TIME");
  EXPECT_LT(steady_clock::now() - start, 10s);
  EXPECT_LE(submission().take_output().size(), kKeptOutput);
}

TEST_F(JudgeChild, ThatTakesTooMuchMemoryIsTold) {
  expect(Deed::kAllocate, CheckStatus::kCrash, "N-MEMORY", "MiB of memory");
}

TEST_F(JudgeChild, ThatHasNoLimitOnAddressSpaceIsWatched) {
  constexpr Limits kSmall{.cpu = 10s, .memory_bytes = std::size_t{64} << 20};
  set_submission({TRIAL_CHILD, /*sanitized=*/true, 0x5eed, kSmall});
  expect(Deed::kAllocate, CheckStatus::kCrash, "N-MEMORY", "64 MiB of memory");
}

TEST_F(JudgeChild, ThatTouchesTheSocketBreaksARule) {
  expect(Deed::kSendJunk, CheckStatus::kRule, "N-PROTOCOL", "socket");
  expect(Deed::kSendNothing, CheckStatus::kRule, "N-PROTOCOL", "socket");
  expect(Deed::kHangUp, CheckStatus::kRule, "N-PROTOCOL", "socket");
}

TEST_F(JudgeChild, ThatClosesEverythingLosesThisCallOnly) {
  EXPECT_FALSE(failure_of<&act>(Deed::kCloseAll).message.empty());
  EXPECT_EQ(call<&half>(1.0f), 0.5f);
}

TEST_F(JudgeChild, MayLeaveNothingRunning) {
  try {
    call<&act>(Deed::kFork);
    failure_of<&act>(Deed::kExit);
  } catch (const CallFailed&) {
  }
  EXPECT_EQ(call<&half>(1.0f), 0.5f);
}

// --- Memory --------------------------------------------------------------------------------------

TEST_F(JudgeChild, ThatWritesPastAnOutputIsToldWhere) {
  expect(Filling::kPastTheEnd, CheckStatus::kCrash, "N-OOB",
         "element 64 of the output (argument 2)");
}

TEST_F(JudgeChild, ThatWritesBeforeAnOutputIsTold) {
  expect(Filling::kBeforeTheStart, CheckStatus::kCrash, "N-OOB", "before the first element");
}

TEST_F(JudgeChild, ThatReadsPastAnInputIsToldWhere) {
  expect(Filling::kFromPastInput, CheckStatus::kCrash, "N-OOB", "element 64 of argument 1");
}

#ifdef __x86_64__
TEST_F(JudgeChild, ThatWritesToAnInputIsTold) {
  expect(Filling::kIntoInput, CheckStatus::kCrash, "N-INPUT", "inputs are read-only");
}
#endif

TEST_F(JudgeChild, ThatLeavesAnOutputUnwrittenIsToldFromWhere) {
  expect(Filling::kNothing, CheckStatus::kFail, "N-UNWRITTEN",
         "nothing of the output (argument 2), which has 64 elements, was written");
  expect(Filling::kHalf, CheckStatus::kFail, "N-UNWRITTEN",
         "nothing from element 32 on of the output (argument 2), which has 64 elements");
  expect(Filling::kWithAHole, CheckStatus::kFail, "N-UNWRITTEN",
         "element 8 of the output (argument 2), which has 64 elements, was never written");
}

TEST_F(JudgeChild, ThatAnswersTooMuchToAskAgainIsNoFaultOfTheKit) {
  const std::vector<float> huge((std::size_t{64} << 20) / 4 + 1);
  const Failure failure = failure_of<&twice>(huge);
  EXPECT_EQ(failure.code, "N-SIZE");
  EXPECT_EQ(call<&half>(1.0f), 0.5f);
}

// --- Output and time of a whole check ------------------------------------------------------------

TEST_F(JudgeChild, MayPrintAndIsHeardOnce) {
  call<&act>(Deed::kPrint);
  EXPECT_EQ(submission().take_output(), "?[31mred\n") << "it cannot repaint a screen";
  EXPECT_EQ(submission().take_output(), "");
}

TEST_F(JudgeChild, SaysNothingThatIsNoText) {
  const std::string thrown = failure_of<&act>(Deed::kThrowBytes).message;
  EXPECT_EQ(thrown, text::harmless(thrown));
  EXPECT_NE(thrown.find("exception: ?"), std::string::npos);
  submission().take_output();
  call<&act>(Deed::kPrintBytes);
  const std::string printed = submission().take_output();
  EXPECT_EQ(printed, text::harmless(printed));
  EXPECT_NE(printed.find("?(?"), std::string::npos) << printed;
}

TEST_F(JudgeChild, ThatStartsOftenKeepsNoMoreOutput) {
  for (int i = 0; i < 4; ++i) failure_of<&act>(Deed::kFlood);
  EXPECT_LE(submission().take_output().size(), kKeptOutput);
}

TEST_F(JudgeChild, HasABudgetForAllCallsOfACheck) {
  set_submission({TRIAL_CHILD, false, 0, {.cpu = 400ms, .check = 300ms}});
  usleep(350'000);  // what others do meanwhile is not charged
  EXPECT_EQ(call<&half>(1.0f), 0.5f);
  failure_of<&act>(Deed::kLoop);
  const Failure failure = failure_of<&half>(1.0f);
  EXPECT_EQ(failure.code, "N-TIME");
  EXPECT_NE(failure.message.find("together"), std::string::npos) << failure.message;
  submission().begin_check();
  EXPECT_EQ(call<&half>(1.0f), 0.5f);
}

TEST_F(JudgeChild, HasABudgetAsAWhole) {
  begin_budget({.whole = 60s, .left = 500ms});
  const auto start = steady_clock::now();
  const Failure failure = failure_of<&act>(Deed::kSleep);
  EXPECT_LT(steady_clock::now() - start, kShort.wall);
  EXPECT_EQ(name_of(failure.status), name_of(CheckStatus::kTimeout));
  EXPECT_NE(failure.message.find("the 60.0 s that a submission has"), std::string::npos);
  EXPECT_NE(failure.message.find("59.5 s before these checks began, 0.5 s in them, most of all"),
            std::string::npos)
      << failure.message;
  EXPECT_NE(failure.message.find("in JudgeChild.HasABudgetAsAWhole"), std::string::npos);
  EXPECT_EQ(failure_of<&half>(1.0f).code, "N-TIME") << "nothing is asked any more";
  begin_budget({});
  EXPECT_EQ(call<&half>(1.0f), 0.5f);
}

TEST_F(JudgeChild, IsNotChargedForThePublishedSolution) {
  set_published_solution({TRIAL_CHILD, false, 0, {.cpu = 200ms, .check = 1ms}});
  begin_budget({.whole = 60s, .left = 500ms});
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(detail::Caller<&act>::call(published_solution(), Deed::kLoop), CallFailed);
  }
  EXPECT_FALSE(budget_is_used_up());
  EXPECT_EQ(call<&half>(1.0f), 0.5f);
  begin_budget({});
}

TEST(JudgeSubmission, OfAFileThatIsNoProgramIsAFaultOfTheKit) {
  set_submission({"/nonexistent", false, 0, kShort});
  EXPECT_THROW(call<&half>(1.0f), KitError);
  set_submission({"/dev/null", false, 0, kShort});
  EXPECT_THROW(call<&half>(1.0f), KitError);
}

#ifdef __linux__
TEST(JudgeChildOfRoot, IsAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a child another user";
  Submission trial({TRIAL_CHILD, false, 0, kShort});
  set_submission({TRIAL_CHILD, false, 0, kShort});
  call<&half>(1.0f);
  std::ifstream status("/proc/" + std::to_string(children().at(0)) + "/status");
  const std::string text{std::istreambuf_iterator<char>(status), {}};
  EXPECT_EQ(text.find("Uid:\t0"), std::string::npos) << text;
  set_submission({TRIAL_CHILD, false, 0, kShort});
}
#endif

}  // namespace
}  // namespace nibble::judge
