// What lies in a batch's folder: its order, its results and their keys, and how far it is; and how
// two such folders are compared.
#include <optional>

#include "a_batch.hpp"
#include "batch/compare.hpp"
#include "batch/order.hpp"
#include "batch/overview.hpp"
#include "batch/plan.hpp"
#include "batch/progress_bar.hpp"
#include "batch/turn.hpp"

namespace nibble::batch {
namespace {

TEST_F(BatchTest, AnOrderIsReadAsItWasWritten) {
  BatchOrder order;
  order.labs = kit_.choose({"03", "19"});
  order.legs.hidden = true;
  order.terms.seed = "0x7";
  order.salt_hash = "sha256:0";
  order.started = "2026-10-01T14:02:11Z";
  order.submissions = {{"kim", "/a/kim", {"03_symmetric"}},
                       {"lee", "", {"03_symmetric"}, "two are called lee"}};
  write_order(here_, order);
  const std::optional<BatchOrder> read = read_order(kit_, here_);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->labs, order.labs);
  EXPECT_TRUE(read->legs.hidden);
  EXPECT_EQ(read->terms.seed, "0x7");
  EXPECT_EQ(read->salt_hash, "sha256:0");
  EXPECT_FALSE(read->salt_is_lost);
  ASSERT_EQ(read->submissions.size(), 2u);
  EXPECT_EQ(read->submissions[0].path, "/a/kim");
  EXPECT_EQ(read->submissions[0].labs, Strings{"03_symmetric"});
  EXPECT_EQ(read->submissions[1].refusal, "two are called lee");
}

TEST_F(BatchTest, AnOrderOfAnotherVersionIsRefusedByName) {
  EXPECT_FALSE(read_order(kit_, here_));
  for (const char* const text :
       {"{\"grades\": 7}", "{\"grades\": 1}", "{\"grades\": \"x\"}", "{", "[]"}) {
    put("grades.json", text);
    EXPECT_THROW(read_order(kit_, here_), std::invalid_argument) << text;
  }
}

TEST_F(BatchTest, WhatIsUnreadableIsGradedAgain) {
  Batch batch{here_, {{"03_symmetric", {{"03_symmetric"}, {.seed = "0x1"}, {}, "sha256:t"}}}};
  put("kim/submitted/03_symmetric/symmetric.cpp", "text");
  const std::vector<Grading> all = handed_in(batch, {{"kim", ""}, {"absent", ""}});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(plan(batch, all).missing.size(), 1u);
  const std::string key = key_of(batch.orders["03_symmetric"], "text");
  keep_result(here_, "kim", result_of("03_symmetric", key));
  EXPECT_EQ(plan(batch, all).done, 1u);
  for (const char* const damaged : {"", "{", "[]", "{\"manifest\": 3}"}) {
    put("kim/03_symmetric.json", damaged);
    EXPECT_EQ(plan(batch, all).missing.size(), 1u) << damaged;
  }
  keep_result(here_, "kim", result_of("03_symmetric", "sha256:other"));
  EXPECT_EQ(plan(batch, all).of_another_key, 1u);
}

TEST_F(BatchTest, AnEditedResultIsGradedAgain) {
  Batch batch{here_, {{"03_symmetric", {{"03_symmetric"}, {.seed = "0x1"}, {}, "sha256:t"}}}};
  put("kim/submitted/03_symmetric/symmetric.cpp", "text");
  record::Result edited = result_of("03_symmetric", key_of(batch.orders["03_symmetric"], "text"));
  edited.points = 76;
  keep_result(here_, "kim", edited);
  EXPECT_EQ(plan(batch, handed_in(batch, {{"kim", ""}})).missing.size(), 1u);
}

TEST_F(BatchTest, FilesThatSomebodyHasBeenAtStopNothing) {
  BatchOrder order;
  order.labs = {{"03_symmetric"}};
  order.submissions = {{"kim", ""}};
  put("kim/submitted/03_symmetric/symmetric.cpp", "text");
  const std::string key = "sha256:1";
  const Json with_key_alone = {{"manifest", {{"key", key}}}};
  for (const std::string& text : {std::string("[]"), std::string("7"), with_key_alone.dump()}) {
    for (const char* const name : {"03_symmetric.json", "03_symmetric.fault.json", "intake.json"}) {
      put(fs::path("kim") / name, text);
    }
    EXPECT_EQ(look_over(here_, order).graded, 0u) << text;
    EXPECT_THROW(compare(here_, here_), std::invalid_argument) << "there is no result";
  }
  keep_result(here_, "kim", result_of("03_symmetric", key));
  EXPECT_EQ(read_result(result_file(here_, "kim", "03_symmetric"))->manifest.key, key);
}

TEST_F(BatchTest, OneBatchAtATimeWorksOnAFolder) {
  {
    const Turn turn(here_);
    EXPECT_THROW(Turn{here_}, std::invalid_argument);
    EXPECT_NO_THROW(Turn{here_ / "another"});
  }
  EXPECT_NO_THROW(Turn{here_}) << "the first has ended";
}

TEST(BatchKey, ChangesWithAllThatDecidesAVerdict) {
  const lab::Kit kit = lab::open_kit(NIBBLE_TEST_BUILD);
  const LabOrder order{{"03_symmetric"}, {.seed = "0x1", .salt = "salt"}, {.hidden = true}};
  const auto key = [&](const lab::Kit& of, const LabOrder& changed) {
    return key_of(settled(of, changed), "text");
  };
  const std::string first = key(kit, order);
  EXPECT_EQ(first, key(kit, order));
  EXPECT_NE(first, key_of(settled(kit, order), "text "));
  LabOrder other = order;
  other.legs.hidden = false;
  EXPECT_NE(first, key(kit, other));
  other = order;
  other.terms.seed = "0x2";
  EXPECT_NE(first, key(kit, other));
  other = order;
  other.terms.salt = "pepper";
  EXPECT_NE(first, key(kit, other));
  other = order;
  other.legs.sanitizers = false;
  EXPECT_NE(first, key(kit, other));
  other = order;
  other.terms.budget = std::chrono::seconds(60);
  EXPECT_NE(first, key(kit, other));
  other = order;
  other.legs.gpu = true;
  EXPECT_NE(first, key(kit, other));
  lab::Kit patched = kit;
  patched.cxx_name += " patched";
  EXPECT_NE(first, key(patched, order));
  EXPECT_EQ(first.find("salt"), std::string::npos);
}

TEST_F(BatchTest, ComparesWhatMustNotDifferAndNothingElse) {
  const record::Result one = result_of("03_symmetric", "k");
  record::Result other = one;
  other.started = "later";
  other.checks[0].seconds = 7.0;
  keep_result(here_ / "a", "kim", one);
  keep_result(here_ / "b", "kim", other);
  EXPECT_TRUE(compare(here_ / "a", here_ / "b").empty());
  record::Result fast = one, faster = one;
  fast.checks[0].speed.emplace();
  faster.checks[0].speed.emplace();
  faster.checks[0].points += 2;
  faster.points += 2;
  keep_result(here_ / "fast", "kim", fast);
  keep_result(here_ / "faster", "kim", faster);
  EXPECT_TRUE(compare(here_ / "fast", here_ / "faster").empty()) << "a speed that was measured";
  other.checks[0].status = record::CheckStatus::kFail;
  keep_result(here_ / "b", "kim", other);
  EXPECT_EQ(compare(here_ / "a", here_ / "b")[0].what,
            "the same points, another check: f.A: pass -> fail");
  other.points = 70;
  keep_result(here_ / "b", "kim", other);
  EXPECT_EQ(compare(here_ / "a", here_ / "b")[0].what, "75 -> 70 points  f.A: pass -> fail");
  keep_result(here_ / "b", "lee", one);
  EXPECT_EQ(compare(here_ / "a", here_ / "b")[1].id, "lee");
  fs::create_directory(here_ / "c");
  EXPECT_THROW(compare(here_ / "a", here_ / "c"), std::invalid_argument);
}

TEST(Progress, SaysHowFarHowFastAndHowLong) {
  EXPECT_EQ(progress_text(0, 500, 0.0), "[--------------------]   0/500");
  EXPECT_EQ(progress_text(250, 500, 100.0),
            "[##########----------] 250/500  2.5/s  1 min 40 s left");
  EXPECT_EQ(progress_text(500, 500, 200.0), "[####################] 500/500  2.5/s");
  EXPECT_EQ(progress_text(1, 10'000, 1.0),
            "[--------------------]     1/10000  1.0/s  2 h 46 min left");
}

}  // namespace
}  // namespace nibble::batch
