// The runner's loop in this process: requests in, answers out, exceptions become statuses.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

#include "arena_memory.hpp"
#include "protocol/message.hpp"
#include "protocol/pack.hpp"
#include "runner/crash_note.hpp"
#include "runner/loop.hpp"
#include "trial.hpp"

namespace nibble::runner {
namespace {

using protocol::Answer;
using protocol::ArenaMemory;
using protocol::CrashNote;
using protocol::Request;
using protocol::Status;

class Runner : public testing::Test {
 protected:
  Runner() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends_.data()), 0);
    serving_ = std::thread([this] { serve_requests(ends_[1], in_.data(), out_.data()); });
  }
  ~Runner() override {
    close(ends_[0]);
    serving_.join();
    close(ends_[1]);
  }

  Answer ask(std::uint32_t function) {
    const Request request{++nonce_, function};
    EXPECT_EQ(send(ends_[0], &request, sizeof request, 0), ssize_t{sizeof request});
    Answer answer{};
    EXPECT_EQ(recv(ends_[0], &answer, sizeof answer, 0), ssize_t{sizeof answer});
    EXPECT_EQ(answer.nonce, nonce_) << "an answer carries the nonce of its request";
    return answer;
  }

  template <auto Function, class... Arguments>
  Answer call(const Arguments&... arguments) {
    protocol::Packer writer(in_.data());
    (writer.put(arguments), ...);
    return ask(static_cast<std::uint32_t>(Exercises::index_of<Function>()));
  }

  template <class T>
  T result() {
    return protocol::Unpacker(out_.data(), out_.data()).get<T>();
  }

  ArenaMemory in_, out_;

 private:
  std::array<int, 2> ends_{};
  std::thread serving_;
  std::uint64_t nonce_ = 0;
};

TEST_F(Runner, CallsAFunctionAndWritesItsResult) {
  EXPECT_EQ(call<&half>(3.0f).status, Status::kReturned);
  EXPECT_EQ(result<float>(), 1.5f);
}

TEST_F(Runner, TakesStructsAndStrings) {
  const Tensor tensor{{1, 2}, 0.5f, "t", {1, 2, 3}, false};
  EXPECT_EQ(call<&describe>(tensor, std::int64_t{3}).status, Status::kReturned);
  const auto got = result<Tensor>();
  EXPECT_EQ(got.q, (std::vector<std::int8_t>{4, 5}));
  EXPECT_EQ(got.name, "t!");
  EXPECT_EQ(got.shape[0], 3);
  EXPECT_TRUE(got.exact);
}

TEST_F(Runner, GivesOutputsThatTheFunctionFills) {
  const std::vector<float> x{1, 2};
  EXPECT_EQ(call<&fill>(x, std::uint64_t{2}, Filling::kWhole).status, Status::kReturned);
  EXPECT_EQ(result<std::vector<float>>(), (std::vector<float>{2, 3}));
}

TEST_F(Runner, AnExceptionBecomesAStatusAndItsText) {
  const auto status_of = [&](Deed deed) { return call<&act>(deed).status; };
  EXPECT_EQ(status_of(Deed::kReturn), Status::kReturned);
  EXPECT_EQ(status_of(Deed::kTodo), Status::kNotImplemented);
  EXPECT_EQ(status_of(Deed::kRefuse), Status::kInvalidArgument);
  EXPECT_EQ(status_of(Deed::kBadAlloc), Status::kOutOfMemory);
  EXPECT_EQ(status_of(Deed::kLengthError), Status::kOtherException);
  EXPECT_EQ(status_of(Deed::kThrowInt), Status::kOtherException);
  EXPECT_STREQ(call<&act>(Deed::kRefuse).text, "expected a deed");
}

TEST_F(Runner, AResultThatFitsNoSlotIsAStatus) {
  const std::string name(protocol::kSlotBytes, 'x');  // "hello " makes it too long
  EXPECT_EQ(call<&greet>(name).status, Status::kResultTooLarge);
}

TEST_F(Runner, AnUnknownFunctionIsAnsweredAndNotCalled) {
  EXPECT_EQ(ask(protocol::kAreYouThere).status, Status::kReturned);
  EXPECT_EQ(ask(static_cast<std::uint32_t>(Exercises::size)).status, Status::kReturned);
}

TEST(RunnerLoop, EndsAtARequestOfAnotherSize) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
  ASSERT_EQ(send(ends[0], "x", 1, 0), 1);
  serve_requests(ends[1], nullptr, nullptr);  // returns
  for (const int fd : ends) close(fd);
}

// --- Notes about crashes: in a forked process, whose arenas are shared with this one -------------

class SharedMemory {
 public:
  SharedMemory()
      : data_(static_cast<std::byte*>(mmap(nullptr, protocol::kArenaBytes, PROT_READ | PROT_WRITE,
                                           MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {}
  ~SharedMemory() { munmap(data_, protocol::kArenaBytes); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::byte* data_;
};

/// Crashes in `how`; the note, and the signal that ended the process.
template <class How>
std::pair<CrashNote, int> note_of(const SharedMemory& in, const SharedMemory& out, How how) {
  const pid_t pid = fork();
  if (pid == 0) {
    note_crashes(in.data(), out.data());
    how();
    _exit(0);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  CrashNote note{};
  std::memcpy(&note, out.data() + protocol::kNoteOffset, sizeof note);
  return {note, WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

TEST(CrashNotes, NameTheArenaAndTheOffset) {
  const SharedMemory in, out;
  const std::size_t at = protocol::slot_end(2) + 12;
  const auto [note, signal] = note_of(in, out, [&] {
    mprotect(in.data() + protocol::slot_end(2), protocol::kGuardBytes, PROT_NONE);
    in.data()[at] = std::byte{1};
  });
  EXPECT_EQ(signal, SIGSEGV);
  EXPECT_EQ(note.magic, CrashNote::kMagic);
  EXPECT_EQ(note.place, CrashNote::kInput);
  EXPECT_EQ(note.offset, at);
#ifdef __x86_64__
  EXPECT_EQ(note.was_write, 1u);
#endif
}

TEST(CrashNotes, KnowAnOutputFromAnInput) {
  const SharedMemory in, out;
  const auto [note, signal] = note_of(in, out, [&] {
    mprotect(out.data() + protocol::slot_end(0), protocol::kGuardBytes, PROT_NONE);
    const volatile std::byte* const behind = out.data() + protocol::slot_end(0);
    (void)*behind;
  });
  EXPECT_EQ(signal, SIGSEGV);
  EXPECT_EQ(note.place, CrashNote::kOutput);
#ifdef __x86_64__
  EXPECT_EQ(note.was_write, 0u);
#endif
}

TEST(CrashNotes, AreLeftForOtherSignalsToo) {
  const SharedMemory in, out;
  const auto [note, signal] = note_of(in, out, [] { abort(); });
  EXPECT_EQ(signal, SIGABRT);
  EXPECT_EQ(note.signal, static_cast<std::uint32_t>(SIGABRT));
  EXPECT_EQ(note.place, CrashNote::kElsewhere);
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
TEST(CrashNotes, KnowWhenTheStackRanOut) {
  const SharedMemory in, out;
  const auto [note, signal] = note_of(in, out, [] { act(Deed::kRecurse); });
  EXPECT_EQ(signal, SIGSEGV);
  EXPECT_EQ(note.place, CrashNote::kStack);
}
#endif

}  // namespace
}  // namespace nibble::runner
