// Starts a lab's judge on a child executable and reads its verdict.
#pragma once

#include <functional>
#include <string>

#include "compile/budget.hpp"
#include "lab/kit.hpp"
#include "protocol/terms.hpp"
#include "record/verdict.hpp"
#include "sandbox/box.hpp"

namespace nibble::run {

/// One order, and what of it no judge has to know. Whoever asks says what is to be judged and how;
/// judge() adds what follows from that: other builds of the child, the box, the time that is left.
struct Trial {
  protocol::Terms terms;
  compile::Budget* budget = nullptr;  ///< of a submission; nullptr: nobody limits it as a whole
  sandbox::Boxes boxes{};             ///< what it runs in
  std::function<bool()> cancelled{};
};

struct Judged {
  enum class Outcome { kVerdict, kUsage, kKitError, kCancelled };
  Outcome outcome;
  record::Verdict verdict;  ///< when there is one
  std::string message;      ///< otherwise
  double seconds = 0.0;
  std::string told{};  ///< by a judge whose task was another than a verdict

  bool has_verdict() const { return outcome == Outcome::kVerdict; }
};

Judged judge(const lab::Kit& kit, const Trial& trial);

/// Adds what the hidden checks came to. Where there is no check of a kind (kUsage), the other
/// stands alone.
void add_hidden(Judged& all, Judged hidden);

/// `trial` for the hidden checks, of which `so_far` gave the public ones.
Trial hidden_of(Trial trial, const Judged& so_far);

/// Public checks and then hidden ones; when brief, those only if all public ones pass.
Judged judge_everything(const lab::Kit& kit, const Trial& trial);

}  // namespace nibble::run
