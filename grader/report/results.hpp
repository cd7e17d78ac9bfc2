// results.json: what one lab and one submission came to. The judge's verdict, with what the judge
// cannot know: the machine, the compiler, hashes of everything that took part, what the sanitizers
// saw. The same submission, kit and seed give the same bytes, but for `started`,
// `seconds` and `load`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "build/kit.hpp"
#include "protocol/terms.hpp"
#include "report/machine.hpp"
#include "text/json_text.hpp"

namespace nibble::report {

using Json = nlohmann::ordered_json;
using text::text_at;

struct Account {
  protocol::Terms terms;  ///< lab, exercise, seed and salt, as asked for; the judge's seed wins
  std::string source;     ///< the text of name.cpp
  std::string started;    ///< as utc_now() writes it
  double seconds = 0.0;   ///< from the save to the verdict
  Machine machine;
  std::string compile_message;  ///< errors, or warnings
  std::vector<std::string> odd_imports;
  std::vector<std::string> prints;
  Json verdict;     ///< of the judge, of the leg in `terms`; null: it did not compile
  Json sanitizers;  ///< the judge's, of that leg after the plain one; null: not run
  bool sanitizers_not_here = false;    ///< asked for, and this machine cannot build it
  bool builds_differ = false;          ///< it compiles for one leg and not for another
  Json gpu;                            ///< the judge's, of kernels on a GPU; null: not run
  std::string gpu_not_here;            ///< why there is none; empty: there is
  Json gpu_sanitizer;                  ///< what compute-sanitizer complained of; null: not run
  std::string gpu_sanitizer_not_here;  ///< why it could not look; empty: it could
  bool speed_wanted = false;           ///< the mark scheme pays for it, and it was asked for
  Json speed;                          ///< the judge's, of the speed leg; null: not run
  std::string speed_not_here;          ///< why this machine cannot measure it; empty: it can
  Json speed_alone;  ///< then: the judge's, of the submission beside itself; null: not run
  Json speed_book;   ///< and what is known of the published solution's; null: nothing
};

/// `scheme` is the lab's mark scheme, as the judge describes it.
Json results_of(const build::Kit& kit, const Json& scheme, const Account& account);

/// Hashes of the kit (its version, the judge, the runner's parts) and of the checks (the judge).
struct KitHashes {
  std::string kit, checks;
};
KitHashes hash_kit(const build::Kit& kit, const std::string& lab);

/// As a file: two-space indentation, a line end, and no byte that is not UTF-8.
std::string as_text(const Json& results);

/// True when nothing is missing that every reader of results needs, and all of it is what it should
/// be: the file lies where a learner works.
bool is_results(const Json& json);

/// Words of a status for people: "crash" -> "crashed".
std::string status_word(const std::string& status);

}  // namespace nibble::report
