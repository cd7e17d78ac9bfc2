// What wrong values have in common, where that says what happened to them.
#pragma once

#include <span>
#include <string>

namespace nibble::judge {

struct WrongValue {
  double got, want;
};

/// A law that holds for every one of them, as the end of a sentence: ": each is 2 times what it
/// should be". Looked for are, in this order: a variable that nobody set; wrapped around by 2^32,
/// 2^16 or 2^8; the other sign; a factor; a distance; three or more that stand at each other's
/// places. What a single value may have by chance is no
/// law: of one real number the factor must be one that a formula has, and one integer has none.
/// "": nothing in common.
std::string law_of(std::span<const WrongValue> wrong, bool are_integers);

}  // namespace nibble::judge
