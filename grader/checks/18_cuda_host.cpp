// Lab 18: the checks.
//
// What the engine finds, and how many calls it saw, is a claim here: host code shares its process.
// It is worth the points of RunsClean and EveryErrorComesBack, and no values depend on it.
#include "cuda_host.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "checks/marks/18_cuda_host.hpp"
#include "judge/cases.hpp"
#include "judge/host_code.hpp"
#include "judge/mix.hpp"
#include "judge/run.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge {
namespace {

using Reals = std::vector<float>;
using Codes = std::vector<std::int8_t>;
using Counts = std::vector<std::int32_t>;

/// Where a value is wrong it may be what lay there before:
/// a few bytes of that look like any answer.
constexpr int kRepeats = 3;

// --- What is right -------------------------------------------------------------------------------

std::int8_t code_of(float x, float scale) {
  return static_cast<std::int8_t>(std::fmin(127.0f, std::fmax(-128.0f, std::nearbyint(x / scale))));
}

Codes quantized(const Reals& x, float scale) {
  Codes q;
  for (const float value : x) q.push_back(code_of(value, scale));
  return q;
}

Counts counted_codes(const Codes& q) {
  Counts counts(256);
  for (const std::int8_t code : q) ++counts[static_cast<std::size_t>(code + 128)];
  return counts;
}

float scale_of(const Reals& x) {
  const float absmax = max_abs(x);
  return absmax > 0.0f ? absmax / 127.0f : 1.0f;
}

/// A grid of 0 blocks is what comes to mind where there is nothing to do.
template <class Answer>
void did_nothing(const Answer& answer, Expect& expect) {
  expect.that(answer.error == 0,
              "returns " + detail::name_of_error(answer.error) +
                  " for an empty input: it is to do"
                  " nothing, and to return 0",
              "N-LAUNCH");
}

/// Both streams of a right solution are busy; one after the other would be as right,
/// and as slow as one.
bool uses_both_streams(const HostWork& work, Expect& expect) {
  return expect.that(
      work.streams >= 2,
      "the streams never have work waiting at the same time: one waits for the other", "N-SERIAL");
}

// --- copy_through_device -------------------------------------------------------------------------

struct CopyCase {
  std::string name;
  Reals x;
};

std::string show(const CopyCase& c) { return "x = " + show_values(c.x); }

std::vector<CopyCase> smaller(const CopyCase& c) {
  const std::size_t n = c.x.size();
  std::vector<CopyCase> all;
  if (n > 1) all.push_back({std::to_string(n / 2), Reals(c.x.begin(), c.x.begin() + n / 2)});
  if (n > 1) all.push_back({std::to_string(n - 1), Reals(c.x.begin(), c.x.end() - 1)});
  return all;
}

std::vector<CopyCase> copies(const std::vector<std::size_t>& sizes, std::uint64_t salt) {
  std::vector<CopyCase> cases;
  for (const std::size_t n : sizes) {
    cases.push_back({std::to_string(n), normal_tensor(n, mix(salt, n), 2.0f)});
  }
  return cases;
}

template <class Ask>
void is_copied(const CopyCase& c, Expect& expect, const Ask& ask) {
  for (int i = 0; i < kRepeats; ++i) {
    const auto answer = ask();
    if (c.x.empty()) return did_nothing(answer, expect);
    if (!succeeded(answer, 0, expect)) return;
    if (!expect.equal("y", answer.output(), c.x)) return;
  }
}

// Nothing; one; what a fence is long; more than a megabyte.
TEST(copy_through_device, EverySize) {
  each_case(copies({0, 1, 2, 3, 63, 64, 65, 1000, 300007}, seed(0)), [](const CopyCase& c,
                                                                        Expect& expect) {
    is_copied(c, expect, [&] { return asked<&copy_through_device>(c.x, out(c.x.size())); });
  });
}

TEST(copy_through_device, RunsClean) {
  each_case(copies({0, 1, 7, 100}, seed(1)), [](const CopyCase& c, Expect& expect) {
    unsigned calls = 0;
    is_copied(c, expect, [&] {
      const auto answer = watched_host<&copy_through_device>(c.x, out(c.x.size()));
      calls = answer.work.calls;
      return answer;
    });
    expect.that(
        c.x.empty() || calls >= 5,
        "makes " + std::to_string(calls) + " CUDA calls: two buffers and three copies are 5",
        "N-ELSEWHERE");
  });
}

TEST(copy_through_device, EveryErrorComesBack) {
  each_case(copies({5}, seed(2)), [](const CopyCase& c, Expect& expect) {
    every_error_comes_back<&copy_through_device>(expect, c.x, out(c.x.size()));
  });
}

// --- quantize_on_device --------------------------------------------------------------------------

struct QuantizeCase {
  std::string name;
  Reals x;
  float scale;
  int block_size;
};

std::string show(const QuantizeCase& c) {
  return "x = " + show_values(c.x) + ", scale = " + show_value(c.scale) +
         ", block_size = " + std::to_string(c.block_size);
}

struct Blocks {
  std::size_t n;
  int block_size;
};

std::vector<QuantizeCase> in_blocks(const std::vector<Blocks>& sizes, std::uint64_t salt) {
  std::vector<QuantizeCase> cases;
  for (const auto& [n, block_size] : sizes) {
    const std::uint64_t own = mix(salt, cases.size());
    cases.push_back({std::to_string(n) + "by" + std::to_string(block_size),
                     normal_tensor(n, own, 20.0f), uniform_tensor(1, own, 0.25f, 1.0f)[0],
                     block_size});
  }
  return cases;
}

template <class Ask>
void is_quantized(const QuantizeCase& c, Expect& expect, const Ask& ask) {
  const Codes want = quantized(c.x, c.scale);
  for (int i = 0; i < kRepeats; ++i) {
    const auto answer = ask();
    if (c.x.empty()) return did_nothing(answer, expect);
    if (!succeeded(answer, 1, expect)) return;
    if (!expect.equal("q", answer.output(), want)) return;
  }
}

// Nothing; one less than, as many as, one more than a block; blocks of one thread, of no whole
// warp, of the most threads; many blocks.
TEST(quantize_on_device, EverySize) {
  each_case(in_blocks({{0, 256},
                       {1, 256},
                       {1, 1},
                       {10, 4},
                       {255, 256},
                       {256, 256},
                       {257, 256},
                       {100, 33},
                       {2049, 1024},
                       {70000, 128}},
                      seed(0)),
            [](const QuantizeCase& c, Expect& expect) {
              is_quantized(c, expect, [&] {
                return asked<&quantize_on_device>(c.x, out(c.x.size()), c.scale, c.block_size);
              });
            });
}

// CUDA's own answer to it: cudaErrorInvalidConfiguration.
TEST(quantize_on_device, RefusedLaunchComesBack) {
  constexpr int kInvalidConfiguration = 9;
  each_case(in_blocks({{3000, 1025}, {100, 2048}}, seed(1)),
            [](const QuantizeCase& c, Expect& expect) {
              const auto answer =
                  watched_host<&quantize_on_device>(c.x, out(c.x.size()), c.scale, c.block_size);
              expect.equal("the error", answer.error, kInvalidConfiguration);
            });
}

TEST(quantize_on_device, RunsClean) {
  each_case(in_blocks({{0, 32}, {1, 32}, {100, 32}, {257, 256}}, seed(2)), [](const QuantizeCase& c,
                                                                              Expect& expect) {
    is_quantized(c, expect, [&] {
      return watched_host<&quantize_on_device>(c.x, out(c.x.size()), c.scale, c.block_size);
    });
  });
}

TEST(quantize_on_device, EveryErrorComesBack) {
  each_case(in_blocks({{70, 32}}, seed(3)), [](const QuantizeCase& c, Expect& expect) {
    every_error_comes_back<&quantize_on_device>(expect, c.x, out(c.x.size()), c.scale,
                                                c.block_size);
  });
}

// --- count_codes ---------------------------------------------------------------------------------

struct CountCase {
  std::string name;
  Codes q;
};

std::string show(const CountCase& c) { return "q = " + show_values(c.q); }

std::vector<CountCase> smaller(const CountCase& c) {
  const std::size_t n = c.q.size();
  std::vector<CountCase> all;
  if (n > 1) all.push_back({std::to_string(n / 2), Codes(c.q.begin(), c.q.begin() + n / 2)});
  return all;
}

std::vector<CountCase> code_lists(const std::vector<std::size_t>& sizes, std::uint64_t salt) {
  std::vector<CountCase> cases;
  for (const std::size_t n : sizes) {
    cases.push_back({std::to_string(n), code_tensor<std::int8_t>(n, mix(salt, n), -128, 127)});
  }
  return cases;
}

/// Some codes have been counted, none too often, and others not.
bool is_part_of(const Counts& got, const Counts& want) {
  std::int64_t counted = 0, missing = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (got[i] < 0 || got[i] > want[i]) return false;
    counted += got[i];
    missing += want[i] - got[i];
  }
  return counted > 0 && missing > 0;
}

