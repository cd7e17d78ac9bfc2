// A sum of things that cannot be told apart further, and a constant: what is known of an address
// without running the program. Two that are equal are equal in every run.
//
//     p + 4 i + 16     terms {p: 1, i: 4}, constant 16
#pragma once

#include <cstdint>
#include <vector>

namespace nibble::simt {

struct LinearForm {
  struct Term {
    int thing;
    std::int64_t times;
    bool operator==(const Term&) const = default;
  };
  std::vector<Term> terms;  ///< by `thing`, none of them zero times
  std::int64_t constant = 0;

  static LinearForm of(int thing) { return {{{thing, 1}}, 0}; }

  bool operator==(const LinearForm&) const = default;
  bool is_constant() const { return terms.empty(); }
  /// That thing itself, and a constant.
  bool is_offset_of(int thing) const { return terms.size() == 1 && terms[0] == Term{thing, 1}; }
};

// Sums and products go round as the machine's do.
LinearForm operator+(const LinearForm& a, const LinearForm& b);
LinearForm operator*(const LinearForm& a, std::int64_t times);

}  // namespace nibble::simt
