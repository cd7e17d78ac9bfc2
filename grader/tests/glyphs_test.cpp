// nibble glyphs: what stands on the screen and in the picture.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "learners_project.hpp"
#include "nibble/net/glyphs.hpp"
#include "nibble/net/idx.hpp"
#include "report/image_sheet.hpp"

namespace nibble {
namespace {

/// A picture of 4 x 4 with ink in two corners.
Images two_corners() {
  Images one{4, 4, std::vector<std::uint8_t>(16), {7}};
  one.pixels.front() = one.pixels.back() = 255;
  return one;
}

TEST(ImageSheet, PutsADotWhereInkIs) {
  EXPECT_EQ(report::dotted_sheet(two_corners()), " 7 \n \u2801\u2880\n");
}

TEST(ImageSheet, IsABitmap) {
  const std::string sheet = report::bitmap_sheet(two_corners());
  ASSERT_EQ(sheet.size(), 54u + 1024 + 16 * 14) << "a row is a multiple of four bytes";
  EXPECT_EQ(sheet.substr(0, 2), "BM");
  const auto pixel = [&](int x, int y) {
    return static_cast<unsigned char>(sheet[static_cast<std::size_t>(1078 + (13 - y) * 16 + x)]);
  };
  EXPECT_EQ(pixel(0, 0), 0);
  EXPECT_EQ(pixel(2, 2), 0);
  EXPECT_EQ(pixel(3, 2), 255);
  EXPECT_EQ(pixel(11, 11), 0);
  EXPECT_EQ(pixel(13, 13), 255);
}

using GlyphsCommand = cli::LearnersProject;

TEST_F(GlyphsCommand, ShowsTheImagesAndWritesAPicture) {
  const process::Finished done = nibble({"glyphs", "--count", "30"});
  ASSERT_EQ(done.exit_status, 0) << done.err;
  EXPECT_HOLDS(done.out, " 0              1              2 ");
  EXPECT_HOLDS(done.out, "wrote  .nibble/glyphs.bmp   30 images");
  EXPECT_EQ(files::read_file(root_ / ".nibble/glyphs.bmp"),
            report::bitmap_sheet(make_glyphs(30, 1)));
}

TEST_F(GlyphsCommand, TakesMnistInTheirPlace) {
  const auto [images, labels] = idx_of(make_glyphs(12, 5));
  const auto text = [](const auto& bytes) { return std::string(bytes.begin(), bytes.end()); };
  files::write_atomically(root_ / "mnist/t10k-images-idx3-ubyte", text(images));
  files::write_atomically(root_ / "mnist/t10k-labels-idx1-ubyte", text(labels));
  const process::Finished done =
      nibble({"glyphs", "--mnist", (root_ / "mnist").string(), "-o", (root_ / "a.bmp").string()});
  ASSERT_EQ(done.exit_status, 0) << done.err;
  EXPECT_EQ(files::read_file(root_ / "a.bmp"), report::bitmap_sheet(make_glyphs(12, 5)));
}

TEST_F(GlyphsCommand, SaysWhatIsWrongWithAFile) {
  files::write_atomically(root_ / "mnist/t10k-images-idx3-ubyte", "123");
  files::write_atomically(root_ / "mnist/t10k-labels-idx1-ubyte", "123");
  const process::Finished done = nibble({"glyphs", "--mnist", (root_ / "mnist").string()});
  EXPECT_EQ(done.exit_status, cli::kUsage);
  EXPECT_HOLDS(done.err, "t10k-images-idx3-ubyte ends within its header: it was cut off");
  EXPECT_FALSE(std::filesystem::exists(root_ / ".nibble/glyphs.bmp"));
}

}  // namespace
}  // namespace nibble
