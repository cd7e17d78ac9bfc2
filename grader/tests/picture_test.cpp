// What nibble show draws: pictures of hand-made values, and those of the published solutions, which
// the chapters have from programs of their own.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <stdexcept>

#include "files/files.hpp"
#include "learners_project.hpp"
#include "record/codec.hpp"
#include "report/block_picture.hpp"
#include "report/clips_picture.hpp"
#include "report/picture.hpp"
#include "report/ruler_picture.hpp"
#include "report/staircase_picture.hpp"

namespace nibble {
namespace {

namespace fs = std::filesystem;

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++count;
  return count;
}

// --- Clips ---------------------------------------------------------------------------------------

/// Three bins up to 6; a clip on the end of the first belongs to it.
const record::Clips kClips{6.0, {8, 1, 0}, {{"all", 6.0}, {"half", 2.0}, {"wild", 7.5}}};

TEST(ClipsPicture, HasALineForEachBinAndItsClips) {
  EXPECT_EQ(report::clips_text(kClips),
            "up to  count  of 9 values of |x|\n"
            "  2.0      8|########                                       <- half\n"
            "  4.0      1|#\n"
            "  6.0      0|                                               <- all\n"
            "beyond: wild at 7.5\n");
}

TEST(ClipsPicture, DrawsAMarkWhereTheClipIs) {
  const std::string svg = report::clips_svg(kClips);
  EXPECT_EQ(count_of(svg, "<rect"), 3);
  EXPECT_EQ(count_of(svg, "class=\"mark\""), 2) << "the wild one has no place";
  EXPECT_HOLDS(svg, "class=\"mark\" x1=\"350.0\"");  // 10 + 340 * 6 / 6
  EXPECT_HOLDS(svg, "class=\"mark\" x1=\"123.3\"");  // 10 + 340 * 2 / 6
  EXPECT_HOLDS(svg, "9 values up to 6, and who cuts where: all at 6; half at 2; wild at 7.5.");
}

TEST(ClipsPicture, IsNothingWithoutValues) {
  EXPECT_EQ(report::clips_text({}), "");
  EXPECT_EQ(report::clips_svg({}), "");
  EXPECT_HOLDS_NO(report::clips_svg({1.0, {0, 0}, {{"none", 0.0}}}), "nan");
}

// --- The staircase -------------------------------------------------------------------------------

/// Values beyond both ends: 1.25 still rounds to the last line. 0.25 lies between two.
const std::vector<record::Curve> kCurves{{"by x", 0.0, 1.0, 1, {0.0, 1.0, 1.25, 1.75}},
                                         {"by scale", -0.5, 0.5, 2, {0.25, -0.5, -2.0, 0.0}}};

TEST(StaircasePicture, HasALineForEachStep) {
  EXPECT_EQ(
      report::staircase_text(kCurves),
      "         by x  1.00| **^\n"
      "               0.00|*---\n"
      "\n"
      "     by scale  0.50|*\n"
      "               0.00|---*\n"
      "              -0.50| *v\n"
      "\n"
      "         x / scale -4      -3      -2      -1       0       1       2       3       4\n");
}

TEST(StaircasePicture, DrawsADotForEachValue) {
  const std::string svg = report::staircase_svg(kCurves);
  EXPECT_EQ(count_of(svg, "<circle class=\"accent\""), 5);
  EXPECT_EQ(count_of(svg, "<circle class=\"got\""), 3) << "on the border: they lie beyond it";
  EXPECT_HOLDS(svg, "at each half of x / scale from -4 on: by x 0; by scale 0.25.\"");
}

TEST(StaircasePicture, IsNothingWhereNothingCanBeDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<record::Curve>& curves :
       {std::vector<record::Curve>{},
        {{"no height", 1.0, 1.0, 1, {1.0}}},
        {{"no lines", 0.0, 1.0, 0, {1.0}}},
        {{"too high", 0.0, 1e9, 1, {1.0}}},
        {{"no numbers", nan, nan, 1, {1.0}}},
        {{"too long", 0.0, 1.0, 1, std::vector<double>(66)}}}) {
    EXPECT_EQ(report::staircase_text(curves) + report::staircase_svg(curves), "");
  }
}

// --- The ruler -----------------------------------------------------------------------------------

const std::vector<record::RulerRow> kRows{{"E2M1", "|---|", ".01.", 0.5, 6.0, 2}};

TEST(RulerPicture, HasEveryRowThreeTimes) {
  const std::string text = report::ruler_text(kRows);
  EXPECT_HOLDS(text, "\nE2M1      |---|\n");
  EXPECT_HOLDS(text, "\nE2M1      .01.\n");
  EXPECT_HOLDS(text, "\nE2M1               0.5             6                     2\n");
  EXPECT_EQ(report::ruler_text({}), "");
}

