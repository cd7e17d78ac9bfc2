// An order to judge crosses whole: every field, every byte; and one that is not whole is refused by
// the name of what is wrong with it.
#include "protocol/terms.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace nibble::protocol {
namespace {

using namespace std::chrono_literals;

/// No field as it is by itself.
Terms every_field() {
  return {.task = Terms::Task::kCountBook,
          .lab = "03_symmetric",
          .leg = Leg::kGpuSanitizer,
          .exercise = "quantize",
          .check = "TiesGoToEven",
          .only_case = "x = \"1\"\n",
          .hidden = true,
          .unpaid = true,
          .show = true,
          .brief = true,
          .seed = "0x71c3",
          .salt = "a secret",
          .child = "/a/child",
          .watched = "/a/watched",
          .counted = "/a/counted",
          .published = "/a/published",
          .published_counted = "/a/published.counted",
          .count_book = "/a/book.json",
          .groups = "/sys/fs/cgroup/a",
          .level = sandbox::Level::kStatic,
          .cpu_limit = 1ms,
          .wall_limit = 2ms,
          .check_limit = 3ms,
          .budget = 300s,
          .budget_left = 5ms};
}

std::string without(std::string text, const std::string& part, const std::string& other = "") {
  const std::size_t place = text.find(part);
  EXPECT_NE(place, std::string::npos) << part << " in " << text;
  return text.replace(place, part.size(), other);
}

void is_refused(const std::string& text, const std::string& why) {
  try {
    read_terms(text);
    FAIL() << text;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(Terms, CrossWithEveryField) {
  const std::string text = text_of(every_field());
  const Terms read = read_terms(text);
  EXPECT_EQ(text_of(read), text);
  EXPECT_EQ(read.task, Terms::Task::kCountBook);
  EXPECT_EQ(read.leg, Leg::kGpuSanitizer);
  EXPECT_EQ(read.only_case, every_field().only_case);
  EXPECT_EQ(read.level, sandbox::Level::kStatic);
  EXPECT_EQ(read.budget, 300s);
  EXPECT_EQ(read.budget_left, 5ms);
  EXPECT_TRUE(read.hidden && read.unpaid && read.show && read.brief);
  EXPECT_EQ(text_of(read_terms(text_of({}))), text_of({}));
}

TEST(Terms, CrossWithEveryByte) {
  Terms terms;
  for (int byte = 0; byte < 256; ++byte) terms.salt += static_cast<char>(byte);
  EXPECT_EQ(read_terms(text_of(terms)).salt, terms.salt);
}

TEST(Terms, ThatAreNotWholeAreRefusedByName) {
  const std::string text = text_of(every_field());
  is_refused("", "a JSON object");
  is_refused("[]", "a JSON object");
  is_refused(without(text, "\"seed\":\"0x71c3\","), "\"seed\" is missing");
  is_refused(without(text, "\"seed\"", "\"speed\":1,\"seed\""), "\"speed\" is unknown");
  is_refused(without(text, "\"0x71c3\"", "7"), "\"seed\" is not");
  is_refused(without(text, "\"gpu_sanitizer\"", "\"gpus\""), "\"leg\" is not");
  is_refused(without(text, "\"LS\"", "\"L9\""), "\"level\" is not");
  is_refused(without(text, "\"hidden\":true", "\"hidden\":1"), "\"hidden\" is not");
  is_refused(without(text, "300000", "-1"), "\"budget_ms\" is not");
  is_refused(without(text, "a secret", "\u4e2d"), "\"salt\" is not");
}

}  // namespace
}  // namespace nibble::protocol
