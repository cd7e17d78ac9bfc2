// Events: marks in a stream that others can wait for.
#pragma once

namespace nibble::simt {

void begin_events();
/// Findings for events that nobody has destroyed.
void finish_events();

}  // namespace nibble::simt
