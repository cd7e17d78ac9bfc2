// --course FILE, and the course.toml that commands find by themselves; --anonymous KEY.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "course/course.hpp"
#include "export/class.hpp"
#include "language/catalog.hpp"

namespace nibble::teach {

/// Adds --course to a command.
void add_course_option(CLI::App& command, std::string& file);

/// The course in `file`; where that is empty, of the course.toml in this folder or above it.
/// Nothing where there is none. Throws what read_course throws.
std::optional<course::Course> course_for(const lab::Kit& kit, const std::string& file);

/// The results folder that was named, or else the course's. Throws std::invalid_argument when there
/// is neither.
std::string results_of(const std::optional<course::Course>& course, const std::string& named);

/// The results in a folder, settled by the course where there is one. Throws std::invalid_argument
/// when there are none.
gradebook::Class class_of(const std::optional<course::Course>& course, const std::string& results);

/// In which language pages of the course are written; of whoever writes them, where it says none.
language::Catalog catalog_for(const lab::Kit& kit, const std::optional<course::Course>& course);

/// Adds --anonymous KEY to a command.
void add_anonymous_option(CLI::App& command, std::string& key);

/// The class as it is; with a file for the key, by names that mean nothing, which are then in it.
gradebook::Class named_by(const std::string& key, gradebook::Class all);

}  // namespace nibble::teach
