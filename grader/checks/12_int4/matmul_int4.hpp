// Lab 12, matmul_int4: what is right, and what people write instead.
#pragma once

#include "int4.hpp"

#include "checks/12_int4/blocks.hpp"
#include "checks/12_int4/unpack_int4.hpp"
#include "checks/12_int4/values.hpp"
#include "judge/exercise.hpp"
#include "judge/matmul_cases.hpp"
#include "judge/mix.hpp"
#include "judge/picture.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_12_int4 {

using Multiplying = Exercise<&matmul_int4>;
using Product = Multiplying::Arguments;

inline constexpr auto kTransposed = Int4Layout::kTransposed, kPairs = Int4Layout::kPairs;

inline std::size_t bytes_for(int k) { return (static_cast<std::size_t>(k) + 1) / 2; }

/// Half `half` of a byte; 0 beyond the operand, where only a mistake looks.
inline int nibble_of(const Bytes& bytes, std::size_t byte, std::size_t half) {
  if (byte >= bytes.size()) return 0;
  return half % 2 == 0 ? bytes[byte] % 16 : bytes[byte] / 16;
}

/// How a product is read: the definition, but for what a mistake changes in it.
struct Reading {
  Int4Layout layout;
  int k;
  std::size_t pitch;           ///< bytes from row to row of a
  bool along_n = false;        ///< two columns of b share a byte: the wrong axis
  std::size_t pitch_b;         ///< of transposed b
  int (*code)(int) = code_in;  ///< what a nibble of a stands for
  int (*code_b)(int) = code_in;

  explicit Reading(const Product& in)
      : layout(in.c), k(in.d.k), pitch(bytes_for(k)), pitch_b(pitch) {}
};

template <class Sum = std::int32_t>
Sums product(const Product& in, const Reading& reading) {
  const auto& [a4, b4, layout, shape] = in;
  const std::size_t m = as<std::size_t>(shape.m), n = as<std::size_t>(shape.n);
  const std::size_t bytes = bytes_for(shape.k);
  if (a4.size() != m * bytes || b4.size() != n * bytes)
    throw std::invalid_argument("no such sizes");
  Sums c;
  for (std::size_t at = 0; at < m * n; ++at) {
    const std::size_t i = at / n, j = at % n;
    Sum sum = 0;
    for (std::size_t p = 0; p < as<std::size_t>(reading.k); ++p) {
      const int a = nibble_of(a4, i * reading.pitch + p / 2, p);
      const int b = reading.along_n            ? nibble_of(b4, p * ((n + 1) / 2) + j / 2, j)
                    : reading.layout == kPairs ? nibble_of(b4, p / 2 * n + j, p)
                                               : nibble_of(b4, j * reading.pitch_b + p / 2, p);
      sum = static_cast<Sum>(sum + reading.code(a) * reading.code_b(b));
    }
    c.push_back(static_cast<std::int32_t>(sum));
  }
  return c;
}