template <class Ask>
void is_counted(const CountCase& c, Expect& expect, const Ask& ask) {
  const Counts want = counted_codes(c.q);
  for (int i = 0; i < kRepeats; ++i) {
    const auto answer = ask();
    if (!succeeded(answer, c.q.empty() ? 0 : 1, expect)) return;
    expect.that(!is_part_of(answer.output(), want),
                "some codes are not counted, and none too often", "N-TAIL");
    if (!expect.equal("counts", answer.output(), want)) return;
  }
}

// Nothing; one; around the sizes of blocks; enough for every code to occur.
TEST(count_codes, EverySize) {
  each_case(code_lists({0, 1, 31, 255, 256, 257, 1023, 1025, 50021}, seed(0)),
            [](const CountCase& c, Expect& expect) {
              is_counted(c, expect, [&] { return asked<&count_codes>(c.q, out(256)); });
            });
}

TEST(count_codes, RunsClean) {
  each_case(code_lists({0, 1, 300}, seed(1)), [](const CountCase& c, Expect& expect) {
    is_counted(c, expect, [&] { return watched_host<&count_codes>(c.q, out(256)); });
  });
}

TEST(count_codes, EveryErrorComesBack) {
  each_case(code_lists({40}, seed(2)), [](const CountCase& c, Expect& expect) {
    every_error_comes_back<&count_codes>(expect, c.q, out(256));
  });
}

