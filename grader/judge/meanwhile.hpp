// Meanwhile: a submission is asked in another way until the end of a scope.
//
//     const Meanwhile<&Submission::use> watching(submission(), Build::kWatched);
#pragma once

#include "judge/submission.hpp"

namespace nibble::judge {

/// Calls `Set`, which returns what was set before, and sets that again when it dies.
template <auto Set>
class Meanwhile;

template <class Value, class Argument, Value (Submission::*Set)(Argument)>
class Meanwhile<Set> {
 public:
  Meanwhile(Submission& target, Argument value) : target_(target), before_((target.*Set)(value)) {}
  ~Meanwhile() { (target_.*Set)(before_); }
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;

 private:
  Submission& target_;
  Value before_;
};

}  // namespace nibble::judge
