// Ctrl-C ends what is running in good order: the compiler and the judge are stopped,
// files stay whole.
#pragma once

namespace nibble::cli {

/// From now on Ctrl-C (and a polite kill) only sets a mark.
void catch_interrupts();

bool was_interrupted();

/// For tests.
void set_interrupted(bool value);

}  // namespace nibble::cli
