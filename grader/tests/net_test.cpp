// The images and the network that labs share: pinned by checksum, whatever compiles them; and IDX
// files as they come.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nibble/net/glyphs.hpp"
#include "nibble/net/idx.hpp"
#include "nibble/net/train.hpp"

namespace nibble {
namespace {

/// FNV-1a.
std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;
  return hash;
}

std::uint64_t checksum(const Mlp& net) {
  std::vector<std::uint8_t> bytes;
  for (const Linear& layer : net.layers) {
    for (const auto* const values : {&layer.weight, &layer.bias}) {
      for (const float value : *values) idx::put(bytes, std::bit_cast<std::uint32_t>(value));
    }
  }
  return checksum(bytes);
}

constexpr std::size_t kSizes[] = {784, 32, 10};

TEST(Glyphs, AreTheSameBytesEverywhere) {
  const Images images = make_glyphs(300, /*seed=*/1);
  EXPECT_EQ(images.size(), 300u);
  EXPECT_EQ(images.pixels.size(), 300u * 28 * 28);
  EXPECT_EQ(checksum(images.pixels), 7722001325336954082u);
}

TEST(Glyphs, OfAnotherSeedAreOthers) {
  EXPECT_NE(make_glyphs(20, 1).pixels, make_glyphs(20, 2).pixels);
  const Images few = make_glyphs(10, 1), many = make_glyphs(20, 1);
  EXPECT_TRUE(std::ranges::equal(few.pixels, std::span(many.pixels).first(few.pixels.size())))
      << "an image does not depend on how many are drawn";
}

TEST(Glyphs, HaveInkAndPaper) {
  const Images images = make_glyphs(50, 3);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const auto image = images.image(i);
    const auto ink = std::ranges::count_if(image, [](std::uint8_t pixel) { return pixel > 128; });
    EXPECT_GT(ink, 15) << i;
    EXPECT_LT(ink, 350) << i;
  }
}

TEST(Training, GivesTheSameWeightsEverywhere) {
  Mlp net = untrained(kSizes, /*seed=*/1);
  train(net, make_glyphs(300, 1), {.epochs = 2});
  EXPECT_EQ(checksum(net), 15465985477654403861u);
}

TEST(Training, LearnsWhatItSees) {
  Mlp net = untrained(kSizes, 1);
  const Images images = make_glyphs(300, 1);
  EXPECT_LT(accuracy(net, images), 0.3);
  train(net, images, {.epochs = 15});
  EXPECT_GT(accuracy(net, images), 0.9);
}

TEST(Training, FollowsTheSlope) {
  // The loss of one example against the gradient, weight by weight, by differences.
  const std::size_t sizes[] = {3, 4, 2};
  const Mlp net = untrained(sizes, 5);
  const std::vector<float> x{0.5f, -1, 0.25f};
  const std::vector<std::uint8_t> label{1};
  const auto loss = [&](const Mlp& some) {
    const std::vector<float> s = forward(some, x);
    return std::log(std::exp(double(s[0])) + std::exp(double(s[1]))) - s[1];
  };
  const auto values = forward_all(net, x);
  const auto top = linear_gradient(net.layers[1], values[1], score_gradient(values[2], label),
                                   /*by_input=*/true);
  for (std::size_t i = 0; i < net.layers[1].weight.size(); ++i) {
    Mlp up = net, down = net;
    up.layers[1].weight[i] += 1e-2f;
    down.layers[1].weight[i] -= 1e-2f;
    EXPECT_NEAR(top.weight[i], (loss(up) - loss(down)) / 2e-2, 2e-3) << i;
  }
}

TEST(Exponential, IsNearTheLibrarys) {
  for (float x = 0; x > -20; x -= 0.37f) EXPECT_NEAR(exponential(x), std::exp(x), 1e-3) << x;
  EXPECT_EQ(exponential(0), 1);
  EXPECT_EQ(exponential(-5000), 0);
}

// --- IDX ----------------------------------------------------------------------------------------

struct Files {
  std::vector<std::uint8_t> images, labels;
};

Files files_of(const Images& all) {
  auto [images, labels] = idx_of(all);
  return {std::move(images), std::move(labels)};
}

std::string refusal(const Files& files) {
  try {
    images_of_idx("images", files.images, "labels", files.labels);
  } catch (const BadIdx& error) {
    return error.what();
  }
  return "read";
}

TEST(Idx, ReadsWhatItWrites) {
  const Images all = make_glyphs(7, 1);
  const Files files = files_of(all);
  const Images read = images_of_idx("images", files.images, "labels", files.labels);
  EXPECT_EQ(read.pixels, all.pixels);
  EXPECT_EQ(read.labels, all.labels);
  EXPECT_EQ(read.rows, 28);
  EXPECT_EQ(files.images.size(), 16u + 7 * 784);
  EXPECT_EQ(files.images[3], 3);
  EXPECT_EQ(files.labels[7], 7) << "numbers are big-endian";
}

TEST(Idx, NamesWhatIsWrong) {
  const Files good = files_of(make_glyphs(7, 1));
  Files files = good;
  files.images.resize(1000);
  EXPECT_EQ(
      refusal(files),
      "images says that 5488 bytes follow its header, and 984 do: it was cut off; fetch it again");
  files = good;
  files.images.push_back(0);
  EXPECT_NE(refusal(files).find("something was added"), std::string::npos);
  files = good;
  files.images.resize(9);
  EXPECT_EQ(refusal(files), "images ends within its header: it was cut off; fetch it again");
  files = good;
  std::swap(files.images, files.labels);
  EXPECT_EQ(refusal(files),
            "images begins with 2049, not with 2051 (images of bytes): another file is meant");
  files = good;
  files.labels[7] = 6;
  EXPECT_EQ(refusal(files),
            "labels labels 6 images, and images holds 7: they do not belong together");
  files = good;
  files.labels[8 + 4] = 77;
  EXPECT_EQ(refusal(files), "labels gives image 4 the label 77: 0 to 9 are read");
  files = good;
  files.images = {0x1F, 0x8B, 8, 0};
  EXPECT_EQ(refusal(files), "images is packed by gzip: unpack it first (gunzip)");
  files = good;
  files.images[8] = 0xFF;  // rows
  EXPECT_NE(refusal(files).find("1 to 4096 a side are read"), std::string::npos);
  files = good;
  files.images[4] = 0xFF;  // count
  EXPECT_NE(refusal(files).find("it was cut off"), std::string::npos);
}

TEST(Idx, NamesTheFileThatIsNotThere) {
  try {
    read_mnist("/nowhere", "t10k");
    FAIL();
  } catch (const BadIdx& error) {
    EXPECT_EQ(std::string(error.what()),
              "/nowhere/t10k-images-idx3-ubyte cannot be read: is it there?");
  }
}

}  // namespace
}  // namespace nibble
