// The picture of a warp's request, and a kernel with its counts beside each line.
#include <gtest/gtest.h>

#include "report/access_picture.hpp"
#include "report/traffic_screen.hpp"

namespace nibble::report {
namespace {

Access access_of(bool shared, unsigned bytes, std::int64_t stride) {
  Access access;
  access.line = 3;
  access.subject = shared ? "tile" : "x";
  access.shared = shared;
  access.use = "load";
  access.bytes = bytes;
  access.requests = 1;
  access.lanes = 32;
  access.sample_lanes = 0xFFFF'FFFF;
  for (std::int64_t lane = 0; lane < 32; ++lane) {
    access.sample[static_cast<std::size_t>(lane)] = lane * stride;
  }
  return access;
}

TEST(AccessPicture, NeighboursFillTheirSectors) {
  EXPECT_EQ(access_picture(access_of(false, 4, 4)),
            "  byte      0 |01234567|89abcdef|ghijklmn|opqrstuv|\n");
}

TEST(AccessPicture, StridesLeaveSectorsEmpty) {
  Access access = access_of(false, 4, 64);
  access.sample_lanes = 0b111;
  EXPECT_EQ(access_picture(access),
            "  byte      0 |0.......|\n  byte     64 |1.......|\n  byte    128 |2.......|\n");
}

TEST(AccessPicture, ManySectorsAreCutAndCounted) {
  const std::string text = access_picture(access_of(false, 4, 64));
  EXPECT_EQ(std::ranges::count(text, '\n'), 13);
  EXPECT_NE(text.find("32 sectors in all"), std::string::npos);
}

TEST(AccessPicture, AColumnOfATileMeetsInOneBank) {
  Access access = access_of(true, 4, 128);
  access.sample_lanes = 0b11;
  EXPECT_EQ(access_picture(access),
            "              |0       8       16      24     |  bank\n"
            "  word      0 |0...............................|\n"
            "  word     32 |1...............................|\n");
}

TEST(AccessPicture, BeforeTheBeginningIsAPlaceToo) {
  Access access = access_of(false, 4, 4);
  access.sample_lanes = 1;
  access.sample[0] = -4;
  EXPECT_EQ(access_picture(access), "  byte    -32 |.......0|\n");
}

TEST(AccessPicture, NothingSampledDrawsNothing) {
  Access access = access_of(false, 4, 4);
  access.sample_lanes = 0;
  EXPECT_EQ(access_picture(access), "");
}

TEST(AccessPicture, TheDrawingIsAFileOfItsOwn) {
  const std::string svg = access_svg(access_of(true, 4, 128), "x, line 3: load <tile>");
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(svg.find("<tile>"), std::string::npos);
}

ExerciseTraffic traffic_with(Access access) {
  ExerciseTraffic traffic{
      "quantize", "MovesEachByteOnce", {std::move(access)}, {.blocks = 4}, {.blocks = 2}};
  return traffic;
}

TEST(TrafficScreen, ShowsTheLineWithItsCounts) {
  Access access = access_of(false, 4, 4);
  access.sectors = 4;
  access.useful_bytes = 128;
  const std::string text = traffic_text(traffic_with(access), "one\ntwo\nthree\nfour\nfive\nsix\n",
                                        "quantize.cu", 0, {});
  EXPECT_NE(text.find("128 bytes moved for 128 wanted"), std::string::npos);
  EXPECT_NE(text.find("blocks 4 (2)"), std::string::npos);
  EXPECT_NE(
      text.find("     3  three\n           load   global x                  1 requests   4.00 "
                "sectors each, 100 % wanted\n"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("six"), std::string::npos);
}

TEST(TrafficScreen, MarksWhatCostsTooMuch) {
  Access access = access_of(true, 4, 128);
  access.wavefronts = 32;
  access.ideal_wavefronts = 1;
  const std::string text = traffic_text(traffic_with(access), "a\nb\nc\n", "quantize.cu", 0, {});
  EXPECT_NE(text.find("! load   shared tile"), std::string::npos) << text;
  EXPECT_NE(text.find("31 of them conflicts"), std::string::npos);
}

TEST(TrafficScreen, DrawsTheCostliestUnlessALineIsNamed) {
  Access cheap = access_of(false, 4, 4), dear = access_of(false, 4, 64);
  cheap.line = 1;
  cheap.sectors = 4, cheap.useful_bytes = 128;
  dear.sectors = 32, dear.useful_bytes = 128;
  ExerciseTraffic traffic = traffic_with(cheap);
  traffic.accesses.push_back(dear);
  EXPECT_EQ(access_to_draw(traffic, 0)->line, 3);
  EXPECT_EQ(access_to_draw(traffic, 1)->line, 1);
  EXPECT_EQ(access_to_draw(traffic, 9), nullptr);
}

}  // namespace
}  // namespace nibble::report
