// A lab has as many points as its checks; a gradebook has its own idea of what it is worth.
#pragma once

#include <string>

namespace nibble::gradebook {

class ScaledPoints {
 public:
  /// As they are.
  ScaledPoints() = default;

  /// `there` is what a gradebook's cell says is possible, and `possible` what is in the lab. Throws
  /// std::invalid_argument unless `there` is a number above 0.
  ScaledPoints(const std::string& there, int possible);

  /// The same, where somebody else says how many; that is above 0.
  ScaledPoints(double there, int possible);

  /// points * there / possible, with two digits after the point, and none that are 0.
  std::string of(int points) const;

 private:
  double factor_ = 1.0;
};

}  // namespace nibble::gradebook
