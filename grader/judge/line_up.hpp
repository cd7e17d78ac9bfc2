// Suspects whose words are said only where no other suspect gives the same answer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <string_view>
#include <vector>

#include "judge/expect.hpp"

namespace nibble::judge {

class LineUp {
 public:
  /// An answer of fewer values than `least` is no evidence: it has a code, and no words.
  explicit LineUp(std::size_t least = 1) : least_(least) {}

  /// As Expect::suspect. The words are literals: nothing is copied.
  template <Numbers Values>
  void add(std::string_view code, std::string_view what, const Values& values,
           std::string_view words = "") {
    all_.push_back({code, what, {std::begin(values), std::end(values)}, words});
  }

  /// Suspects all, in the order in which they were added. Evidence has its words in every case.
  void suspect(Expect& expect) const {
    for (const One& one : all_) {
      const bool has_words = expect.is_hearing() || is_told_apart(one);
      expect.suspect(one.code, one.what, one.values, has_words ? one.words : "");
    }
  }

 private:
  struct One {
    std::string_view code, what;
    std::vector<double> values;
    std::string_view words;
  };

  /// A wrong name is worse than none. The same number everywhere is what somebody answers, too, who
  /// did nothing.
  bool is_told_apart(const One& one) const {
    if (one.values.size() < least_ || one.values.empty()) return false;
    const double usual = one.values.size() == 1 ? 0 : one.values.front();
    const bool is_constant = std::ranges::count(one.values, usual) == std::ssize(one.values);
    return !is_constant && std::ranges::none_of(all_, [&](const One& other) {
      return other.what == one.what && other.words != one.words && other.values == one.values;
    });
  }

  std::size_t least_;
  std::vector<One> all_;
};

}  // namespace nibble::judge
