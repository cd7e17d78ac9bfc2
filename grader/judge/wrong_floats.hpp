// What known mistakes make of the bits of a small float, whatever its format: how its last bit is
// rounded, how exponent and fraction are put together, how what lies below all normal numbers is
// counted, and what such a count is worth. `all`: how many steps lie between two powers of two.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace nibble::judge::wrong_floats {

// --- The last bit, in steps of the numbers around it

inline double by_the_first_bit(double steps) {
  const double whole = std::floor(steps);
  return whole + (steps - whole >= 0.5 && std::fmod(whole, 2) == 1 ? 1 : 0);
}
inline double cut_or_up(double steps) { return std::ceil(steps); }

// --- An exponent, and a fraction that was rounded by itself and may run over

inline int with_or(int exponent, int fraction, int all) { return (exponent * all) | fraction; }
inline int without_carry(int exponent, int fraction, int all) {
  return exponent * all + fraction % all;
}
inline int at_most_full(int exponent, int fraction, int all) {
  return exponent * all + std::min(fraction, all - 1);
}

// --- A subnormal x: how many of the smallest number it is, `steps` where nothing is wrong

inline int whole(double steps) { return static_cast<int>(std::nearbyint(steps)); }
inline int none(double, double, int) { return 0; }
inline int cut_steps(double, double steps, int) { return static_cast<int>(steps); }
inline int half_steps(double, double steps, int) { return whole(2 * steps); }
inline int double_steps(double, double steps, int) { return whole(steps / 2); }
inline int without_the_one(double x, double steps, int) {
  return x < double{FLT_MIN} ? 0 : whole(steps - std::ldexp(1.0, std::ilogb(steps)));
}
inline int from_the_smallest_on(double, double steps, int) { return steps < 1 ? 0 : whole(steps); }
inline int at_most_subnormal(double, double steps, int all) {
  return std::min(whole(steps), all - 1);
}
/// First to as many bits as `kept` says.
inline int counted_with(int kept, double steps) {
  if (steps == 0) return 0;
  const int unit = std::ilogb(steps) - kept;
  return whole(std::ldexp(std::nearbyint(std::ldexp(steps, -unit)), unit));
}

// --- A subnormal fraction: how many of the smallest number it is taken for

inline double no_units(int, int) { return 0; }
inline double half_units(int fraction, int) { return fraction / 2.0; }
inline double double_units(int fraction, int) { return 2.0 * fraction; }
inline double units_with_a_one(int fraction, int all) { return fraction == 0 ? 0 : fraction + all; }
inline double half_units_with_a_one(int fraction, int all) {
  return units_with_a_one(fraction, all) / 2;
}

}  // namespace nibble::judge::wrong_floats