inline void suspect_sums(Expect& expect, const Product& in, const Sums& right) {
  const auto looks = [&](const char* code, const char* words, const auto& change) {
    Product read = in;
    Reading reading(in);
    change(reading, read);
    expect.suspect(code, "c", product(read, reading), words);
  };
  const bool is_odd = in.d.k % 2 == 1;
  const auto plain = [](int nibble) { return nibble; };
  looks("N-SIGN", kUnsigned, [&](Reading& r, auto&) { r.code = r.code_b = plain; });
  looks("N-SIGN", "as if the codes of a were unsigned", [&](Reading& r, auto&) { r.code = plain; });
  looks("N-SIGN", "as if the codes of b were unsigned",
        [&](Reading& r, auto&) { r.code_b = plain; });
  looks("N-SIGN", kExcess,
        [](Reading& r, auto&) { r.code = r.code_b = [](int nibble) { return nibble - 8; }; });
  looks("N-SIGN", "as if the nibble 8 were the code 8",
        [](Reading& r, auto&) { r.code = r.code_b = with_plus_8; });
  looks("N-TRANS", "as if the two layouts were exchanged",
        [](Reading& r, auto&) { r.layout = r.layout == kPairs ? kTransposed : kPairs; });
  constexpr const char* columns_share = "as if two columns of b shared a byte";
  looks("N-LAYOUT", columns_share, [](Reading& r, auto&) { r.along_n = r.layout == kPairs; });
  looks("N-LAYOUT", columns_share,
        [&](Reading& r, auto&) { r.along_n = r.layout == kPairs && in.d.n % 2 == 0; });
  looks("N-LAYOUT", "as if a row of a had k / 2 bytes, rounded down",
        [](Reading& r, auto&) { r.pitch = as<std::size_t>(r.k / 2); });
  looks("N-LAYOUT", "as if all rows had k / 2 bytes, rounded down",
        [](Reading& r, auto&) { r.pitch = r.pitch_b = as<std::size_t>(r.k / 2); });
  looks("N-TAIL", "as if the last high nibble counted, too",
        [&](Reading& r, auto&) { r.k += is_odd; });
  looks("N-TAIL", "as if the last code of an odd k were left out",
        [&](Reading& r, auto&) { r.k -= is_odd; });
  looks("N-LAYOUT", "as if the even code of b were the high nibble",
        [](auto&, Product& read) { read.b = each_of(read.b, exchanged); });
  looks("N-LAYOUT", "as if the even code of a were the high nibble",
        [](auto&, Product& read) { read.a = each_of(read.a, exchanged); });
  looks("N-LAYOUT", kHighFirst, [](auto&, Product& read) {
    read.a = each_of(read.a, exchanged);
    read.b = each_of(read.b, exchanged);
  });
  Sums columns;
  for (std::size_t at = 0; at < right.size(); ++at) {
    const std::size_t m = as<std::size_t>(in.d.m), n = as<std::size_t>(in.d.n);
    columns.push_back(right[at % m * n + at / m]);
  }
  expect.suspect("N-TRANS", "c", columns, "c is written column by column");
  expect.suspect("N-OVERFLOW", "c", each_of(right, [](int sum) { return as<std::int16_t>(sum); }),
                 "a sum is kept in 16 bits: it is an int32");
  expect.suspect("N-OVERFLOW", "c", each_of(right, [](int sum) { return as<std::int8_t>(sum); }),
                 "a sum is kept in 8 bits: it is an int32");
  expect.suspect("N-FLOAT32", "c", product<float>(in, Reading(in)),
                 "a sum is kept in a float, which counts exactly to 2^24");
}

inline const Multiplying multiplying{{"a4", "b4", "layout", "m", "n", "k"}, {"c"}, suspect_sums};

inline void same_sums(Expect& expect, const Product& in, const Sums& got, const Sums& want) {
  const auto& shape = in.d;
  expect.equal("c", got, want, {as<std::size_t>(shape.m), as<std::size_t>(shape.n)});
}

/// Every nibble is noise, those that only pad too.
inline Multiplying::Input random_product(MatmulShape shape, Int4Layout layout, std::uint64_t from) {
  const std::size_t pitch = bytes_for(shape.k);
  return {show(layout) + "," + size_text(shape),
          {random_bytes(as<std::size_t>(shape.m) * pitch, from),
           random_bytes(as<std::size_t>(shape.n) * pitch, mix(from, 1)), layout, shape}};
}

// Nothing at all; odd sizes, each by itself and together; flat, tall, and longer than a vector.
inline std::vector<Multiplying::Input> every_shape(Seed seed_of, MatmulShape largest) {
  std::vector<Multiplying::Input> inputs;
  for (const MatmulShape shape : {MatmulShape{1, 1, 1},
                                  {1, 1, 3},
                                  {2, 1, 3},
                                  {1, 2, 3},
                                  {2, 3, 5},
                                  {3, 2, 4},
                                  {1, 9, 31},
                                  {9, 1, 33},
                                  {5, 7, 65},
                                  largest}) {
    for (const Int4Layout layout : {kTransposed, kPairs}) {
      inputs.push_back(random_product(shape, layout, seed_of(inputs.size())));
    }
  }
  return inputs;
}

}  // namespace nibble::judge::lab_12_int4
