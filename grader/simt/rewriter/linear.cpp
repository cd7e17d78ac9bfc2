#include "simt/rewriter/linear.hpp"

namespace nibble::simt {
namespace {

std::int64_t wrapped(std::uint64_t value) { return static_cast<std::int64_t>(value); }
std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

void append(std::vector<LinearForm::Term>& terms, int thing, std::int64_t times) {
  if (times != 0) terms.push_back({thing, times});
}

}  // namespace

LinearForm operator+(const LinearForm& a, const LinearForm& b) {
  LinearForm sum{{}, wrapped(bits(a.constant) + bits(b.constant))};
  auto left = a.terms.begin(), right = b.terms.begin();
  while (left != a.terms.end() || right != b.terms.end()) {
    if (right == b.terms.end() || (left != a.terms.end() && left->thing < right->thing)) {
      sum.terms.push_back(*left++);
    } else if (left == a.terms.end() || right->thing < left->thing) {
      sum.terms.push_back(*right++);
    } else {
      append(sum.terms, left->thing, wrapped(bits(left->times) + bits(right->times)));
      ++left, ++right;
    }
  }
  return sum;
}

LinearForm operator*(const LinearForm& a, std::int64_t times) {
  LinearForm product{{}, wrapped(bits(a.constant) * bits(times))};
  for (const LinearForm::Term& term : a.terms) {
    append(product.terms, term.thing, wrapped(bits(term.times) * bits(times)));
  }
  return product;
}

}  // namespace nibble::simt
