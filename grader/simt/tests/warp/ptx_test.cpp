// What ptx.cu says in PTX: the CUDA function's result, and the findings and counts of the CUDA
// words of the same effect, at the line of the instruction.
#include "run.hpp"

namespace nibble::simt::tests {
namespace {

extern "C" {
void special_registers(unsigned* out);
void warp_instructions(unsigned* out);
void integers(unsigned a, unsigned b, unsigned c, unsigned* out);
void conversions(float x, unsigned* out);
void mma_beside_its_wrapper(const unsigned* a, const unsigned* b, unsigned* out);
void ldmatrix_beside_its_wrapper(const unsigned* x, unsigned* out);
void ldmatrix_beyond_the_end(unsigned* out);
void copies(const int* x, int* y, int forget);
void through_shared(const float* x, float* y);
void wrong_accesses(const unsigned* x, unsigned* y, int which);
void handed_on(int* y, int forget);
void told_on(int* y);
void waits_for_too_many(int* y);
void waits_for_half_a_warp(int* y);
}

void expect_pairs(Device& device, unsigned* out, std::size_t pairs) {
  const std::vector<unsigned> got = device.take(out, 2 * pairs);
  EXPECT_TRUE(is_clean(device.end()));
  for (std::size_t i = 0; i < pairs; i++) EXPECT_EQ(got[2 * i], got[2 * i + 1]) << "pair " << i;
}

std::vector<unsigned> some_words(std::size_t count) {
  std::vector<unsigned> words(count);
  unsigned state = 1;
  for (unsigned& word : words) word = (state = state * 1664525 + 1013904223) & 0x3f3f3f3f;
  return words;
}

TEST(Ptx, GivesSpecialRegisters) {
  Device device;
  unsigned* const out = device.room<unsigned>(std::size_t{64} * 16, "out");
  device.launch(special_registers, dim3(16, 4), out);
  expect_pairs(device, out, std::size_t{64} * 8);
}

TEST(Ptx, GivesWhatTheWarpsFunctionsGive) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    unsigned* const out = device.room<unsigned>(std::size_t{32} * 24, "out");
    device.launch(warp_instructions, 32, out);
    expect_pairs(device, out, std::size_t{32} * 12);
  });
}

TEST(Ptx, GivesIntegers) {
  for (const unsigned a : {0u, 1u, 0x80000000u, 0xdeadbeefu, 0x7f80ff01u}) {
    Device device;
    unsigned* const out = device.room<unsigned>(40, "out");
    device.launch(integers, 1, a, 0x8badf00du, 0x00012345u, out);
    expect_pairs(device, out, 20);
  }
}

TEST(Ptx, GivesConversions) {
  for (const float x : {0.0f, 0.5f, 1.5f, -2.5f, 126.5f, 127.5f, -128.5f, 300.0f, 1e20f, -1e20f}) {
    Device device;
    unsigned* const out = device.room<unsigned>(14, "out");
    device.launch(conversions, 1, x, out);
    expect_pairs(device, out, 7);
  }
}

TEST(Ptx, MultipliesAsTheWrappersDo) {
  Device device;
  unsigned* const out = device.room<unsigned>(std::size_t{32} * 24, "out");
  device.launch(mma_beside_its_wrapper, 32, device.give(some_words(128), "a"),
                device.give(some_words(64), "b"), out);
  expect_pairs(device, out, std::size_t{32} * 12);
}

TEST(Ptx, GivesBlocksAsTheWrappersDo) {
  Device device;
  unsigned* const out = device.room<unsigned>(256, "out");
  device.launch(ldmatrix_beside_its_wrapper, 32, device.give(some_words(128), "x"), out);
  expect_pairs(device, out, 128);
}

TEST(Ptx, LdmatrixBeyondTheEndIsFound) {
  Device device;
  device.launch(ldmatrix_beyond_the_end, 32, device.room<unsigned>(32, "out"));
  const EngineFinding* const finding =
      only_finding(device.end(), Kind::kSharedOob, "ptx.cu", "finding: beyond the end");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(std::string(finding->subject).substr(0, 4), "tile");
}

std::vector<int> counted(int count) {
  std::vector<int> values;
  for (int i = 0; i < count; i++) values.push_back(i);
  return values;
}

TEST(Ptx, CopiesLandAtTheirWait) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    int* const y = device.room<int>(32, "y");
    device.launch(copies, 32, device.give(counted(128), "x"), y, 0);
    const std::vector<int> got = device.take(y, 32);
    EXPECT_TRUE(is_clean(device.end()));
    for (int i = 0; i < 32; i++) EXPECT_EQ(got[static_cast<std::size_t>(i)], 127 - i);
  });
}

TEST(Ptx, ACopyWithoutItsWaitIsFound) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    device.launch(copies, 32, device.give(counted(128), "x"), device.room<int>(32, "y"), 1);
    only_finding(device.end(), Kind::kMissingWait, "ptx.cu", "finding: too early");
  });
}

TEST(Ptx, ACopyWithoutABarrierIsFound) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    device.launch(copies, 32, device.give(counted(128), "x"), device.room<int>(32, "y"), 2);
    const Report& report = device.end();
    bool found = false;
    for (std::uint32_t i = 0; i < report.findings; i++) {
      const Kind kind = report.finding[i].kind;
      found |= kind == Kind::kMissingSyncwarp || kind == Kind::kMissingWait;
    }
    EXPECT_TRUE(found);
  });
}

