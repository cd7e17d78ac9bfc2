// Leaves a note about a fatal signal in the outputs, so that the judge can say more than "signal
// 11". The judge shows the note and believes nothing in it.
#pragma once

#include <cstddef>

namespace nibble::runner {

/// Installs handlers for the fatal signals. The default action still follows.
void note_crashes(const std::byte* inputs, std::byte* outputs);

}  // namespace nibble::runner