// --- quantize_in_chunks --------------------------------------------------------------------------

struct ChunkCase {
  std::string name;
  Reals x;
  float scale;
  std::int64_t chunk;
};

std::string show(const ChunkCase& c) {
  return "x = " + show_values(c.x) + ", scale = " + show_value(c.scale) +
         ", chunk = " + std::to_string(c.chunk);
}

struct Chunks {
  std::size_t n;
  std::int64_t chunk;
};

std::vector<ChunkCase> in_chunks(const std::vector<Chunks>& sizes, std::uint64_t salt) {
  std::vector<ChunkCase> cases;
  for (const auto& [n, chunk] : sizes) {
    const std::uint64_t own = mix(salt, cases.size());
    cases.push_back({std::to_string(n) + "by" + std::to_string(chunk), normal_tensor(n, own, 20.0f),
                     uniform_tensor(1, own, 0.25f, 1.0f)[0], chunk});
  }
  return cases;
}

/// Asked four times, two streams have met in each of the four orders.
constexpr int kOrders = 4;

template <class Ask>
void is_quantized(const ChunkCase& c, Expect& expect, const Ask& ask) {
  const Codes want = quantized(c.x, c.scale);
  for (int i = 0; i < kOrders; ++i) {
    const auto answer = ask();
    if (c.x.empty()) return did_nothing(answer, expect);
    if (!succeeded(answer, 1, expect)) return;
    if (!expect.equal("q", answer.output(), want)) return;
  }
}