TEST(RulerPicture, DrawsALineForEachNumber) {
  const std::string svg = report::ruler_svg(kRows);
  EXPECT_EQ(count_of(svg, "class=\"axis\""), 2 + 1) << "two numbers, and the ground of the bars";
  EXPECT_EQ(count_of(svg, "<rect"), 2);
  EXPECT_HOLDS(svg, "E2M1 has 2 numbers from 1 to 2, and reaches from 0.5 to 6.\"");
  EXPECT_EQ(report::ruler_svg({}), "");
}

// --- A block -------------------------------------------------------------------------------------

/// d = 1, then 16 pairs of codes: byte b holds b - 8 low and 7 - b high.
std::vector<int> counting_block() {
  std::vector<int> bytes{0x00, 0x3C};
  for (int b = 0; b < 16; ++b) bytes.push_back(b + 16 * (15 - b));
  return bytes;
}

TEST(BlockPicture, ShowsBothCodesOfAByte) {
  EXPECT_EQ(report::block_text(counting_block()),
            "byte     0   1  |   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16  17\n"
            "hex     00  3c  |  f0  e1  d2  c3  b4  a5  96  87  78  69  5a  4b  3c  2d  1e  0f\n"
            "high            |  16  17  18  19  20  21  22  23  24  25  26  27  28  29  30  31\n"
            "  code          |   7   6   5   4   3   2   1   0  -1  -2  -3  -4  -5  -6  -7  -8\n"
            "low             |   0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15\n"
            "  code          |  -8  -7  -6  -5  -4  -3  -2  -1   0   1   2   3   4   5   6   7\n");
  const std::string svg = report::block_svg(counting_block());
  EXPECT_EQ(count_of(svg, "<rect"), 18);
  EXPECT_HOLDS(svg, "Bytes 00 3c: the scale d = 1. Codes: -8 -7 -6");
  EXPECT_EQ(report::block_text({1, 2, 3}), "");
  EXPECT_EQ(report::block_svg(std::vector<int>(18, 256)), "");
}

// --- The record ----------------------------------------------------------------------------------

TEST(Picture, ComesBackAsItWasWritten) {
  const record::Picture picture{kClips, kCurves, kRows, counting_block(), {"<b>not yet</b>"}};
  const std::string text = record::text_of(picture);
  EXPECT_EQ(record::text_of(record::read_picture(text)), text);
  EXPECT_EQ(record::text_of(record::read_picture("{}")), "{}");
  EXPECT_THROW(record::read_picture(R"({"block": [-1]})"), std::invalid_argument);
  EXPECT_THROW(record::read_picture(R"({"clips": {"top": 1}})"), std::invalid_argument);
  EXPECT_HOLDS(report::picture_html(picture), "Not drawn: &lt;b&gt;not yet");
  EXPECT_EQ(report::picture_text({}) + report::picture_html({}), "");
}

// --- nibble show ---------------------------------------------------------------------------------

class ShowCommand : public cli::LearnersProject {
 protected:
  void save_solution_of(const std::string& file) const {
    fs::copy_file(kit_.source / "solutions" / file, root_ / "labs" / file,
                  fs::copy_options::overwrite_existing);
  }

  /// In the place of stubs, each found by its goal.
  void write(const std::string& lab_file, const std::map<std::string, std::string>& code) const {
    const fs::path file = root_ / "labs" / lab_file;
    std::string text = files::read_file(file);
    for (const auto& [goal, line] : code) {
      const std::string stub = "NIBBLE_TODO(\"" + goal + "\");";
      ASSERT_NE(text.find(stub), std::string::npos) << goal;
      text.replace(text.find(stub), stub.size(), line);
    }
    files::write_atomically(file, text);
  }

  /// From its first line on, to the end of what was shown.
  std::string picture_in(const process::Finished& shown, const std::string& first_line) const {
    EXPECT_EQ(shown.exit_status, 0) << shown.err;
    const std::size_t begin = shown.out.find("\n" + first_line);
    EXPECT_NE(begin, std::string::npos) << shown.out;
    return begin == std::string::npos ? "none" : shown.out.substr(begin + 1);
  }

  std::string chapter(const std::string& name) const {
    return files::read_file(kit_.source / "docs" / "book" / name);
  }
};

TEST_F(ShowCommand, DrawsTheClipsOfTheChapter) {
  save_solution_of("07_calibration/calibration.cpp");
  const std::string drawn = picture_in(nibble({"show", "07.entropy_clip"}), "up to  count");
  EXPECT_HOLDS(chapter("07_calibration.md"), drawn);
}

