// Lab 16: speed.
#include "cpu_int4_gemv.hpp"

#include "checks/16_cpu_int4_gemv/dequantize_code_book.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/speed.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_16_cpu_int4_gemv {
namespace {

/// Packed weights straight from the cipher: every byte of a line of codes is legal. They are too
/// large to be drawn for every round, so that in each a few lines of codes become others.
/// n is whole panels here.
class FreshWeights {
 public:
  explicit FreshWeights(Int4Shape shape)
      : group_bytes_(64 + 8 * std::size_t(shape.group_size)),
        packed_(FreshData().codes<std::uint8_t>(packed_int4_size(shape), 0, 255)) {
    FreshData fresh;
    const std::size_t groups = packed_.size() / group_bytes_;
    const Reals scales = fresh.uniform(16 * groups, 0x1p-30f, 0x1p-6f);
    for (std::size_t g = 0; g < groups; ++g) {
      std::memcpy(&packed_[g * group_bytes_], &scales[16 * g], 64);
    }
  }

  std::size_t bytes() const { return packed_.size(); }

  auto next(FreshData& fresh) {
    std::vector<std::size_t> changed;
    for (int i = 0; i < kChanges; ++i) {
      const std::size_t group = fresh.below(packed_.size() / group_bytes_);
      const std::size_t at = group * group_bytes_ + 64 + fresh.below(group_bytes_ - 64);
      packed_[at] = static_cast<std::uint8_t>(packed_[at] + 1 + fresh.below(255));
      changed.push_back(at);
    }
    return kept(packed_, std::move(changed));
  }

 private:
  std::size_t group_bytes_;
  Bytes packed_;
};

/// `bytes` have to come from memory.
SpeedGoal goal(double operations, std::size_t bytes) {
  return {.zero_at = 0.3,
          .full_at = 0.6,
          .operations = operations,
          .bytes = double(bytes),
          .isa = fastest_isa()};
}

// 34 MB of weights: more than the caches between two calls keep.
constexpr Int4Shape kLarge{8192, 8192, 128};

TEST(gemv_int4, Speed) {
  FreshWeights weights(kLarge);
  speed<&gemv_int4>(goal(2.0 * 8192 * 8192, weights.bytes()), [&](FreshData& fresh) {
    return std::tuple(fastest_isa(), fresh.codes<std::int8_t>(8192, -128, 127), 0.02f,
                      weights.next(fresh), out(8192), kLarge);
  });
}

// A batch of 8: the weights are read once, and multiplied as fast as the instructions allow.
TEST(gemm_int4, Speed) {
  FreshWeights weights(kLarge);
  speed<&gemm_int4>(goal(16.0 * 8192 * 8192, weights.bytes()), [&](FreshData& fresh) {
    return std::tuple(fastest_isa(), fresh.codes<std::int8_t>(std::size_t{8} * 8192, -128, 127),
                      fresh.uniform(8, 0.02f, 0.024f), weights.next(fresh),
                      out(std::size_t{8} * 8192), kLarge);
  });
}

// The same number of weights as for gemv_int4 would be 64 MiB; half of it is as far from a cache.
TEST(gemv_int8, Speed) {
  constexpr std::size_t n = 4096, k = 8192;
  Codes w = FreshData().codes<std::int8_t>(n * k, -128, 127);
  speed<&gemv_int8>(goal(2.0 * n * k, n * k), [&](FreshData& fresh) {
    const auto one = [&] { return fresh.codes<std::int8_t>(1, -128, 127)[0]; };
    return std::tuple(fastest_isa(), fresh.codes<std::int8_t>(k, -128, 127), 0.02f,
                      kept_but_some(w, fresh, one), fresh.uniform(n, 0.01f, 0.012f), out(n));
  });
}

TEST(dequantize_code_book, Speed) {
  constexpr std::size_t count = 1 << 20;
  speed<&dequantize_code_book>(goal(count, count * 9 / 2), [](FreshData& fresh) {
    return std::tuple(fastest_isa(), fresh.codes<std::uint8_t>(count / 2, 0, 255), squares(),
                      fresh.uniform(count / 64, 0.01f, 0.012f), out(count), 64);
  });
}

}  // namespace
}  // namespace nibble::judge::lab_16_cpu_int4_gemv