void in_every_order(const ChunkCase& c, Expect& expect) {
  is_quantized(c, expect,
               [&] { return asked<&quantize_in_chunks>(c.x, out(c.x.size()), c.scale, c.chunk); });
}

// Whole chunks: one, one for each stream, the first that comes back to a stream, many.
TEST(quantize_in_chunks, EveryOrderOfStreams) {
  each_case(in_chunks({{64, 64}, {128, 64}, {192, 64}, {256, 64}, {90, 9}, {4000, 500}}, seed(0)),
            in_every_order);
}

// Nothing; one; fewer than a chunk; a last chunk of one, of all but one; chunks of one; chunks
// larger than a block.
TEST(quantize_in_chunks, EverySize) {
  each_case(in_chunks({{0, 8},
                       {1, 8},
                       {7, 8},
                       {9, 8},
                       {15, 8},
                       {17, 8},
                       {5, 1},
                       {1000, 300},
                       {1201, 300},
                       {20000, 7001}},
                      seed(1)),
            in_every_order);
}

TEST(quantize_in_chunks, RunsClean) {
  each_case(in_chunks({{0, 8}, {5, 8}, {20, 8}, {50, 9}, {700, 300}}, seed(2)),
            [](const ChunkCase& c, Expect& expect) {
              HostWork work;
              is_quantized(c, expect, [&] {
                const auto answer =
                    watched_host<&quantize_in_chunks>(c.x, out(c.x.size()), c.scale, c.chunk);
                work = answer.work;
                return answer;
              });
              if (std::ssize(c.x) > c.chunk) uses_both_streams(work, expect);
            });
}

TEST(quantize_in_chunks, EveryErrorComesBack) {
  each_case(in_chunks({{20, 8}}, seed(3)), [](const ChunkCase& c, Expect& expect) {
    every_error_comes_back<&quantize_in_chunks>(expect, c.x, out(c.x.size()), c.scale, c.chunk);
  });
}

// --- quantize_with_own_scale ---------------------------------------------------------------------

struct OwnScaleCase {
  std::string name;
  Reals x;
};

std::string show(const OwnScaleCase& c) { return "x = " + show_values(c.x); }

enum class Largest { kAnywhere, kInTheFirstHalf, kInTheSecondHalf };

/// The half that the largest magnitude is not in has a much smaller scale of its own.
OwnScaleCase with_largest(Largest where, std::size_t n, std::uint64_t salt) {
  static constexpr const char* kNames[] = {"Any", "First", "Second"};
  OwnScaleCase c{kNames[static_cast<int>(where)] + std::to_string(n),
                 uniform_tensor(n, salt, -3.0f, 3.0f)};
  if (where == Largest::kInTheFirstHalf) c.x[n / 2 / 2] = -40.0f;
  if (where == Largest::kInTheSecondHalf) c.x[n - 1] = 40.0f;
  return c;
}

std::vector<OwnScaleCase> with_largest_everywhere(const std::vector<std::size_t>& sizes,
                                                  std::uint64_t salt) {
  std::vector<OwnScaleCase> cases;
  for (const std::size_t n : sizes) {
    for (const Largest where :
         {Largest::kInTheFirstHalf, Largest::kInTheSecondHalf, Largest::kAnywhere}) {
      cases.push_back(with_largest(where, n, mix(salt, n)));
    }
  }
  return cases;
}

/// What the engine leaves in memory that nobody has written has the sign of a negative number, and
/// is above all maxima as a word.
float scale_of_unwritten_memory() { return 1.0f; }

