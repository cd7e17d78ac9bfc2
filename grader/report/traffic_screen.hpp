// The learner's kernel with what each line asked of the memory beside it.
#pragma once

#include <string>

#include "report/screen.hpp"
#include "report/traffic.hpp"

namespace nibble::report {

/// `source` is the text of the learner's file, `file` its name. `line` asks for the pictures
/// of that line; 0: of the costliest access.
std::string traffic_text(const ExerciseTraffic& traffic, const std::string& source,
                         const std::string& file, int line, const Paint& paint);

/// The access that a picture is drawn of; null when nothing was counted there.
const Access* access_to_draw(const ExerciseTraffic& traffic, int line);

}  // namespace nibble::report
