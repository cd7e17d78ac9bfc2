// `nibble teach attack`: hands the judge submissions that cheat, stall or reach for what is not
// theirs, and says what each of them got. They lie in folders of grader/attacks, one file each.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/kit.hpp"
#include "protocol/terms.hpp"
#include "sandbox/box.hpp"

namespace nibble::attacks {

/// One file of grader/attacks. Its first comment says what it tries and what must come of it:
///
///     // attack: ends the program with status 0 before it answers
///     // rule: V4
///     // expect: points 0          the attacked exercise earns nothing
///     // expect: honest            it answers rightly as well, and keeps exactly what that is worth
///     // expect: points <= 5
///     // expect: first N-EXIT      the diagnosis of the first check that failed
///     // expect: no_compile        it never becomes a program
///     // expect: says inline PTX   and these words are among those that tell why
///     // expect: ratio <= 1.25     of the speed leg: nothing gained over honest work
///     // expect: ends 16           and the judge has ended after so many seconds
///     // leg: sanitizers           an attack in the process that they watch
///     // leg: whole                all exercises of its file are judged, and not the attacked one alone
///     // leg: speed                an attack on the clock (grader/attacks/speed)
///     // leg: simt                 an attack by a kernel (grader/attacks/kernels)
///     // leg: host                 an attack by CUDA's host code (grader/attacks/host)
///     // seed: 0xb5e1              of the run, where the attack is to know it
///     // check-limit: 2            seconds that its calls of one check may take together
///     // call-limit: 300           milliseconds of CPU time that one of its calls may take
///     // budget: 6                 seconds that the submission has as a whole
///     // needs: sandbox            has an effect where the system confines nothing (level L0)
///     // open: L1                  has one at that level too: docs/design/sandbox.md says why
struct Attack {
  std::string name, tries, rule, source;
  std::vector<std::string> expects;  ///< all of them must hold
  bool needs_sandbox = false;
  std::string leg = "plain";
  std::vector<sandbox::Level> open_at{};
  protocol::Terms terms{};  ///< seed, budget, limits: of a check, of CPU time (0: its stage's)
};

/// Throws std::runtime_error when the comment lacks a part.
Attack read_attack(const std::string& name, const std::string& text);

struct AttackResult {
  bool compiled = false;
  bool judged = false;  ///< there is a verdict
  int points = 0, max_points = 0;
  double ratio = 0.0;                ///< of the speed leg; 0: there was none
  double margin = 0.0;               ///< two standard errors of the ratio
  std::string diagnostics;           ///< of the compiler, and of what looks at a file before it
  std::string first_code;            ///< the diagnosis of the first check that failed
  std::vector<std::string> effects;  ///< what it did outside the rules, in words
  double seconds = 0.0;
};

enum class AttackOutcome { kRefused, kOpen, kFail };

/// Refused: every expectation held and nothing else happened. Open: it had an effect that this
/// level does not prevent, and says so. Anything else is a hole.
AttackOutcome outcome_of(const Attack& attack, const AttackResult& attempt,
                         sandbox::Level level = sandbox::Level::kLimits);

/// Whether the attack has more than an honest submission would: points, an effect, or a ratio that
/// its margin does not explain. Whatever else fails may be a slow machine's doing: a compiler out
/// of time, an unsteady clock, a late end.
bool has_gained(const Attack& attack, const AttackResult& attempt);

/// What an attack is called that took longer than any may; no gain of its own.
inline constexpr const char* kHeldUp = "held up the grader";

/// "2/3": the second of three shares, which together are all.
struct AttackShare {
  std::size_t which = 1, of = 1;
};

/// Nothing when `text` is no share.
std::optional<AttackShare> share_from(const std::string& text);

std::vector<Attack> share_of(const std::vector<Attack>& attacks, const AttackShare& share);

/// Adds the command. It prints a table for each level;
/// exit_code becomes 1 when any attack got through.
void add_attack_command(CLI::App& teach, const lab::Kit& kit, int& exit_code);

}  // namespace nibble::attacks