std::vector<float> numbers(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; i++) values[i] = static_cast<float>(i) + 0.25f;
  return values;
}

TEST(Ptx, HoldsItsValuesInSharedMemory) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    float* const y = device.room<float>(128, "y");
    device.launch(through_shared, 32, device.give(numbers(128), "x"), y);
    const std::vector<float> got = device.take(y, 128), x = numbers(128);
    EXPECT_TRUE(is_clean(device.end()));
    for (std::size_t i = 0; i < 128; i++) EXPECT_EQ(got[i], x[i ^ 4]) << i;
  });
}

TEST(Ptx, AsksForMemoryOnce) {
  SessionOptions options;
  options.counters = true;
  Device device(options);
  device.launch(through_shared, 32, device.give(numbers(128), "x"), device.room<float>(128, "y"));
  const Report& report = device.end();
  const Asked load = asked_at(report, "ptx.cu", "traffic: load", Space::kGlobal, Use::kLoad, 16);
  EXPECT_EQ(load.requests, 1u);
  EXPECT_EQ(load.sectors, 16u);
  const Asked store = asked_at(report, "ptx.cu", "traffic: store", Space::kGlobal, Use::kStore, 16);
  EXPECT_EQ(store.requests, 1u);
  EXPECT_EQ(store.sectors, 16u);
}

struct Wrong {
  int which;
  Kind kind;
  const char* mark;
};

TEST(Ptx, WrongAccessesAreFound) {
  for (const Wrong& wrong : {Wrong{0, Kind::kSharedOob, "finding: store beyond"},
                             Wrong{1, Kind::kSharedUninitialised, "finding: unwritten"},
                             Wrong{2, Kind::kSharedOob, "finding: no shared memory"},
                             Wrong{3, Kind::kGlobalOob, "finding: load beyond"},
                             Wrong{4, Kind::kGlobalOob, "finding: not global"},
                             Wrong{5, Kind::kMisaligned, "finding: misaligned"},
                             Wrong{6, Kind::kMissingSyncwarp, "finding: race"}}) {
    under_every_schedule([&](const SessionOptions& options) {
      Device device(options);
      device.launch(wrong_accesses, 32, device.give(some_words(32), "x"),
                    device.room<unsigned>(32, "y"), wrong.which);
      only_finding(device.end(), wrong.kind, "ptx.cu", wrong.mark);
    });
  }
}

// ---- barriers with a number

TEST(Ptx, HoldsForBarriersOfSomeThreads) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    int* const y = device.room<int>(192, "y");
    device.launch(handed_on, 128, y, 0);
    int* const told = device.room<int>(32, "told");
    device.launch(told_on, 96, told);
    const std::vector<int> got = device.take(y, 192), heard = device.take(told, 32);
    EXPECT_TRUE(is_clean(device.end()));
    for (int i = 0; i < 192; i++) {
      EXPECT_EQ(got[static_cast<std::size_t>(i)], 63 - i % 64 + i / 64) << i;
    }
    for (int i = 0; i < 32; i++) EXPECT_EQ(heard[static_cast<std::size_t>(i)], 31 - i) << i;
  });
}

// A thread of another warp that reads what was not handed to it, or writes what others still read.
TEST(Ptx, ABarrierThatIsMissingIsARace) {
  under_every_schedule([](const SessionOptions& options) {
    for (const int forget : {1, 2}) {
      Device device(options);
      device.launch(handed_on, 128, device.room<int>(192, "y"), forget);
      const Report& report = device.end();
      bool found = false;
      for (std::uint32_t i = 0; i < report.findings; i++) {
        const Kind kind = report.finding[i].kind;
        found |= kind == Kind::kSharedRace || kind == Kind::kSharedUninitialised;
      }
      EXPECT_TRUE(found) << "forget " << forget;
    }
  });
}

// Who passes a second time before the others have come.
TEST(Ptx, ABarrierThatIsPassedTwiceIsFound) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    device.launch(handed_on, 128, device.room<int>(192, "y"), 4);
    EXPECT_TRUE(
        has(device.end(), Kind::kBarrierDivergence, "ptx.cu", "finding: waits for one turn"));
  });
}

TEST(Ptx, ABarrierThatNobodyFillsIsFound) {
  under_every_schedule([](const SessionOptions& options) {
    Device device(options);
    device.launch(waits_for_too_many, 64, device.room<int>(64, "y"));
    const EngineFinding* finding =
        only_finding(device.end(), Kind::kBarrierDivergence, "ptx.cu", "finding: too many");
    ASSERT_NE(finding, nullptr);
    EXPECT_STREQ(finding->detail, "barrier 3 is for 64 threads, and 32 have come");

    Device half(options);
    half.launch(waits_for_half_a_warp, 64, half.room<int>(64, "y"));
    finding = only_finding(half.end(), Kind::kBarrierDivergence, "ptx.cu", "finding: half a warp");
    ASSERT_NE(finding, nullptr);
    EXPECT_STREQ(finding->detail, "a barrier is for whole warps, and 48 is no multiple of 32");
  });
}

}  // namespace
}  // namespace nibble::simt::tests
