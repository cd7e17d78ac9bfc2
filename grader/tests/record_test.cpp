// What a run found, written and read: the same bytes again, the schema's members and no others, and
// nothing believed of a file that was cut off or edited.
#include <gtest/gtest.h>

#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "files/in_shares.hpp"
#include "json_schema.hpp"
#include "record/codec.hpp"
#include "text/json_text.hpp"

namespace nibble::record {
namespace {

using Json = nlohmann::ordered_json;

Json schema() { return Json::parse(files::read_file(RESULTS_SCHEMA)); }

std::string written(const Json& json) { return text::json_text(json, 2) + "\n"; }

/// As a verdict without --show holds it.
Check a_full_check() {
  Check check;
  static_cast<CheckHead&>(check) = {"TiesGoToEven", "quantize", "ties", true, Detail::kKind, 10};
  check.status = CheckStatus::kFail;
  check.diagnosis = "N-ROUND";
  check.sure = false;
  check.usual = true;
  check.message = "3 of 40 codes differ";
  check.first = FailedCase{"4x8",  "1x2", 6,   "x = [1]",
                           {0, 3}, "3",   "2", Compared{{2}, {"3", "4"}, {"2", "4"}, {0}}};
  check.tolerance = "exact";
  check.location = {"labs/05_per_channel/per_channel.cpp", 31};
  check.replay = "nibble run 05";
  check.speed.emplace();
  check.speed->in_doubt = true;
  check.speed->clock = "child-cpu";
  check.speed->pairs = 9;
  check.estimate = {0.5, 3};
  check.output = "one\n";
  check.shown = {{"4x8", "x = [1]", "the same"}};
  return check;
}

Result a_full_result() {
  Result result;
  result.version = "1.0.0";
  result.lab = "05_per_channel";
  result.end = End::kFail;
  result.legs.gpu_sanitizer = LegState::kRan;
  result.not_here = {"no clock", "no GPU", "no GPU"};
  result.seed = "0x71c3";
  result.started = "2026-10-01T14:02:11Z";
  result.environment = {"g++", "-O2", "x86-64", {"avx2"}, "H200", 3, "groups", 0.4};
  result.manifest = {{{"per_channel.cpp", "sha256:9f2c"}},
                     "sha256:4f1c",
                     "sha256:77aa",
                     "sha256:77ab",
                     "sha256:77ac"};
  result.student = {"s1001", "2026-10-01T13:58:40Z"};
  result.needs_look = {"rule"};
  result.compile_message = "warning";
  result.odd_imports = result.prints = {"system"};
  const Location place{"labs/05_per_channel/per_channel.cpp", 31};
  result.finding = {protocol::Leg::kGpu, "TiesGoToEven", "quantize", "wrong", place, "4x8", "run"};
  result.gpu_sanitizer = {{"memcheck"},
                          {{"memcheck", "quantize", "Ties", "a read", 2, "kernel", "0", place}}};
  result.checks = {a_full_check()};
  return result;
}

TEST(Record, TheSampleComesBackByteForByte) {
  const Json sample = Json::parse(files::read_file(RESULTS_SAMPLE));
  EXPECT_EQ(text_of(read_result(written(sample))), written(sample));
}

TEST(Record, AFullOneComesBackByteForByte) {
  const std::string text = text_of(a_full_result());
  EXPECT_EQ(text_of(read_result(text)), text);
}

TEST(Record, AVerdictTellsMoreOfAKernel) {
  Verdict verdict;
  Check check = a_full_check();
  check.traffic = {{.line = 12, .subject = "x", .shared = true, .use = "load", .bytes = 4}};
  check.traffic[0].sample[31] = -4;
  check.totals = check.published_totals = Totals{.launches = 1};
  verdict.checks = {check};
  const Verdict again = read_verdict(text_of(verdict));
  EXPECT_EQ(again.checks, verdict.checks);
  EXPECT_EQ(text_of(again), text_of(verdict));
}

TEST(Record, AScheme) {
  Scheme scheme{"05_per_channel", {"quantize"}, {}};
  scheme.checks.push_back({{"Ties", "quantize", "ties", false, Detail::kFull, 10}, true, "N-SLOW"});
  const Scheme again = read_scheme(text_of(scheme));
  EXPECT_TRUE(again.checks.at(0).of_speed);
  EXPECT_EQ(text_of(again), text_of(scheme));
}

// --- The schema ---------------------------------------------------------------------------------

TEST(Schema, AFullResultFollowsIt) {
  EXPECT_EQ(test::JsonSchema(schema()).complaints(Json::parse(text_of(a_full_result()))),
            std::vector<std::string>{});
}

/// Goes through a full result beside the schema: both have the same members, and what the schema
/// requires is what nobody can read a result without.
class Beside {
 public:
  void look(const Json::json_pointer& place, const Json& part, const Json& rule) {
    if (rule.contains("$ref")) {
      return look(place, part, schema_.at("definitions").at(name_in(rule["$ref"])));
    }
    if (part.is_array()) {
      if (!part.empty()) look(place / 0, part[0], rule.at("items"));
    } else if (part.is_object() && rule.contains("properties")) {
      look_at_members(place, part, rule);
    }
  }

