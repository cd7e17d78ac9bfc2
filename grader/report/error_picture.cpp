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

constexpr double kMapWide = 360, kMapTop = 18;

/// What results.json holds, as numbers; a text that is none is a NaN.
struct Tensors {
  std::size_t rows = 0, columns = 0;
  std::vector<std::string> got, want;
  std::set<std::size_t> wrong;

  std::size_t size() const { return got.size(); }
  double error(std::size_t i) const { return number(got[i]) - number(want[i]); }

  static double number(const std::string& text) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? value : std::numeric_limits<double>::quiet_NaN();
  }
};

/// The last axis runs along a row; a plain list is folded.
std::size_t columns_of(const std::vector<std::size_t>& shape, std::size_t size) {
  constexpr std::size_t kFold = 8;
  if (shape.size() < 2) return std::min(size, kFold);
  const std::size_t last = shape.back();
  return last > 0 && size % last == 0 ? last : std::min(size, kFold);
}

Tensors tensors_in(const record::Compared& compared) {
  if (compared.got.size() != compared.want.size() || compared.got.empty()) return {};
  Tensors tensors;
  tensors.got = compared.got;
  tensors.want = compared.want;
  tensors.wrong = {compared.wrong.begin(), compared.wrong.end()};
  tensors.columns = columns_of(compared.shape, tensors.size());
  tensors.rows = (tensors.size() + tensors.columns - 1) / tensors.columns;
  return tensors;
}

std::string words_for(const Tensors& tensors) {
  std::string words =
      fmt::format("{} of {} elements are wrong:", tensors.wrong.size(), tensors.size());
  constexpr std::size_t kMost = 6;
  std::size_t named = 0;
  for (const std::size_t i : tensors.wrong) {
    if (i >= tensors.size() || named++ == kMost) break;
    words += fmt::format(" [{}, {}] got {} want {};", i / tensors.columns, i % tensors.columns,
                         tensors.got[i], tensors.want[i]);
  }
  words.back() = '.';
  if (tensors.wrong.size() > kMost) words += " And others.";
  return words;
}

/// A cell for each element with `values` in them, where all of got and want are short enough; wrong
/// ones look like `wrong`.
std::string cells_of(const Tensors& tensors, const std::vector<std::string>& values,
                     const char* wrong, const std::string& says) {
  const double side = std::min(40.0, (kMapWide - kMapTop) / static_cast<double>(tensors.columns));
  const double tall = std::min(side, 26.0);
  const auto fits = [](const std::string& text) { return text.size() <= 4; };
  const bool with_values = side >= 34 && std::ranges::all_of(tensors.got, fits) &&
                           std::ranges::all_of(tensors.want, fits);
  Drawing drawing(kMapWide, kMapTop + tall * static_cast<double>(tensors.rows) + 2, says);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::size_t row = i / tensors.columns, column = i % tensors.columns;
    const double x = kMapTop + side * static_cast<double>(column);
    const double y = kMapTop + tall * static_cast<double>(row);
    drawing.rect(x + 1, y + 1, side - 2, tall - 2, tensors.wrong.contains(i) ? wrong : "right");
    if (row == 0 && side >= 18) {
      drawing.text(x + side / 2, kMapTop - 5, std::to_string(column), "soft", "middle");
    }
    if (column == 0)
      drawing.text(kMapTop - 4, y + tall / 2 + 4, std::to_string(row), "soft", "end");
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

std::string wanted_map(const record::Compared& compared) {
  const Tensors tensors = tensors_in(compared);
  if (tensors.columns == 0) return "";
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
