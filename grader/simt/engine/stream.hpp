// Work that host code has ordered and that has not happened yet. It happens as late as the host's
// waits allow, or as early, or some of each, or a piece of one stream and a piece of another in
// turn: all of it legal, so that who forgets to wait, or shares memory, gets wrong values.
//
//     host       copy(a) kernel(a) | copy(b) kernel(b) | wait(a) ...
//     stream a   copy -> kernel
//     stream b                       copy -> kernel
//
// Within a stream, work happens in the order it was given. The default stream is CUDA's legacy one:
// it begins when all other streams' earlier work is done, and their later work waits for it;
// streams made with cudaStreamNonBlocking take no part in that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "hot.hpp"
#include "nibble/simt/launch.hpp"

namespace nibble::simt {

/// Page-locked host memory that a copy on its way reads or writes.
struct HostRange {
  uptr begin = 0;
  std::size_t size = 0;
  bool is_written = false;
};

/// What is ordered: `run` does it; `order_pc` is the line that ordered it.
struct QueuedWork {
  std::function<void()> run;
  const char* name;  ///< "cudaMemcpyAsync", "kernel scale"
  const void* order_pc;
  HostRange host{};
  bool gives_back = false;  ///< memory: nobody has to wait for it
};

/// The number of a piece of work; 0: none.
using Ticket = std::uint64_t;

/// Null when the handle is of no living stream. A null handle is the default stream.
bool is_stream(cudaStream_t stream);
cudaStream_t new_stream(bool is_blocking, const void* pc);
void end_stream(cudaStream_t stream);

/// Puts work at the end of a stream. A stream that is prompt does it at once,
/// with what comes before.
Ticket enqueue(cudaStream_t stream, QueuedWork work);
/// What comes later in the stream begins after the work of that number.
void enqueue_wait(cudaStream_t stream, Ticket ticket, const void* pc);

/// The last work of a stream.
Ticket last_of(cudaStream_t stream);
bool is_done(Ticket ticket);

/// The host waits for that work: it is done, and all that has to come before it.
void wait_for(Ticket ticket);
void wait_for_stream(cudaStream_t stream, const void* pc);
void wait_for_all();
/// Whether a wait for the stream, or for all, could tell of work that no wait has told of.
bool has_news(cudaStream_t stream);
bool has_news_anywhere();
/// A wait for the stream has come back.
void note_heard(cudaStream_t stream);
void note_all_heard();
/// Whether it is done. If not, one step towards it: who asks again and again will see it done.
bool ask_for(Ticket ticket);

/// Host code reads or writes memory that a copy on its way uses: a finding.
void look_at_queues(uptr address, unsigned size, bool is_write, const void* pc);

/// A new session; the end of one: findings for work that nobody has waited for, which is dropped,
/// and for streams that are still there.
void begin_streams();
void finish_streams();
void forget_streams();

}  // namespace nibble::simt
