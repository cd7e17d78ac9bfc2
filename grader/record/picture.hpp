// What the functions of a lab make of an example of the kit's, for people to look at. `nibble show`
// asks for it; it counts for nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nibble::record {

/// Where a calibrator cuts.
struct Clip {
  std::string name;
  double at = 0.0;  ///< a magnitude

  bool operator==(const Clip&) const = default;
};

/// The magnitudes of a tensor, and who cuts them where.
struct Clips {
  double top = 0.0;         ///< the largest of them
  std::vector<int> counts;  ///< of equal bins from 0 to `top`, each with its upper end
  std::vector<Clip> clips;

  bool operator==(const Clips&) const = default;
};

/// A float format on a ruler.
struct RulerRow {
  std::string name;
  std::string marks;  ///< each eighth from 0 to 8: '|' where a number is, else '-'
  std::string bits;   ///< each four powers of two from 2^-136 on: bits that tell numbers apart
                      ///< between two powers, hexadecimal; '.' where no number is
  double smallest = 0.0, largest = 0.0;  ///< above 0; finite
  int up_to_two = 0;                     ///< numbers in [1, 2)

  bool operator==(const RulerRow&) const = default;
};

/// A curve over x / scale.
struct Curve {
  std::string name;
  double low = 0.0, high = 0.0;  ///< what is drawn
  int lines = 1;                 ///< of text, to a unit
  std::vector<double> values;    ///< at -4, and on by eighths, up to 4 at most

  bool operator==(const Curve&) const = default;
};

struct Picture {
  std::optional<Clips> clips;
  std::vector<Curve> staircase;
  std::vector<RulerRow> ruler;
  std::vector<int> block;          ///< the 18 bytes of a Q4_0 block
  std::vector<std::string> notes;  ///< what is missing, and why
};

}  // namespace nibble::record