TEST_F(ShowCommand, SaysWhichClipIsNowhere) {
  write("07_calibration/calibration.cpp",
        {{"find the order statistic", "return std::numeric_limits<float>::quiet_NaN();"},
         {"find the clip with the least squared error", "return 1e30f;"}});
  const process::Finished shown = nibble({"show", "07.mse_clip"});
  EXPECT_HOLDS(shown.out, "  0.6  87783|##########################################\n");
  EXPECT_HOLDS(shown.out, "beyond: MSE, 8 bits at 1e+30\n");
  EXPECT_HOLDS(shown.out, "not drawn  99 %: no number came\n");
  EXPECT_HOLDS(shown.out, "not drawn  entropy: this function is not written yet\n");
}

TEST_F(ShowCommand, DrawsTheStaircaseOfTheChapter) {
  save_solution_of("09_fake_quant/fake_quant.cpp");
  const std::string drawn = picture_in(nibble({"show", "09.scale_gradient"}), "        x_hat ");
  EXPECT_HOLDS(chapter("09_fake_quant.md"), drawn);
}

TEST_F(ShowCommand, DrawsSlopesThatAreWrong) {
  write("09_fake_quant/fake_quant.cpp",
        {{"let the gradient through where nothing was clamped", "return {1.0f};"},
         {"add up what a longer step would do", "return 4.0f * x[0];"}});
  const process::Finished shown = nibble({"show", "09.fake_quantize_backward"});
  EXPECT_HOLDS(shown.out, "\n        x_hat  3.00|");
  EXPECT_HOLDS_NO(shown.out, "by x  1.00|");
  EXPECT_HOLDS(shown.out, "by scale  3.00|" + std::string(38, ' ') + "*^^^");
  EXPECT_HOLDS(shown.out, "-2.00|" + std::string(28, 'v') + "*\n");
  EXPECT_HOLDS(shown.out, "not drawn  fake_quantize_backward: of 65 values came 1\n");
  EXPECT_HOLDS(shown.out, "not drawn  zero_point_gradient: this function is not written yet\n");
}

// Lab 10's codes, and lab 11's: each draws rows of its own, and the kit the others.
// The rest is drawn.
TEST_F(ShowCommand, OutlivesWhatItDraws) {
  write("09_fake_quant/fake_quant.cpp", {{"let the gradient through where nothing was clamped",
                                          "for (volatile int i = 0;; i = i + 1) {}"},
                                         {"add up what a longer step would do", "std::abort();"}});
  const process::Finished shown = nibble({"show", "09.zero_point_gradient"});
  EXPECT_EQ(shown.exit_status, 0) << shown.err;
  EXPECT_HOLDS(shown.out, "\n        x_hat  3.00|");
  EXPECT_HOLDS(shown.out, "not drawn  fake_quantize_backward: stopped after 2000 ms of CPU time\n");
  EXPECT_HOLDS(shown.out, "not drawn  scale_gradient: signal 6");
}

TEST_F(ShowCommand, DrawsTheRulerOfTheChapter) {
  save_solution_of("10_half/half.cpp");
  save_solution_of("11_fp8/fp8.cpp");
  for (const char* const exercise : {"10.bfloat16_to_float", "11.e5m2_to_float"}) {
    const std::string drawn = picture_in(nibble({"show", exercise}), "          0 ");
    EXPECT_HOLDS(chapter("11_fp8.md"), drawn);
  }
}

TEST_F(ShowCommand, DrawsTheBlockOfTheChapterAndPutsItOnThePage) {
  save_solution_of("12_int4/int4.cpp");
  const std::string drawn = picture_in(nibble({"show", "12.quantize_q4_0"}), "byte ");
  EXPECT_HOLDS(chapter("12_int4.md"), drawn);
  EXPECT_EQ(nibble({"run", "12", "--leg", "plain"}).exit_status, 0);
  EXPECT_EQ(nibble({"report"}).exit_status, 0);
  EXPECT_HOLDS(files::read_file(root_ / ".nibble" / "report.html"),
               "A Q4_0 block. Bytes 66 2a: the scale d = 0.0499878. Codes: 2 -1 0 4");
}

TEST_F(ShowCommand, SaysWhatIsNotWrittenYet) {
  const process::Finished shown = nibble({"show", "12.quantize_q4_0"});
  EXPECT_EQ(shown.exit_status, 0) << shown.err;
  EXPECT_HOLDS(shown.out, "\nnot drawn  quantize_q4_0: this function is not written yet");
  EXPECT_HOLDS_NO(nibble({"show", "12.pack_int4"}).out, "not drawn");
}

}  // namespace
}  // namespace nibble
