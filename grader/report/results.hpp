// results.json: what one lab and one submission came to. The judge's verdict, with what the judge
// cannot know: the machine, the compiler, hashes of everything that took part, what the sanitizers
// saw. The same submission, kit and seed give the same bytes, but for `started`,
// `seconds` and `load`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/kit.hpp"
#include "protocol/terms.hpp"
#include "record/result.hpp"
#include "record/speed_book.hpp"
#include "report/machine.hpp"

namespace nibble::report {

using record::Check;
using record::CheckStatus;
using record::LegState;
using record::Result;

struct Account {
  protocol::Terms terms;  ///< lab, exercise, seed and salt, as asked for; the judge's seed wins
  std::string source;     ///< the text of name.cpp
  std::string started;    ///< as utc_now() writes it
  double seconds = 0.0;   ///< from the save to the verdict
  Machine machine;
  std::string compile_message;  ///< errors, or warnings
  std::vector<std::string> odd_imports;
  std::vector<std::string> prints;
  /// Of each leg, what its judge says; none: not run. Of the leg in `terms`: it did not compile.
  std::optional<record::Verdict> verdict, sanitizers, gpu, speed;
  bool sanitizers_not_here = false;  ///< asked for, and this machine cannot build it
  bool builds_differ = false;        ///< it compiles for one leg and not for another
  std::string gpu_not_here;          ///< why there is no GPU; empty: there is
  std::optional<record::GpuSanitizer> gpu_sanitizer;  ///< none: not run
  std::string gpu_sanitizer_not_here;                 ///< why it could not look; empty: it could
  bool speed_wanted = false;   ///< the mark scheme pays for it, and it was asked for
  std::string speed_not_here;  ///< why this machine cannot measure it; empty: it can
  std::optional<record::Verdict> speed_alone;   ///< then: of the submission beside itself
  std::optional<record::SpeedBook> speed_book;  ///< and what is known of the published solution's
};

/// Diagnoses that the judge and the engine make themselves: they have seen what these say. Others
/// are of values that fit a mistake. N-FORMULA says no more than that the values are others.
bool is_seen(const std::string& code);

Result results_of(const lab::Kit& kit, const record::Scheme& scheme, const Account& account);

/// Hashes of the kit (its version, its own code that makes children, the judge, the runner's parts)
/// and of the checks (the judge).
struct KitHashes {
  std::string kit, checks;
};
KitHashes hash_kit(const lab::Kit& kit, const std::string& lab);

}  // namespace nibble::report
