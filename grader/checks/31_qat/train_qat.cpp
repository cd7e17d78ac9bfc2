// Lab 31, train_qat: the checks.
#include "checks/31_qat/train_qat.hpp"

namespace nibble::judge::lab_31_qat {
namespace {

/// The same for both checks: networks trained in floats take a third of their time. The sanitizers
/// see what there is to see in one.
const Course& public_nets() {
  static const Course course = course_of(counted_seed, this_run().sanitized ? 1 : 2);
  return course;
}

TEST(train_qat, BeatsRounding) {
  once([](Expect& expect) { beats_rounding(expect, public_nets()); });
}

TEST(train_qat, LearnsScales) {
  once([](Expect& expect) { learns_scales(expect, public_nets()); });
}

}  // namespace
}  // namespace nibble::judge::lab_31_qat
