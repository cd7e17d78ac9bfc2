// The engine's formats against the CUDA toolkit's own headers, as a host runs them.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "every_float.hpp"
#include "format_functions.hpp"

namespace nibble::simt {
namespace {

/// Calls compare(ours, theirs) for each pair of functions of the same name.
template <class Compare>
void for_each(std::span<const FormatFunction> ours, std::span<const FormatFunction> theirs,
              Compare compare) {
  ASSERT_EQ(ours.size(), theirs.size());
  ASSERT_GT(ours.size(), 0u);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ASSERT_STREQ(ours[i].name, theirs[i].name);
    compare(ours[i], theirs[i]);
  }
}

void expect_equal(const FormatFunction& ours, const FormatFunction& theirs, std::uint64_t step,
                  std::uint64_t end, auto operands) {
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < end; i += step) {
    const auto [a, b] = operands(i);
    if (ours.call(a, b) != theirs.call(a, b) && wrong++ == 0) {
      ADD_FAILURE() << ours.name << " of " << std::hex << a << ", " << b << " is "
                    << ours.call(a, b) << ", not " << theirs.call(a, b);
    }
  }
  EXPECT_EQ(wrong, 0u) << ours.name;
}

using Operands = std::pair<std::uint32_t, std::uint32_t>;

TEST(Toolkit, EveryCode) {
  for_each(nibble_functions().of_code, toolkit_functions().of_code, [](auto& ours, auto& theirs) {
    expect_equal(ours, theirs, 1, 65536, [](std::uint64_t i) {
      return Operands{static_cast<std::uint32_t>(i), 0};
    });
  });
}

TEST(Toolkit, PairsOfCodes) {
  for_each(nibble_functions().of_codes, toolkit_functions().of_codes, [](auto& ours, auto& theirs) {
    expect_equal(ours, theirs, every(65'521), 1ull << 32, [](std::uint64_t i) {
      return Operands{static_cast<std::uint32_t>(i >> 16), static_cast<std::uint32_t>(i) & 0xFFFF};
    });
  });
}

TEST(Toolkit, EveryFloat) {
  for_each(nibble_functions().of_float, toolkit_functions().of_float, [](auto& ours, auto& theirs) {
    expect_equal(ours, theirs, every(16'381), 1ull << 32, [](std::uint64_t i) {
      return Operands{static_cast<std::uint32_t>(i), 0};
    });
  });
}

TEST(Toolkit, EveryByte) {
  for_each(nibble_functions().of_byte, toolkit_functions().of_byte, [](auto& ours, auto& theirs) {
    expect_equal(ours, theirs, 1, 256, [](std::uint64_t i) {
      return Operands{static_cast<std::uint32_t>(i), 0};
    });
  });
}

}  // namespace
}  // namespace nibble::simt