template <class Ask>
void is_quantized(const OwnScaleCase& c, Expect& expect, const Ask& ask) {
  const Reals scale{scale_of(c.x)};
  const Codes want = quantized(c.x, scale[0]);
  for (int i = 0; i < kOrders; ++i) {
    const auto answer = ask();
    if (!succeeded(answer, 1, expect)) return;
    expect.suspect("N-DIV0", "scale", Reals{0.0f});
    expect.suspect("N-UNINIT", "scale", Reals{scale_of_unwritten_memory()});
    if (!expect.equal("scale", answer.template output<1>(), scale)) return;
    if (!expect.equal("q", answer.output(), want)) return;
  }
}

void own_scale_in_every_order(const OwnScaleCase& c, Expect& expect) {
  is_quantized(c, expect,
               [&] { return asked<&quantize_with_own_scale>(c.x, out(c.x.size()), out(1)); });
}

// Halves of equal length.
TEST(quantize_with_own_scale, EveryOrderOfStreams) {
  each_case(with_largest_everywhere({64, 600, 4000}, seed(0)), own_scale_in_every_order);
}

// One each; halves of unequal length; one more than a block in one of them; nothing but zeros.
TEST(quantize_with_own_scale, EverySize) {
  std::vector<OwnScaleCase> cases = with_largest_everywhere({2, 3, 5, 31, 513, 10007}, seed(1));
  cases.push_back({"Zeros", Reals(9, 0.0f)});
  cases.push_back({"MinusZeros", Reals(4, -0.0f)});
  each_case(cases, own_scale_in_every_order);
}

TEST(quantize_with_own_scale, RunsClean) {
  each_case(
      with_largest_everywhere({2, 7, 600}, seed(2)), [](const OwnScaleCase& c, Expect& expect) {
        HostWork work;
        is_quantized(c, expect, [&] {
          const auto answer = watched_host<&quantize_with_own_scale>(c.x, out(c.x.size()), out(1));
          work = answer.work;
          return answer;
        });
        uses_both_streams(work, expect);
      });
}

TEST(quantize_with_own_scale, EveryErrorComesBack) {
  each_case(with_largest_everywhere({9}, seed(3)), [](const OwnScaleCase& c, Expect& expect) {
    every_error_comes_back<&quantize_with_own_scale>(expect, c.x, out(c.x.size()), out(1));
  });
}

// NIBBLE-BEGIN-HIDDEN
// Not in a handout. The same definitions, on data and sizes that follow from the course's secret
// salt.

TEST(copy_through_device, EqualsTheDefinition) {
  each_case(copies({4, 91, 5003}, hidden_seed(0)), [](const CopyCase& c, Expect& expect) {
    is_copied(c, expect, [&] { return asked<&copy_through_device>(c.x, out(c.x.size())); });
  });
}

TEST(quantize_on_device, EqualsTheDefinition) {
  each_case(in_blocks({{5, 2}, {99, 64}, {1300, 96}, {9001, 512}}, hidden_seed(1)),
            [](const QuantizeCase& c, Expect& expect) {
              is_quantized(c, expect, [&] {
                return asked<&quantize_on_device>(c.x, out(c.x.size()), c.scale, c.block_size);
              });
            });
}

TEST(count_codes, EqualsTheDefinition) {
  each_case(code_lists({6, 700, 20011}, hidden_seed(2)), [](const CountCase& c, Expect& expect) {
    is_counted(c, expect, [&] { return asked<&count_codes>(c.q, out(256)); });
  });
}

TEST(quantize_in_chunks, EqualsTheDefinition) {
  each_case(in_chunks({{30, 10}, {101, 25}, {4099, 513}}, hidden_seed(3)), in_every_order);
}

TEST(quantize_with_own_scale, EqualsTheDefinition) {
  each_case(with_largest_everywhere({12, 1025, 7001}, hidden_seed(4)), own_scale_in_every_order);
}
// NIBBLE-END

}  // namespace
}  // namespace nibble::judge
