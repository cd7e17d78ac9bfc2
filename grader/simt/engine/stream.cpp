// The queues of the streams, what has to come before what, and how far
// each of them is carried on when the host waits.
#include "stream.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api_call.hpp"
#include "finding.hpp"
#include "launch_state.hpp"
#include "runtime_state.hpp"
#include "stream_order.hpp"
#include "subject.hpp"

struct CUstream_st {
  unsigned number;
  bool is_blocking;
  const void* made_at;
  nibble::simt::Ticket last;
  nibble::simt::Ticket heard = 0;  ///< a wait has said how the work up to this one went
  bool is_of_thread = false;       ///< nobody made it, and nobody gives it back
};

namespace nibble::simt {
namespace {

struct Pending {
  QueuedWork work;
  std::vector<Ticket> after;
  unsigned stream;
  bool is_default, is_blocking;
};

std::map<Ticket, Pending> pending;  // by number, which is an order that is always allowed
std::vector<std::unique_ptr<CUstream_st>> streams;
CUstream_st default_stream{0, true, nullptr, 0};
Ticket last_ticket;
unsigned streams_made;
std::size_t host_ranges;  // of pending work

CUstream_st& stream_of(cudaStream_t stream) { return stream != nullptr ? *stream : default_stream; }

/// Late or prompt. Over any four seeds in a row, two streams are each of both beside each of both.
bool is_prompt(const CUstream_st& stream) {
  if (options.schedule == Schedule::kForward) return false;
  if (options.schedule == Schedule::kReverse) return true;
  return (options.seed >> (stream.number + 2) % 3 & 1) != 0;  // the first stream: bit 0
}

/// Where the first two streams are late, they are so in pieces: while the host waits for one, each
/// of its pieces is followed by one of another.
bool in_pieces() { return options.schedule == Schedule::kShuffled && (options.seed & 3) == 0; }

/// The default stream and the blocking ones wait for one another.
std::vector<Ticket> what_comes_before(const CUstream_st& stream) {
  std::vector<Ticket> before{stream.last};
  const bool is_default = &stream == &default_stream;
  for (const auto& [ticket, other] : pending) {
    if (is_default ? other.is_blocking : stream.is_blocking && other.is_default) {
      before.push_back(ticket);
    }
  }
  return before;
}

StreamKind kind_of(const CUstream_st& stream) {
  if (&stream == &default_stream) return StreamKind::kDefault;
  return stream.is_blocking ? StreamKind::kBlocking : StreamKind::kNonBlocking;
}

/// After an error of the device nothing happens any more.
void run_one(Ticket ticket) {
  const auto at = pending.find(ticket);
  const QueuedWork work = std::move(at->second.work);
  begin_ordered_work(ticket);
  pending.erase(at);
  host_ranges -= work.host.size != 0 ? 1 : 0;
  if (sticky_error() == 0 && work.run) work.run();
}

/// One piece of another stream that nothing stands before.
void run_one_beside(unsigned stream) {
  const auto is_free = [&](const auto& entry) {
    const auto& [ticket, one] = entry;
    const auto is_done = [](Ticket before) { return !pending.contains(before); };
    return one.stream != stream && std::ranges::all_of(one.after, is_done);
  };
  const auto found = std::ranges::find_if(pending, is_free);
  if (found != pending.end()) run_one(found->first);
}

void note_busy_streams() {
  std::set<unsigned> busy;
  for (const auto& [ticket, one] : pending) {
    if (one.work.run) busy.insert(one.stream);
  }
  report->busy_streams = std::max(report->busy_streams, static_cast<std::uint32_t>(busy.size()));
}

/// The work itself and all that has to come before it.
std::set<Ticket> with_all_before(Ticket ticket) {
  std::set<Ticket> found;
  std::vector<Ticket> open{ticket};
  while (!open.empty()) {
    const Ticket next = open.back();
    open.pop_back();
    const auto at = pending.find(next);
    if (at == pending.end() || !found.insert(next).second) continue;
    open.insert(open.end(), at->second.after.begin(), at->second.after.end());
  }
  return found;
}

/// Does that work, and all that has to come before it.
void carry_out(Ticket ticket) {
  for (const Ticket next : with_all_before(ticket)) {
    const auto at = pending.find(next);
    if (at == pending.end()) continue;  // done beside another
    const unsigned stream = at->second.stream;
    run_one(next);
    if (in_pieces()) run_one_beside(stream);
  }
}

/// Work on memory that its stream gives back behind it: nobody has to wait for either.
std::set<Ticket> dropped_work() {
  std::set<Ticket> dropped;
  for (const auto& [ticket, one] : pending) {
    if (!one.work.gives_back) continue;
    for (const Ticket before : with_all_before(ticket)) {
      if (pending.at(before).work.host.size == 0) dropped.insert(before);
    }
  }
  return dropped;
}

void report_still_queued(const QueuedWork& work) {
  EngineFinding* const finding = new_finding(Kind::kStillQueued, work.order_pc);
  if (finding == nullptr) return;
  std::snprintf(finding->subject, sizeof finding->subject, "%s", work.name);
  set_detail(*finding, "the function has returned, and nobody has waited for it");
  publish(finding);
}

void report_stream(const CUstream_st& stream) {
  EngineFinding* const finding = new_finding(Kind::kLeak, stream.made_at);
  if (finding == nullptr) return;
  std::snprintf(finding->subject, sizeof finding->subject, "stream %u", stream.number);
  set_detail(*finding, "cudaStreamDestroy");
  publish(finding);
}

}  // namespace

bool is_stream(cudaStream_t stream) {
  return stream == nullptr ||
         std::ranges::any_of(streams, [&](const auto& known) { return known.get() == stream; });
}

cudaStream_t new_stream(bool is_blocking, const void* pc) {
  streams.push_back(std::make_unique<CUstream_st>(CUstream_st{++streams_made, is_blocking, pc, 0}));
  return streams.back().get();
}

cudaStream_t stream_of_thread() {
  const auto found =
      std::ranges::find_if(streams, [](const auto& known) { return known->is_of_thread; });
  if (found != streams.end()) return found->get();
  const cudaStream_t made = new_stream(true, nullptr);
  made->is_of_thread = true;
  return made;
}

void end_stream(cudaStream_t stream) {
  std::erase_if(streams, [&](const auto& known) { return known.get() == stream; });
}

Ticket enqueue(cudaStream_t handle, QueuedWork work) {
  CUstream_st& stream = stream_of(handle);
  Pending one{std::move(work), what_comes_before(stream), stream.number, handle == nullptr,
              stream.is_blocking};
  host_ranges += one.work.host.size != 0 ? 1 : 0;
  pending.emplace(++last_ticket, std::move(one));
  stream.last = last_ticket;
  note_busy_streams();
  const Ticket ticket = last_ticket;
  const QueuedWork& queued = pending.at(ticket).work;
  note_ordered(ticket, stream.number, kind_of(stream), queued.name, queued.order_pc);
  if (is_prompt(stream)) carry_out(ticket);
  return ticket;
}

void enqueue_wait(cudaStream_t stream, Ticket ticket, const void* pc) {
  note_awaited(ticket, stream_of(stream).number, kind_of(stream_of(stream)));
  if (is_done(ticket)) return;
  Pending one{{nullptr, "cudaStreamWaitEvent", pc},
              what_comes_before(stream_of(stream)),
              stream_of(stream).number,
              stream == nullptr,
              stream_of(stream).is_blocking};
  one.after.push_back(ticket);
  pending.emplace(++last_ticket, std::move(one));
  stream_of(stream).last = last_ticket;
}

Ticket last_of(cudaStream_t stream) { return stream_of(stream).last; }
bool is_done(Ticket ticket) { return !pending.contains(ticket); }

bool ask_for(Ticket ticket) {
  if (is_done(ticket)) {
    note_known(ticket);
    return true;
  }
  const std::set<Ticket> before = with_all_before(ticket);
  if (!before.empty()) run_one(*before.begin());
  return false;
}

void wait_for(Ticket ticket) {
  carry_out(ticket);
  note_known(ticket);
}

void wait_for_stream(cudaStream_t stream, const void* pc) {
  // The default stream's end is that of all that it waits for.
  if (stream == nullptr) enqueue(nullptr, {nullptr, "cudaStreamSynchronize", pc});
  wait_for(last_of(stream));
}

void wait_for_all() {
  while (!pending.empty()) run_one(pending.begin()->first);
  note_all_known();
}

bool has_news(cudaStream_t stream) {
  const auto is_unheard = [](const CUstream_st& one) { return one.last > one.heard; };
  return is_unheard(stream_of(stream)) ||
         (stream == nullptr && std::ranges::any_of(streams, [&](const auto& other) {
            return other->is_blocking && is_unheard(*other);
          }));
}

bool has_news_anywhere() {
  return has_news(nullptr) ||
         std::ranges::any_of(streams, [](const auto& stream) { return has_news(stream.get()); });
}

void note_heard(cudaStream_t stream) {
  stream_of(stream).heard = stream_of(stream).last;
  if (stream != nullptr) return;
  for (const auto& other : streams) {
    if (other->is_blocking) other->heard = other->last;
  }
}

void note_all_heard() {
  note_heard(nullptr);
  for (const auto& stream : streams) note_heard(stream.get());
}

void look_at_queues(uptr address, unsigned size, bool is_write, const void* pc) {
  if (host_ranges == 0) return;
  for (const auto& [ticket, one] : pending) {
    const HostRange& host = one.work.host;
    const bool touches = address < host.begin + host.size && host.begin < address + size;
    if (!touches || (!is_write && !host.is_written)) continue;
    EngineFinding* const finding = new_finding(Kind::kMissingWait, pc);
    if (finding == nullptr) return;
    finding->is_write = is_write ? 1 : 0;
    finding->bytes = size;
    finding->offset = static_cast<std::int64_t>(address - host.begin);
    finding->size = host.size;
    finding->other = {place_of(one.work.order_pc), 0, 0};
    finding->other_is_write = host.is_written ? 1 : 0;
    std::snprintf(finding->subject, sizeof finding->subject, "pinned memory");
    set_detail(*finding, "%s is still on its way: wait for its stream first", one.work.name);
    return publish(finding);
  }
}

void begin_streams() {
  streams_made = 0;
  forget_stream_order();
}

void finish_streams() {
  // Who waited, and was told that it failed, has done what can be done.
  const bool is_excused = sticky_error() != 0 || has_wait_failed();
  const std::set<Ticket> dropped = dropped_work();
  for (const auto& [ticket, one] : pending) {
    const bool counts = one.work.run && !dropped.contains(ticket);
    if (counts && !is_excused) report_still_queued(one.work);
  }
  if (sticky_error() == 0) {
    for (const auto& stream : streams) {
      if (!stream->is_of_thread) report_stream(*stream);
    }
  }
  forget_streams();
}

void forget_streams() {
  pending.clear();
  streams.clear();
  host_ranges = 0;
  default_stream.last = default_stream.heard = 0;
  forget_stream_order();
}

}  // namespace nibble::simt
