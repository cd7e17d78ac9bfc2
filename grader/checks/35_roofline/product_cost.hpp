// Lab 35, product_cost: what is right, and what people write instead.
#pragma once

#include "roofline.hpp"

#include "judge/exercise.hpp"

namespace nibble::judge::lab_35_roofline {

using Costing = Exercise<&product_cost>;
inline constexpr std::int64_t kMost = 1 << 20;

inline constexpr const char* kIn32Bits = "the count is kept in 32 bits: it has 64";

inline std::int64_t whole_bytes(std::int64_t bits) { return bits / 8 + (bits % 8 == 0 ? 0 : 1); }

/// A double counts every integer to 2^53, an int32 to 2^31.
inline void suspect_operations(Expect& expect, const Product& p, std::int64_t right) {
  const auto suspect = [&](const char* code, const char* words, std::int64_t count) {
    if (count != right) expect.suspect(code, "operations", count, words);
  };
  suspect("N-OVERFLOW", kIn32Bits, static_cast<std::int32_t>(right));
  const double product = double(p.m) * double(p.n) * double(p.k);
  suspect("N-OVERFLOW", "a double counts to 2^53: operations are counted in 64 bits",
          static_cast<std::int64_t>(2 * product));
  suspect("N-FORMULA", "a multiplication and an addition are one operation: they are two",
          right / 2);
  suspect("N-FORMULA", "k - 1 additions a sum: k are counted",
          p.m * p.n * std::max<std::int64_t>(2 * p.k - 1, 0));
  if (p.k == 0) {
    suspect("N-FORMULA", "where k is 0, there is nothing to multiply or to add", 2 * p.m * p.n);
  }
}

inline void suspect_costs(Expect& expect, const Costing::Arguments& in, const Cost& right) {
  const Product& p = in.a;
  const std::int64_t a = p.m * p.k * p.a_bits, b = p.b_cached ? 0 : p.k * p.n * p.b_bits,
                     c = p.m * p.n * p.c_bits;
  suspect_operations(expect, p, right.operations);
  if (p.k == 0) expect.suspect("N-FORMULA", "bytes", 0);
  const auto bytes = [&](const char* code, const char* words, std::int64_t count) {
    if (count != right.bytes) expect.suspect(code, "bytes", count, words);
  };
  const std::int64_t fetched = p.b_cached ? 0 : 1, all_b = whole_bytes(p.k * p.n * p.b_bits);
  const std::int64_t of_a = whole_bytes(a), of_c = whole_bytes(c);
  bytes("N-UNITS", "bits are told: eight of them are a byte", a + b + c);
  bytes("N-UNITS", "every element is a byte: it has its bits",
        p.m * p.k + fetched * p.k * p.n + p.m * p.n);
  bytes("N-TAIL", "a byte that is not full is left out: it is a whole one", a / 8 + b / 8 + c / 8);
  bytes("N-TAIL", "a byte that is not full is left out: it is a whole one", (a + b + c) / 8);
  bytes("N-TAIL", "the matrices are one piece: each begins with a byte of its own",
        whole_bytes(a + b + c));
  bytes("N-TAIL", "each row begins with a byte of its own: a matrix does, its rows need not",
        p.m * whole_bytes(p.k * p.a_bits) + fetched * p.k * whole_bytes(p.n * p.b_bits) +
            p.m * whole_bytes(p.n * p.c_bits));
  bytes("N-TAIL", "each column of b begins with a byte of its own: a matrix does",
        p.m * whole_bytes(p.k * p.a_bits) + fetched * p.n * whole_bytes(p.k * p.b_bits) +
            p.m * whole_bytes(p.n * p.c_bits));
  bytes("N-TAIL", "each element takes whole bytes: a matrix does",
        p.m * p.k * whole_bytes(p.a_bits) + fetched * p.k * p.n * whole_bytes(p.b_bits) +
            p.m * p.n * whole_bytes(p.c_bits));
  bytes("N-UNITS", "c has the bits of a: it has c_bits an element",
        of_a + whole_bytes(b) + whole_bytes(p.m * p.n * p.a_bits));
  bytes("N-UNITS", "b has the bits of a: it has b_bits an element",
        of_a + fetched * whole_bytes(p.k * p.n * p.a_bits) + of_c);
  bytes("N-FORMULA", "b is counted, though it is cached", of_a + all_b + of_c);
  bytes("N-FORMULA", "b is counted where it is cached, and left out where it is not",
        of_a + (p.b_cached ? all_b : 0) + of_c);
  bytes("N-FORMULA", "a is left out where b is cached", whole_bytes(p.k * p.n * p.b_bits) + of_c);
  bytes("N-FORMULA", "c is not counted: it is written", of_a + whole_bytes(b));
  bytes("N-OVERFLOW", kIn32Bits, static_cast<std::int32_t>(right.bytes));
}

inline const Costing costing{{"m", "n", "k", "a_bits", "b_bits", "c_bits", "b_cached"},
                             {"operations", "bytes"},
                             suspect_costs};

}  // namespace nibble::judge::lab_35_roofline
