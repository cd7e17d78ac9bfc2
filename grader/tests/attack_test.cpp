// The attack suite: how an attack is read, how it is scored, and the whole of it, run.
#include "attacks/attack.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace nibble::attacks {
namespace {

constexpr const char* kExample =
    "// attack: ends the program\n// rule: V4\n// expect: points 0\n// expect: first N-EXIT\n"
    "// call-limit: 300\n"
    "namespace nibble {}\n// needs: sandbox\n";

TEST(ReadAttack, TakesTheFirstCommentApart) {
  const Attack attack = read_attack("exit", kExample);
  EXPECT_EQ(attack.name, "exit");
  EXPECT_EQ(attack.tries, "ends the program");
  EXPECT_EQ(attack.rule, "V4");
  EXPECT_EQ(attack.expects, (std::vector<std::string>{"points 0", "first N-EXIT"}));
  EXPECT_EQ(attack.terms.cpu_limit, std::chrono::milliseconds(300));
  EXPECT_EQ(attack.source, kExample);
  EXPECT_FALSE(attack.needs_sandbox) << "a later comment does not count";
}

TEST(ReadAttack, RefusesAnAttackThatDoesNotSayWhatIsExpected) {
  EXPECT_THROW(read_attack("x", "// attack: something\n// rule: V1\n"), std::runtime_error);
  EXPECT_THROW(read_attack("x", "// rule: V1\n// expect: honest\n"), std::runtime_error);
  EXPECT_THROW(read_attack("x", "// attack: something\n// expect: honest\n"), std::runtime_error);
}

AttackResult judged(int points, std::string code) {
  AttackResult attempt;
  attempt.compiled = attempt.judged = true;
  attempt.points = points;
  attempt.max_points = 30;
  attempt.first_code = std::move(code);
  return attempt;
}

Attack expecting(std::vector<std::string> expects, bool needs_sandbox = false) {
  return {"name", "tries", "V1", "", std::move(expects), needs_sandbox};
}

TEST(OutcomeOfAnAttack, EveryExpectationMustHold) {
  const Attack attack = expecting({"points 0", "first N-EXIT"});
  EXPECT_EQ(outcome_of(attack, judged(0, "N-EXIT")), AttackOutcome::kRefused);
  EXPECT_EQ(outcome_of(attack, judged(0, "N-CRASH")), AttackOutcome::kFail);
  EXPECT_EQ(outcome_of(attack, judged(5, "N-EXIT")), AttackOutcome::kFail);
}

TEST(OutcomeOfAnAttack, PointsMayHaveABound) {
  EXPECT_EQ(outcome_of(expecting({"points <= 5"}), judged(5, "")), AttackOutcome::kRefused);
  EXPECT_EQ(outcome_of(expecting({"points <= 5"}), judged(6, "")), AttackOutcome::kFail);
  EXPECT_EQ(outcome_of(expecting({"honest"}), judged(30, "")), AttackOutcome::kRefused);
  EXPECT_EQ(outcome_of(expecting({"honest"}), judged(29, "")), AttackOutcome::kFail);
}

TEST(OutcomeOfAnAttack, WithoutAVerdictNothingHolds) {
  AttackResult broken = judged(0, "");
  broken.judged = false;
  EXPECT_EQ(outcome_of(expecting({"points 0"}), broken), AttackOutcome::kFail);
  EXPECT_EQ(outcome_of(expecting({"no_compile"}), broken), AttackOutcome::kFail);
  broken.compiled = false;
  EXPECT_EQ(outcome_of(expecting({"no_compile"}), broken), AttackOutcome::kRefused);
}

TEST(OutcomeOfAnAttack, AnEffectIsAHoleUnlessASandboxIsWhatItTakes) {
  AttackResult effect = judged(30, "");
  effect.effects.emplace_back("made a file");
  EXPECT_EQ(outcome_of(expecting({"honest"}), effect), AttackOutcome::kFail);
  EXPECT_EQ(outcome_of(expecting({"honest"}, true), effect), AttackOutcome::kOpen);
  for (const sandbox::Level level : sandbox::kBestFirst) {
    if (level == sandbox::Level::kLimits) continue;
    EXPECT_EQ(outcome_of(expecting({"honest"}, true), effect, level), AttackOutcome::kFail);
  }
}

TEST(GainOfAnAttack, IsPointsOrAnEffect) {
  const Attack attack = expecting({"points <= 5", "first N-EXIT"});
  EXPECT_TRUE(has_gained(attack, judged(6, "N-EXIT")));
  EXPECT_FALSE(has_gained(attack, judged(5, "N-TIME"))) << "a slow machine does that";
  EXPECT_FALSE(has_gained(attack, AttackResult{})) << "no verdict";
  EXPECT_FALSE(has_gained(expecting({"honest"}), judged(29, "N-TIME")));
  AttackResult quick = judged(4, "");
  quick.ratio = 1.5;
  quick.margin = 0.1;
  EXPECT_TRUE(has_gained(expecting({"ratio <= 1.25"}), quick));
  quick.margin = 0.3;
  EXPECT_FALSE(has_gained(expecting({"ratio <= 1.25"}), quick)) << "an unsteady clock does that";
  AttackResult late = judged(0, "N-EXIT");
  late.effects = {kHeldUp};
  EXPECT_FALSE(has_gained(attack, late));
  late.effects.emplace_back("showed a secret");
  EXPECT_TRUE(has_gained(attack, late));
}

TEST(SharesOfAttacks, TogetherAreAll) {
  std::vector<Attack> all;
  for (const char* const name : {"a", "b", "c", "d", "e"})
    all.push_back(expecting({})), all.back().name = name;
  std::vector<std::string> seen;
  for (const char* const text : {"1/3", "2/3", "3/3"}) {
    for (const Attack& attack : share_of(all, share_from(text).value()))
      seen.push_back(attack.name);
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"a", "d", "b", "e", "c"}));
}

TEST(SharesOfAttacks, NonsenseIsNone) {
  for (const char* const text : {"", "1", "0/3", "4/3", "1/0", "1/3x", "a/b", "-1/3", "1:3"}) {
    EXPECT_FALSE(share_from(text)) << text;
  }
}

TEST(OutcomeOfAnAttack, AnUnknownExpectationIsAnError) {
  EXPECT_THROW(outcome_of(expecting({"all is well"}), judged(0, "")), std::runtime_error);
}

/// Runs `nibble teach attack` with `words` behind it.
int attack_command(std::vector<std::string> words) {
  const lab::Kit kit = lab::open_kit(NIBBLE_TEST_BUILD);
  CLI::App app;
  int exit_code = -1;
  add_attack_command(app, kit, exit_code);
  words.insert(words.begin(), "attack");
  std::ranges::reverse(words);  // CLI11 takes them from the back
  app.parse(words);
  return exit_code;
}

// A few of each kind; `nibble teach attack` runs them all, as a test of its own.
TEST(AttackSuite, ASampleDoesNotGetThrough) {
  EXPECT_EQ(attack_command({"exit_zero", "prints_success", "own_main", "sleeps", "leaves_a_daemon",
                            "answers_unasked", "includes_solution", "reads_the_solution"}),
            0);
}

TEST(AttackSuite, NoAttackAtAllIsAFailure) {
  EXPECT_EQ(attack_command({"no_such_attack", "--level", "L0"}), 1);
}

TEST(AttackSuite, ALevelThatThereIsNotIsAWrongWord) {
  EXPECT_THROW(attack_command({"exit_zero", "--level", "L2"}), CLI::ValidationError);
}

}  // namespace
}  // namespace nibble::attacks
