// A verdict as people read it. Plain words first: colour only decorates, and takes none away.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/diagnoses.hpp"
#include "report/results.hpp"

namespace nibble::report {

/// Colour, where there is a terminal that has it.
struct Paint {
  bool on = false;

  std::string good(std::string_view text) const { return in("32", text); }
  std::string bad(std::string_view text) const { return in("31", text); }
  std::string loud(std::string_view text) const { return in("1", text); }
  std::string quiet(std::string_view text) const { return in("2", text); }

 private:
  std::string in(std::string_view code, std::string_view text) const;
};

/// What the screen tells that results.json does not hold.
struct View {
  std::string subject;  ///< what was asked for: "03_symmetric" or "03.quantize_symmetric"
  double compile_seconds = 0.0, link_seconds = 0.0, run_seconds = 0.0;
  bool compiled_before = false;    ///< nothing had changed since
  bool sanitizers_follow = false;  ///< the verdict is of the plain leg, and they may stop it
  bool hidden_here = false;  ///< the kit has the hidden checks: nobody else is needed to run them
  std::string next;          ///< what to type after a pass; empty: nothing in particular
  Paint paint;
};

/// The header, a line per check, all about the first that fails, and what to type next.
std::string verdict_text(const Result& results, const Diagnoses& diagnoses, const View& view);

/// The header once more, and the hidden checks, which are judged last.
std::string hidden_text(const Result& results, const Diagnoses& diagnoses, const View& view);

/// What a leg after the first added, as one line or a few.
std::string leg_text(protocol::Leg leg, const Result& results, double seconds, const View& view);

/// What was measured, row by row, and what that makes of the points.
std::string speed_text(const Result& results, double seconds, const View& view);

/// What a verdict without hidden checks does not say.
std::string closing_text(const Result& results, const View& view);

/// The verdict on one line, for watch: "FAIL 2/5   0.66 s   TiesGoToEven: …".
std::string one_line(const Result& results, const View& view);

/// What a leg without points found, on one line; there must be a finding.
std::string one_line_finding(const Result& results, const View& view);

/// The first lines of what a compiler said: errors before warnings.
std::string first_errors(std::string_view diagnostics, std::size_t lines);

/// As in a program: "[0,3]".
std::string index_text(const std::vector<std::size_t>& index);

/// "pass", "stop" and their like.
std::string painted_status(const Check& check, const Paint& paint);

/// "22/25".
std::string points_text(const Check& check);

}  // namespace nibble::report
