// The picture of an exercise: what the submission's functions make of an example, drawn when it is
// asked for. A check's file says which exercises have one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "record/picture.hpp"

namespace nibble::judge {

using record::Picture;

/// Returns true, so that a global can be initialised with it.
bool register_picture(std::vector<std::string> exercises, void (*draw)(Picture&));

/// Empty where the exercise has none.
Picture picture_of(const std::string& exercise);

/// Draws what is made of the submission's answers. Where there is none, a note says why.
void draw_answer(Picture& picture, const std::string& name, const std::function<void()>& draw);

}  // namespace nibble::judge