  const Json schema_ = schema();
  const Json whole_ = Json::parse(text_of(a_full_result()));

 private:
  static std::string name_in(const std::string& reference) { return reference.substr(14); }

  void look_at_members(const Json::json_pointer& place, const Json& part, const Json& rule) {
    const Json required = rule.value("required", Json::array());
    for (const auto& [name, member] : rule["properties"].items()) {
      EXPECT_TRUE(part.contains(name)) << "no record writes " << place / name;
      Json without = whole_;
      without[place].erase(name);
      const bool is_required = std::ranges::count(required, Json(name)) > 0;
      EXPECT_EQ(is_read(without), !is_required) << place / name;
    }
    for (const auto& [name, member] : part.items()) {
      EXPECT_TRUE(rule["properties"].contains(name)) << "the schema lacks " << place / name;
      if (rule["properties"].contains(name)) look(place / name, member, rule["properties"][name]);
    }
  }

  static bool is_read(const Json& json) {
    try {
      read_result(json.dump());
      return true;
    } catch (const std::invalid_argument&) {
      return false;
    }
  }
};

TEST(Schema, HasTheMembersOfARecordAndNoOthers) {
  Beside beside;
  beside.look(Json::json_pointer(), beside.whole_, beside.schema_);
}

TEST(Schema, HasTheWordsOfARecord) {
  const Json whole = schema();
  const Json& check = whole["properties"]["checks"]["items"]["properties"];
  EXPECT_EQ(check["status"]["enum"], Json(kStatusNames));
  EXPECT_EQ(check["detail"]["enum"], Json(kDetailNames));
  EXPECT_EQ(whole["properties"]["verdict"]["enum"], Json(kEndNames));
  EXPECT_EQ(whole["definitions"]["leg"]["enum"], Json(kLegStateNames));
  Json exits = Json::array();
  for (std::size_t i = 0; i < kEndNames.size(); ++i) exits.push_back(exit_of(static_cast<End>(i)));
  EXPECT_EQ(whole["properties"]["exit"]["enum"], exits);
}

// --- What is no record --------------------------------------------------------------------------

std::string why_not(const std::string& text) {
  try {
    read_result(text);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

std::string why_not(const char* place, const Json& value) {
  Json json = Json::parse(text_of(a_full_result()));
  json[Json::json_pointer(place)] = value;
  return why_not(json.dump());
}

TEST(NoRecord, IsSaidByTheNameOfItsMember) {
  EXPECT_EQ(why_not("{"), "the text is not what it should be");
  EXPECT_EQ(why_not("{}"), "nibble is missing");
  EXPECT_EQ(why_not("/schema", 2), "schema is not what it should be");
  EXPECT_EQ(why_not("/exit", 0), "exit is not what it should be");
  EXPECT_EQ(why_not("/lab", "../x"), "lab is not what it should be");
  EXPECT_EQ(why_not("/points", 7.0), "points is not what it should be");
  EXPECT_EQ(why_not("/points", -7), "points is not what it should be");
  EXPECT_EQ(why_not("/points", 1LL << 40), "points is not what it should be");
  EXPECT_EQ(why_not("/legs/gpu_sanitizer", "fine"), "legs.gpu_sanitizer is not what it should be");
  EXPECT_EQ(why_not("/checks/0/status", "great"), "checks[0].status is not what it should be");
  EXPECT_EQ(why_not("/checks/0/visibility", "no"), "checks[0].visibility is not what it should be");
  EXPECT_EQ(why_not("/checks/0/first/index/1", "a"),
            "checks[0].first.index[1] is not what it should be");
}

// --- Many of them at once ------------------------------------------------------------------------

TEST(InShares, HoldAllInOrderAndNoneIsEmpty) {
  for (const int count : {0, 1, 2, 3, 1000}) {
    std::vector<int> all(count), together;
    std::iota(all.begin(), all.end(), 0);
    const auto same = [](std::span<const int> share) {
      return std::vector<int>(share.begin(), share.end());
    };
    for (const std::vector<int>& share : files::in_shares(all, same)) {
      EXPECT_FALSE(share.empty()) << count;
      together.insert(together.end(), share.begin(), share.end());
    }
    EXPECT_EQ(together, all);
  }
}

TEST(InShares, HandOnWhatOneOfThemThrows) {
  const auto refuse = [](std::span<const int> share) -> int {
    throw std::invalid_argument(std::to_string(share.front()));
  };
  EXPECT_THROW(files::in_shares(std::vector{7, 8, 9}, refuse), std::invalid_argument);
}

}  // namespace
}  // namespace nibble::record
