// Which work of which stream comes before which other: because of events, of the default stream, or
// because the host had waited. Two uses of a byte by work of two streams that nothing puts in order
// are found in whatever order the engine happened to do the work.
//
//     stream 0    | copy b |--- event ---+          a clock says of each piece of work, by stream,
//                     1                  |          up to which number all work comes before it:
//     stream 1    | copy a |             +--| kernel |      of the kernel    stream 0: 1
//                     2                          3                           stream 1: 2
#pragma once

#include <cstddef>

#include "race.hpp"
#include "stream.hpp"

namespace nibble::simt {

/// Which streams wait for one another without being told.
enum class StreamKind { kDefault, kBlocking, kNonBlocking };

/// Work was put at the end of that stream; what it is called, and the line that ordered it.
void note_ordered(Ticket ticket, unsigned stream, StreamKind kind, const char* name,
                  const void* order_pc);
/// What comes later in the stream comes after that work, and after what comes before it.
void note_awaited(Ticket ticket, unsigned stream, StreamKind kind);
/// The host knows that it is done: so is all that comes before it, for whatever is ordered from now
/// on.
void note_known(Ticket ticket);
void note_all_known();

/// That work is done now.
void begin_ordered_work(Ticket ticket);
/// It uses `size` bytes of device memory, from `offset` on. A finding where the last use of one of
/// them, by another stream, does not come before it.
void note_stream_use(Act act, std::size_t offset, std::size_t size);

void forget_stream_order();

}  // namespace nibble::simt
