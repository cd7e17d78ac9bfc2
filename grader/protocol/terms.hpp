// What a judge is asked for: one order, from whoever gives it to the judge that carries it out. It
// crosses as one JSON object on the judge's stdin, for the salt is a secret, and everybody may read
// the words that a program was started with.
#pragma once

#include <chrono>
#include <string>

#include "protocol/leg.hpp"
#include "sandbox/level.hpp"

namespace nibble::protocol {

struct Terms {
  enum class Task {
    kVerdict,
    kCountBook,  ///< what the published kernels count
    kCeilings,   ///< what one core of this machine can do at most
    kPicture     ///< what the exercise makes of an example, to look at
  };
  Task task = Task::kVerdict;
  std::string lab{};
  Leg leg = Leg::kPlain;

  std::string exercise{}, check{}, only_case{};  ///< only these; empty: all
  /// These checks or the public ones, never both: a process that has seen a hidden input answers no
  /// public check, of which a student is shown what it gave.
  bool hidden = false;
  bool unpaid = false;  ///< of the speed leg: rows that pay nothing too
  bool show = false;    ///< describe every case
  bool brief = false;   ///< no further than the first check that fails

  std::string seed{};  ///< of the public inputs, 0x…; empty: drawn
  std::string salt{};  ///< the course's secret, which hidden inputs follow from; empty: drawn

  std::string child{};               ///< the executable that holds the submission
  std::string watched{}, counted{};  ///< the same kernels: every access checked; counted
  std::string published{};           ///< the executable to be timed against
  std::string published_counted{};   ///< the published solution's kernels, counted
  std::string count_book{};          ///< what they count, where they are not
  std::string groups{};              ///< where a control group for a child can be made; or empty
  sandbox::Level level = sandbox::Level::kLimits;  ///< what a child is confined to

  std::chrono::milliseconds cpu_limit{0}, wall_limit{0};  ///< of one call; 0: the judge's own
  std::chrono::milliseconds check_limit{0};  ///< of all calls of a check; 0: the judge's own
  std::chrono::milliseconds budget{0};       ///< of a submission as a whole; 0: nobody limits it
  std::chrono::milliseconds budget_left{0};  ///< when this judge begins
};

std::string text_of(const Terms& terms);

/// Throws std::invalid_argument, which names the field that is missing, wrong, or unknown.
Terms read_terms(const std::string& text);

}  // namespace nibble::protocol
