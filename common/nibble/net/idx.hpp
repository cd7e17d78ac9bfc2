// Reads and writes images in MNIST's IDX format, so that a real MNIST drops in for QGlyphs.
//
//     images   00 00 08 03 | count | rows | columns | pixels, one byte each
//     labels   00 00 08 01 | count | labels, one byte each          numbers: 4 bytes, big-endian
//
// Source: Y. LeCun, C. Cortes, C. J. C. Burges, "The MNIST database of handwritten digits".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "nibble/net/images.hpp"

namespace nibble {

/// A file that is no IDX file of the kind that is wanted: says which, why, and what to do.
struct BadIdx : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace idx {

inline constexpr std::uint32_t kImages = 0x00000803, kLabels = 0x00000801;
/// An image of more pixels a side is not what these labs are about.
inline constexpr std::uint32_t kLongestSide = 4096;

/// Takes numbers from the front of a file's bytes.
class Header {
 public:
  Header(std::string name, std::span<const std::uint8_t> bytes)
      : name_(std::move(name)), bytes_(bytes) {}

  std::uint32_t take() {
    if (bytes_.size() < 4) refuse("ends within its header: it was cut off; fetch it again");
    std::uint32_t number = 0;
    for (const std::uint8_t byte : bytes_.first(4)) number = number << 8 | byte;
    bytes_ = bytes_.subspan(4);
    return number;
  }

  void expect_kind(std::uint32_t kind) {
    const bool is_packed = bytes_.size() >= 2 && bytes_[0] == 0x1F && bytes_[1] == 0x8B;
    if (is_packed) refuse("is packed by gzip: unpack it first (gunzip)");
    const std::uint32_t found = take();
    if (found != kind) {
      refuse("begins with " + std::to_string(found) + ", not with " + std::to_string(kind) +
             (kind == kImages ? " (images of bytes)" : " (labels)") + ": another file is meant");
    }
  }

  /// The rest, which has to be exactly so many bytes.
  std::vector<std::uint8_t> rest(std::uint64_t size) {
    if (bytes_.size() != size) {
      refuse("says that " + std::to_string(size) + " bytes follow its header, and " +
             std::to_string(bytes_.size()) +
             " do: " + (bytes_.size() < size ? "it was cut off" : "something was added") +
             "; fetch it again");
    }
    return {bytes_.begin(), bytes_.end()};
  }

  [[noreturn]] void refuse(const std::string& why) const { throw BadIdx(name_ + " " + why); }

 private:
  std::string name_;
  std::span<const std::uint8_t> bytes_;
};

inline std::vector<std::uint8_t> bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw BadIdx(file.string() + " cannot be read: is it there?");
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put(std::vector<std::uint8_t>& bytes, std::uint64_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes.push_back(static_cast<std::uint8_t>(number >> shift));
  }
}

}  // namespace idx

/// Images and their labels from the bytes of two files, whose names are for messages.
inline Images images_of_idx(const std::string& images_name,
                            std::span<const std::uint8_t> image_bytes,
                            const std::string& labels_name,
                            std::span<const std::uint8_t> label_bytes) {
  idx::Header image(images_name, image_bytes), label(labels_name, label_bytes);
  image.expect_kind(idx::kImages);
  const std::uint64_t count = image.take(), rows = image.take(), columns = image.take();
  if (rows == 0 || columns == 0 || rows > idx::kLongestSide || columns > idx::kLongestSide) {
    image.refuse("has images of " + std::to_string(rows) + " x " + std::to_string(columns) +
                 ": 1 to " + std::to_string(idx::kLongestSide) + " a side are read");
  }
  Images all{
      static_cast<int>(rows), static_cast<int>(columns), image.rest(count * rows * columns), {}};
  label.expect_kind(idx::kLabels);
  const std::uint64_t labelled = label.take();
  if (labelled != count) {
    label.refuse("labels " + std::to_string(labelled) + " images, and " + images_name + " holds " +
                 std::to_string(count) + ": they do not belong together");
  }
  all.labels = label.rest(count);
  for (std::size_t i = 0; i < all.labels.size(); ++i) {
    if (all.labels[i] > 9) {
      label.refuse("gives image " + std::to_string(i) + " the label " +
                   std::to_string(all.labels[i]) + ": 0 to 9 are read");
    }
  }
  return all;
}

/// `which` is "train" or "t10k": the two files of that name in a folder, unpacked.
inline Images read_mnist(const std::filesystem::path& folder, const std::string& which) {
  const std::filesystem::path images = folder / (which + "-images-idx3-ubyte");
  const std::filesystem::path labels = folder / (which + "-labels-idx1-ubyte");
  const std::vector<std::uint8_t> image_bytes = idx::bytes_of(images);
  return images_of_idx(images.string(), image_bytes, labels.string(), idx::bytes_of(labels));
}

/// The bytes of the two files that hold `all`: images, labels.
inline std::pair<std::vector<std::uint8_t>, std::vector<std::uint8_t>> idx_of(const Images& all) {
  std::vector<std::uint8_t> images, labels;
  for (const std::uint64_t number :
       {std::uint64_t{idx::kImages}, std::uint64_t{all.size()},
        static_cast<std::uint64_t>(all.rows), static_cast<std::uint64_t>(all.columns)}) {
    idx::put(images, number);
  }
  images.insert(images.end(), all.pixels.begin(), all.pixels.end());
  idx::put(labels, idx::kLabels);
  idx::put(labels, all.size());
  labels.insert(labels.end(), all.labels.begin(), all.labels.end());
  return {std::move(images), std::move(labels)};
}

}  // namespace nibble
