#include "judge/expect.hpp"

#include <set>
#include <string>
#include <utility>

#include "judge/kit_error.hpp"

namespace nibble::judge {

bool Expect::near(std::string_view what, double got, double want, const Tolerance& tolerance) {
  tolerance_ = tolerance;
  const bool ok = compare(what, std::span(&got, 1), std::span(&want, 1), Scalar{},
                          [&](std::size_t) { return is_near(got, want, tolerance); });
  tolerance_ = {};
  return ok;
}

bool Expect::that(bool holds, std::string message) { return that(holds, std::move(message), ""); }

bool Expect::that(bool holds, std::string message, std::string_view code) {
  if (!holds) fail({CheckStatus::kFail, std::string(code), std::move(message), {}, {}, {}, {}});
  return holds && !failure_;
}

void Expect::healthy(bool good, const std::string& why) {
  if (!good) throw KitError("an input of this check proves too little: " + why);
}

void Expect::fail(Failure failure) {
  if (!failure_ && !is_hearing_) failure_ = std::move(failure);
}

std::vector<std::size_t> Expect::unravel(std::size_t i, const Shape& shape) {
  if (shape.empty()) return {i};
  std::vector<std::size_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = i % shape[axis];
    i /= shape[axis];
  }
  return index;
}

std::string Expect::several(std::string_view what, std::size_t bad, std::size_t count) {
  return std::to_string(bad) + " of " + std::to_string(count) +
         (count == 1 ? " element of " : " elements of ") + std::string(what) +
         (bad == 1 ? " is wrong" : " are wrong");
}

std::string Expect::words_for(const Cause& first) const {
  if (heard_ == nullptr || !heard_->alike.contains(first)) return first.words;
  std::set<std::string> others;
  for (const Cause& other : failure_->others) {
    if (heard_->alike.contains(other)) others.insert(other.words);
  }
  if (others.size() > 1) return "";
  return others.empty() ? first.words : first.words + ", or else " + *others.begin();
}

void Expect::wrong_size(std::string_view what, std::size_t got, std::size_t want) {
  Failure failure;
  failure.message = std::string(what) + " has the wrong number of elements";
  failure.got = std::to_string(got);
  failure.want = std::to_string(want);
  failure.code = "N-SIZE";
  fail(std::move(failure));
}

}  // namespace nibble::judge
