// Finds the bin of each clip; then bars and marks, as text and as a drawing.
#include "report/clips_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "report/drawing.hpp"

namespace nibble::report {
namespace {

using record::Clip;
using record::Clips;

double width_of(const Clips& clips) { return clips.top / static_cast<double>(clips.counts.size()); }

bool is_beyond(const Clips& clips, const Clip& clip) {
  return !(clip.at >= 0.0 && clip.at <= clips.top);
}

/// The bin whose upper end is the first that is not below the clip.
std::size_t bin_of(const Clips& clips, const Clip& clip) {
  const double bin = std::ceil(clip.at / width_of(clips)) - 1;
  return static_cast<std::size_t>(
      std::clamp(bin, 0.0, static_cast<double>(clips.counts.size() - 1)));
}

std::string names_in(const Clips& clips, std::size_t bin) {
  std::string names;
  for (const Clip& clip : clips.clips) {
    if (!is_beyond(clips, clip) && bin_of(clips, clip) == bin) names += "  <- " + clip.name;
  }
  return names;
}

int sum_of(const std::vector<int>& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0);
}

std::string words_for(const Clips& clips) {
  std::string words = fmt::format("A histogram of |x|, {} values up to {:.4g}, and who cuts where:",
                                  sum_of(clips.counts), clips.top);
  for (const Clip& clip : clips.clips) words += fmt::format(" {} at {:.4g};", clip.name, clip.at);
  words.back() = '.';
  return words;
}

constexpr double kClipsWide = 360, kClipsSide = 10, kClipsTall = 110, kClipsRow = 15;

void draw_axis(Drawing& drawing, const Clips& clips, double bottom) {
  drawing.line(kClipsSide, bottom, kClipsWide - kClipsSide, bottom, "axis");
  for (int tick = 0; tick <= 4; ++tick) {
    const double x = kClipsSide + (kClipsWide - 2 * kClipsSide) * tick / 4;
    const char* const anchor = tick == 0 ? "start" : tick == 4 ? "end" : "middle";
    drawing.line(x, bottom, x, bottom + 4, "axis");
    drawing.text(x, bottom + 17, fmt::format("{:.3g}", clips.top * tick / 4), "soft", anchor);
  }
  drawing.text(kClipsWide / 2, bottom + 33, "|x|; as high as the logarithm of the count", "soft",
               "middle");
}

}  // namespace

std::string clips_text(const Clips& clips) {
  if (clips.counts.empty()) return "";
  std::string text = fmt::format("up to  count  of {} values of |x|\n", sum_of(clips.counts));
  for (std::size_t bin = 0; bin < clips.counts.size(); ++bin) {
    const int count = clips.counts[bin];
    const double bar = count == 0 ? 0.0 : 1 + 2.5 * std::log2(count);
    const std::string names = names_in(clips, bin);
    const std::string line(static_cast<std::size_t>(bar), '#');
    text += fmt::format("{:5.1f} {:6}|{:{}}{}\n", width_of(clips) * static_cast<double>(bin + 1),
                        count, line, names.empty() ? 0 : 45, names);
  }
  for (const Clip& clip : clips.clips) {
    if (is_beyond(clips, clip)) text += fmt::format("beyond: {} at {:.4g}\n", clip.name, clip.at);
  }
  return text;
}

std::string clips_svg(const Clips& clips) {
  if (clips.counts.empty() || !(clips.top > 0.0)) return "";
  const double top = kClipsRow * static_cast<double>(clips.clips.size()) + 8,
               bottom = top + kClipsTall;
  const double bin = (kClipsWide - 2 * kClipsSide) / static_cast<double>(clips.counts.size());
  const int most = std::max(1, *std::ranges::max_element(clips.counts));
  Drawing drawing(kClipsWide, bottom + 40, words_for(clips));
  for (std::size_t i = 0; i < clips.counts.size(); ++i) {
    const double tall = kClipsTall * std::log2(1.0 + clips.counts[i]) / std::log2(1.0 + most);
    drawing.rect(kClipsSide + bin * static_cast<double>(i) + 1, bottom - tall, bin - 2, tall,
                 "accent");
  }
  // The largest on top, its name to the left: no line crosses a name.
  std::vector<Clip> sorted = clips.clips;
  std::ranges::stable_sort(sorted, std::greater(), &Clip::at);
  double label = kClipsRow - 3;
  for (const Clip& clip : sorted) {
    if (is_beyond(clips, clip)) continue;
    const double x = kClipsSide + (kClipsWide - 2 * kClipsSide) * clip.at / clips.top;
    const bool has_room = x > kClipsWide / 5;
    drawing.line(x, label - 10, x, bottom, "mark");
    drawing.text(has_room ? x - 5 : x + 5, label, clip.name, "", has_room ? "end" : "start");
    label += kClipsRow;
  }
  draw_axis(drawing, clips, bottom);
  return drawing.str();
}

}  // namespace nibble::report
