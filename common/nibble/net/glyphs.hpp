// QGlyphs: a data set of our own, so that nothing is downloaded. Five signs of two kinds each,
// drawn as by many hands: turned, stretched, slanted, moved, trembling, thick or thin, on dirty
// paper. 28 x 28 bytes, as MNIST has them.
//
//     0 a ring         2 a z             4 a cup          6 a zigzag       8 a triangle
//     1 open           3 without its     5 without its    7 without its    9 open
//                        last stroke       last stroke      last stroke
//
// Only + - * / and square roots, in float32, one after the other: the same bytes from every
// compiler that keeps IEEE 754 (no -ffast-math, no fused multiply-add).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nibble/net/images.hpp"
#include "nibble/net/split_mix.hpp"

namespace nibble {

inline constexpr int kGlyphSide = 28;

namespace glyphs {

struct Point {
  float x, y;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(float s, Point a) { return {s * a.x, s * a.y}; }
inline float dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }

/// The strokes of a sign, end to end, in [-1, 1] x [-1, 1]; y points down.
inline std::span<const Point> sign(int pair) {
  static constexpr std::array ring{Point{0.4f, -0.8f}, Point{-0.4f, -0.8f}, Point{-0.8f, 0},
                                   Point{-0.4f, 0.8f}, Point{0.4f, 0.8f},   Point{0.8f, 0},
                                   Point{0.4f, -0.8f}};
  static constexpr std::array z{Point{-0.6f, -0.7f}, Point{0.6f, -0.7f}, Point{-0.6f, 0.7f},
                                Point{0.6f, 0.7f}};
  static constexpr std::array cup{Point{-0.6f, -0.7f}, Point{-0.6f, 0.6f}, Point{0.6f, 0.6f},
                                  Point{0.6f, -0.7f}};
  static constexpr std::array zigzag{Point{-0.6f, 0.7f}, Point{-0.6f, -0.7f}, Point{0.6f, 0.7f},
                                     Point{0.6f, -0.7f}};
  static constexpr std::array triangle{Point{0, -0.8f}, Point{0.75f, 0.6f}, Point{-0.75f, 0.6f},
                                       Point{0, -0.8f}};
  const std::array<std::span<const Point>, 5> signs{ring, z, cup, zigzag, triangle};
  return signs.at(static_cast<std::size_t>(pair));
}

/// From the sign's plane to pixels: turned, stretched, slanted, moved.
struct Hand {
  Point right, down;  ///< where (1, 0) and (0, 1) go, in pixels
  Point middle;       ///< where (0, 0) goes
  float tremble;      ///< how far a corner may be off, in the sign's units
  float half_width;   ///< of the pen, in pixels
  float ink;          ///< 0 .. 1
  float dirt;         ///< how far a pixel may be off, 0 .. 1

  Point operator()(Point p) const { return middle + p.x * right + p.y * down; }
};

inline Hand some_hand(SplitMix& random) {
  // A turn by the tangent of half its angle: no sine, whose last bit differs from library to
  // library.
  const float t = random.uniform(-0.15f, 0.15f);
  const float cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t);
  const float wide = random.uniform(7.5f, 10.5f), high = random.uniform(7.5f, 10.5f);
  const float slant = random.uniform(-0.25f, 0.25f);
  const Point right{wide * cosine, wide * sine};
  const Point down{high * (slant * cosine - sine), high * (slant * sine + cosine)};
  const float x = random.uniform(-2, 2), y = random.uniform(-2, 2);
  const float middle = 0.5f * (kGlyphSide - 1);
  Hand hand{right, down, {middle + x, middle + y}, 0.13f, 0, 0, 0};
  hand.half_width = random.uniform(0.5f, 1.5f);
  hand.ink = random.uniform(0.6f, 1.0f);
  hand.dirt = random.uniform(0.05f, 0.3f);
  return hand;
}

/// The corners of a sign as a hand draws it, in pixels. Of the last stroke, whoever closes the sign
/// draws the better part, whoever leaves it open a hook at most.
inline std::vector<Point> drawn(int label, const Hand& hand, SplitMix& random) {
  std::vector<Point> corners;
  for (const Point corner : sign(label / 2)) {
    const float x = random.uniform(-hand.tremble, hand.tremble);
    const float y = random.uniform(-hand.tremble, hand.tremble);
    corners.push_back(hand(corner + Point{x, y}));
  }
  const bool whole = label % 2 == 0;
  const float share = whole ? random.uniform(0.5f, 1.0f) : random.uniform(0.0f, 0.45f);
  const Point last_but_one = corners[corners.size() - 2];
  corners.back() = last_but_one + share * (corners.back() - last_but_one);
  return corners;
}

/// The square of the distance of p to the stroke from a to b.
inline float squared_distance(Point p, Point a, Point b, float inverse_squared_length) {
  const float along = dot(p - a, b - a) * inverse_squared_length;
  const Point off = p - (a + std::clamp(along, 0.0f, 1.0f) * (b - a));
  return dot(off, off);
}

inline void draw(std::span<const Point> corners, const Hand& hand, SplitMix& random,
                 std::span<std::uint8_t> pixels) {
  std::array<float, std::size_t{kGlyphSide} * kGlyphSide> nearest;
  nearest.fill(1e9f);
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    const Point a = corners[i], b = corners[i + 1];
    const float inverse = 1 / std::max(dot(b - a, b - a), 1e-6f);
    for (int row = 0; row < kGlyphSide; ++row) {
      for (int column = 0; column < kGlyphSide; ++column) {
        float& best = nearest[std::size_t{kGlyphSide} * static_cast<std::size_t>(row) +
                              static_cast<std::size_t>(column)];
        const Point p{static_cast<float>(column), static_cast<float>(row)};
        best = std::min(best, squared_distance(p, a, b, inverse));
      }
    }
  }
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const float edge = hand.half_width + 0.5f - std::sqrt(nearest[i]);  // one pixel of gray
    const float gray =
        hand.ink * std::clamp(edge, 0.0f, 1.0f) + random.uniform(-hand.dirt, hand.dirt);
    pixels[i] = static_cast<std::uint8_t>(255 * std::clamp(gray, 0.0f, 1.0f));
  }
}

}  // namespace glyphs

/// `count` images, as many of each label as can be, in an order of their own.
inline Images make_glyphs(std::size_t count, std::uint64_t seed) {
  Images images{kGlyphSide, kGlyphSide, std::vector<std::uint8_t>(count * kGlyphSide * kGlyphSide),
                std::vector<std::uint8_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    SplitMix random(seed * 0x100000000u + i);  // each image has a stream of its own
    random.next();
    const int label = static_cast<int>(i % 10);
    const glyphs::Hand hand = glyphs::some_hand(random);
    const std::vector<glyphs::Point> corners = glyphs::drawn(label, hand, random);
    images.labels[i] = static_cast<std::uint8_t>(label);
    glyphs::draw(corners, hand, random,
                 std::span(images.pixels).subspan(i * images.pixels_each(), images.pixels_each()));
  }
  return images;
}

}  // namespace nibble
