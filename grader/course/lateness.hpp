// What a course's dates make of a class's results: how late each came, what that takes off, and
// which of several attempts counts.
#pragma once

#include <optional>
#include <string>

#include "course/course.hpp"
#include "export/class.hpp"

namespace nibble::course {

/// Until when somebody may hand in a lab; nothing where the course says no date.
std::optional<text::Moment> due_for(const Course& course, const CourseLab& lab,
                                    const std::string& who);

/// What is taken off a lab that is worth `possible`, in whole points, rounded for the student. Days
/// count from the date itself, once the grace is over.
int points_off(const LatePolicy& late, std::chrono::seconds how_late, int possible);

/// Fills in whose each result is, by the course's roster, when it came, how late, and what people
/// gave beside the checks; chooses the attempt that counts. Done once, on what was read from a
/// results folder. Throws what points_possible throws.
void settle(const Course& course, gradebook::Class& all);

}  // namespace nibble::course
