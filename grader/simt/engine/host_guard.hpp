// Device memory is out of reach for host code: between the calls of the runtime the arena's pages
// cannot be touched, and who touches one is told, with its line, in every build.
#pragma once

namespace nibble::simt {

void open_to_engine();
/// All but managed memory.
void close_to_host();

/// A new session begins with nothing closed.
void begin_host_guard();

}  // namespace nibble::simt
