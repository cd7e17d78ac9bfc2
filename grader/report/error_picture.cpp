// Reads both tensors out of a failing case; a map of what is
// wrong where, and how often by how much.
#include "report/error_picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "report/bars.hpp"
#include "report/drawing.hpp"

namespace nibble::report {
namespace {

constexpr double kMapWide = 360, kMapTop = 18, kMapLeft = 22, kMapRoom = kMapWide - kMapLeft;

/// What results.json holds, as numbers; a text that is none is a NaN.
struct Tensors {
  std::size_t rows = 0, columns = 0;
  bool is_list = false;  ///< folded into rows: an element has one index
  std::vector<std::string> got, want;
  std::set<std::size_t> wrong;

  std::size_t size() const { return got.size(); }
  double room() const { return kMapRoom / static_cast<double>(columns); }  ///< of a cell
  double error(std::size_t i) const { return number(got[i]) - number(want[i]); }

  static double number(const std::string& text) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? value : std::numeric_limits<double>::quiet_NaN();
  }
};

/// How wide a cell has to be for the longest value in it.
double widest_of(const Tensors& tensors) {
  constexpr double kLetter = 7.6, kAround = 5;
  std::size_t longest = 0;
  for (const auto* const values : {&tensors.got, &tensors.want}) {
    for (const std::string& text : *values) longest = std::max(longest, text.size());
  }
  return kLetter * static_cast<double>(longest) + kAround;
}

/// The last axis runs along a row; a list is folded so that its values have room.
std::size_t columns_of(const Tensors& tensors, const std::vector<std::size_t>& shape) {
  constexpr double kFold = 8;
  if (tensors.is_list) {
    const double fit = std::clamp(std::floor(kMapRoom / widest_of(tensors)), 1.0, kFold);
    return std::min(tensors.size(), static_cast<std::size_t>(fit));
  }
  return shape.back();
}

Tensors tensors_in(const record::Compared& compared) {
  if (compared.got.size() != compared.want.size() || compared.got.empty()) return {};
  Tensors tensors;
  tensors.got = compared.got;
  tensors.want = compared.want;
  tensors.wrong = {compared.wrong.begin(), compared.wrong.end()};
  const std::vector<std::size_t>& shape = compared.shape;
  tensors.is_list = shape.size() < 2 || shape.back() == 0 || tensors.size() % shape.back() != 0;
  tensors.columns = columns_of(tensors, shape);
  tensors.rows = (tensors.size() + tensors.columns - 1) / tensors.columns;
  return tensors;
}

std::string words_for(const Tensors& tensors) {
  std::string words = fmt::format("{} of {} elements {} wrong:", tensors.wrong.size(),
                                  tensors.size(), tensors.wrong.size() == 1 ? "is" : "are");
  constexpr std::size_t kMost = 6;
  std::size_t named = 0;
  for (const std::size_t i : tensors.wrong) {
    if (i >= tensors.size() || named++ == kMost) break;
    const std::string place = tensors.is_list
                                  ? std::to_string(i)
                                  : fmt::format("{}, {}", i / tensors.columns, i % tensors.columns);
    words += fmt::format(" [{}] got {} want {};", place, tensors.got[i], tensors.want[i]);
  }
  words.back() = '.';
  if (tensors.wrong.size() > kMost) words += " And others.";
  return words;
}

/// A cell for each element with `values` in them, where all of got and want have room; wrong ones
/// look like `wrong`.
std::string cells_of(const Tensors& tensors, const std::vector<std::string>& values,
                     const char* wrong, const std::string& says) {
  const double widest = widest_of(tensors);
  const bool with_values = widest <= tensors.room();
  const double side = std::min(tensors.room(), with_values ? std::max(widest, 40.0) : 40.0);
  const double tall = std::min(side, 26.0);
  Drawing drawing(kMapWide, kMapTop + tall * static_cast<double>(tensors.rows) + 2, says);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::size_t row = i / tensors.columns, column = i % tensors.columns;
    const double x = kMapLeft + side * static_cast<double>(column);
    const double y = kMapTop + tall * static_cast<double>(row);
    drawing.rect(x + 1, y + 1, side - 2, tall - 2, tensors.wrong.contains(i) ? wrong : "right");
    if (row == 0 && side >= 18) {
      drawing.text(x + side / 2, kMapTop - 5, std::to_string(column), "soft", "middle");
    }
    if (column == 0) {
      drawing.text(kMapLeft - 4, y + tall / 2 + 4, std::to_string(tensors.is_list ? i : row),
                   "soft", "end");
    }
    if (with_values) drawing.text(x + side / 2, y + tall / 2 + 4, values[i], "", "middle");
  }
  return drawing.str();
}

}  // namespace

std::string error_map(const record::Compared& compared) {
  const Tensors tensors = tensors_in(compared);
  if (tensors.columns == 0) return "";
  return cells_of(tensors, tensors.got, "wrong", words_for(tensors));
}

std::string wrong_elements(const record::Compared& compared) {
  const Tensors tensors = tensors_in(compared);
  return tensors.columns == 0 ? "" : words_for(tensors);
}

std::string wanted_map(const record::Compared& compared) {
  const Tensors tensors = tensors_in(compared);
  if (tensors.columns == 0 || widest_of(tensors) > tensors.room()) return "";
  return cells_of(tensors, tensors.want, "wanted",
                  fmt::format("What was wanted: {}.", fmt::join(tensors.want, " ")));
}

std::string error_histogram(const record::Compared& compared) {
  constexpr std::size_t kFewest = 8, kBins = 9;
  const Tensors tensors = tensors_in(compared);
  if (tensors.size() < kFewest) return "";
  double reach = 0.0;  // bins are even around 0
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!std::isfinite(tensors.error(i))) return "";
    reach = std::max(reach, std::abs(tensors.error(i)));
  }
  if (reach == 0.0 || !std::isfinite(2 * reach)) return "";
  std::vector<int> counts(kBins, 0);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const double place = (tensors.error(i) + reach) / (2 * reach) * static_cast<double>(kBins);
    ++counts[std::min(static_cast<std::size_t>(place), kBins - 1)];
  }
  return histogram(counts, -reach, reach, "got - want",
                   fmt::format("How {} differences got - want are spread from {:.4g} to {:.4g}.",
                               tensors.size(), -reach, reach));
}

}  // namespace nibble::report
