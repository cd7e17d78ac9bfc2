// What a format may tell of a check, and in which words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "record/result.hpp"

namespace nibble::gradebook {

using Json = nlohmann::ordered_json;
using record::Check;
using record::CheckStatus;
using record::Result;

/// The most that a submission's own text may take anywhere.
constexpr std::size_t kMostText = std::size_t{64} << 10;

/// The results without what a hidden check must keep to itself, by its `detail`: no values, no
/// output, no replay line. The judge writes none of them; no format depends on that.
Result told(Result results);

/// "TiesGoToEven", or "EveryShape (quantize_rows)" where two exercises have a check of that name.
std::string name_of(const Result& results, const Check& check);

/// "N-AXIS", "looks like N-AXIS", "often N-AXIS": no more certain than the judge was. Empty: none.
std::string diagnosis_of(const Check& check);

/// Why it lost points: "want 8 scales, got 4 (N-AXIS)", "0.60x the published solution (…)". Empty
/// when it lost none, or may not say.
std::string why(const Check& check);

/// The line that repeats the check.
std::string replay_of(const Result& results, const Check& check);

/// "05_per_channel" -> "5", "14_cpu_int8_gemm" -> "14".
std::string number_of(const Result& results);

inline bool is_skipped(const Check& check) { return check.status == CheckStatus::kSkip; }

/// Why it did not compile, in the compiler's words.
std::string compile_message(const Result& results);

/// A sum over the public checks.
struct PublicPoints {
  int points = 0, max_points = 0;
};
PublicPoints public_points(const Result& results);

/// What the whole lab is worth, whether its hidden checks were run or not.
int worth(const Result& results);

/// Valid UTF-8 without control characters, cut at kMostText where a character ends.
std::string safe_text(std::string_view text);

}  // namespace nibble::gradebook
