// Lab 15: what goes element by element.
#pragma once

#include "cpu_simd.hpp"

#include "judge/code_rows.hpp"
#include "judge/exercise.hpp"
#include "judge/isa_exercise.hpp"
#include "judge/named_case.hpp"
#include "judge/speed.hpp"

namespace nibble::judge::lab_15_cpu_simd {

inline Codes narrow(const std::vector<double>& codes) { return {codes.begin(), codes.end()}; }

inline Codes every_code() {
  Codes q(256);
  std::iota(q.begin(), q.end(), std::int8_t{-128});
  return q;
}

// Every length up to two vectors of 64 and one more; and a prime that is beyond a page.
inline std::vector<std::size_t> every_length() {
  std::vector<std::size_t> lengths;
  for (std::size_t count = 0; count <= 129; ++count) lengths.push_back(count);
  lengths.push_back(5003);
  return lengths;
}

/// A list, and the scale of its codes.
template <class List>
struct Scaled {
  List x;
  float scale;
  static constexpr std::array names{"x", "scale"};
};
using Values = Named<Scaled<Reals>>;
using Quantized = Named<Scaled<Codes>>;

template <class List>
Named<Scaled<List>> scaled(float scale, List x) {
  const std::string name = std::to_string(x.size()) + "," + show_value(scale);
  return {name, {std::move(x), scale}};
}

/// Two elements with each unusable scale, and for three.
template <class Exercise, class List>
typename Exercise::Refusals bad_lists(const Exercise&, const List& two) {
  typename Exercise::Refusals rows;
  for (const float scale : kUnusableScales) {
    rows.push_back({"", "scale = " + show_value(scale), {two, scale, out(2)}});
  }
  rows.push_back({"N-SIZE", "2 elements for 3", {two, 1.0f, out(3)}});
  return rows;
}

inline float fresh_scale(FreshData& fresh) { return fresh.uniform(0.02f, 0.03f); }

}  // namespace nibble::judge::lab_15_cpu_simd
