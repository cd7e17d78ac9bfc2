// Known mistakes whose answers a sentence explains better than their diagnosis does.
#pragma once

#include <string_view>
#include <vector>

#include "judge/expect.hpp"

namespace nibble::judge {

/// What a known mistake would have answered, and the sentence to be said of it.
template <class List>
struct Slip {
  const char* code;
  const char* words;
  List values;
};

/// `got` is exactly `right`; where it is what a slip gives, its code and words are told.
template <class List>
void expect_no_slip(Expect& expect, std::string_view what, const List& got, const List& right,
                    const Shape& shape, const std::vector<Slip<List>>& slips) {
  for (const Slip<List>& slip : slips) expect.suspect(slip.code, what, slip.values, slip.words);
  expect.equal(what, got, right, shape);
}

}  // namespace nibble::judge
