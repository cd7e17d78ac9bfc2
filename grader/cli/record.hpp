// Writes down what an attempt came to: results.json, and the learner's progress.
#pragma once

#include "cli/attempt.hpp"
#include "cli/context.hpp"

namespace nibble::cli {

/// .nibble/out/<lab>/results.json, replaced whole.
void keep_results(const Context& context, const Attempt& attempt);

/// Progress of the exercises that were judged whole. Returns the points newly earned.
int note_progress(const Context& context, const Attempt& attempt);

/// With the project's progress held: reads it, lets `change` change it, writes it.
void change_progress(const Context& context, const std::function<void(Progress&)>& change);

/// Seconds of work to count between two attempts: a long gap was a pause.
int seconds_of_work(const std::string& before, const std::string& now);

}  // namespace nibble::cli
