// Clocks of the work that host code orders, and for each byte of device memory who used it last.
#include "stream_order.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <vector>

#include "finding.hpp"
#include "launch_state.hpp"
#include "runtime_state.hpp"
#include "shadow.hpp"
#include "subject.hpp"

namespace nibble::simt {
namespace {

/// All work up to a number, and of some streams more: a clock is no longer than what is on its way,
/// also where each piece of work has a stream of its own.
struct StreamClock {
  Ticket all = 0;
  std::map<unsigned, Ticket> more{};  // by stream

  bool has(unsigned stream, Ticket ticket) const {
    const auto found = more.find(stream);
    return ticket <= all || (found != more.end() && ticket <= found->second);
  }
};

void add_work(StreamClock& clock, unsigned stream, Ticket ticket) {
  Ticket& known = clock.more.insert({stream, 0}).first->second;
  known = std::max(known, ticket);
}

void join_clocks(StreamClock& clock, const StreamClock& other) {
  clock.all = std::max(clock.all, other.all);
  for (const auto& [stream, ticket] : other.more) add_work(clock, stream, ticket);
  std::erase_if(clock.more, [&](const auto& entry) { return entry.second <= clock.all; });
}

struct OrderedWork {
  unsigned stream;
  const char* name;
  const void* order_pc;
  StreamClock before;  // and the work itself
};

struct OrderedStream {
  StreamKind kind = StreamKind::kBlocking;
  StreamClock clock{};  // of its last work, and of what it waits for since
};

std::map<Ticket, OrderedWork> every_work;
std::map<unsigned, OrderedStream> ordered_streams;  // by number
StreamClock known_to_host;

/// Who used a byte last; 0: nobody. Of atomic operations, and of reads, two: what two streams do
/// that nothing puts in order. A plain write stays beneath the atomic operations after it.
struct UsesOfByte {
  std::uint32_t write = 0, atomic = 0, other_atomic = 0, read = 0, other_read = 0;
};
std::vector<UsesOfByte> byte_uses;  // by offset

Ticket running_work;
const OrderedWork* running_order;

/// Where accesses are not watched, half of the uses would be missing.
bool is_looked_at() { return instrumented && options.host_code && options.races; }

bool waits_untold(StreamKind kind, StreamKind other) {
  return kind == StreamKind::kDefault
             ? other == StreamKind::kBlocking
             : kind == StreamKind::kBlocking && other == StreamKind::kDefault;
}

/// The last question and its answer: neighbouring bytes have the same users.
std::uint32_t asked_of;
bool answered;

bool comes_before(std::uint32_t ticket) {
  if (ticket == 0 || ticket == running_work) return true;
  if (ticket == asked_of) return answered;
  const auto work = every_work.find(ticket);
  const StreamClock& before = running_order->before;
  asked_of = ticket;
  answered = work == every_work.end() || before.has(work->second.stream, ticket);
  return answered;
}

/// It has used the byte so before, and nobody has since.
bool is_known(const UsesOfByte& byte, Act act) {
  if (act == Act::kRead) return byte.read == running_work;
  if (byte.read != 0) return false;
  return act == Act::kAtomic ? byte.atomic == running_work
                             : byte.write == running_work && byte.atomic == 0;
}

/// A use that nothing puts in order with one of this kind; 0: none.
std::uint32_t unordered_write(const UsesOfByte& byte, Act act) {
  if (!comes_before(byte.write)) return byte.write;
  if (act == Act::kAtomic) return 0;
  return !comes_before(byte.atomic)        ? byte.atomic
         : comes_before(byte.other_atomic) ? 0
                                           : byte.other_atomic;
}
std::uint32_t unordered_read(const UsesOfByte& byte, Act act) {
  if (act == Act::kRead) return 0;
  return !comes_before(byte.read) ? byte.read : comes_before(byte.other_read) ? 0 : byte.other_read;
}

/// `latest` is the running work; the one before it, of another stream, stays beside it.
void keep_both(std::uint32_t& latest, std::uint32_t& other) {
  if (!comes_before(latest)) other = latest;
  latest = static_cast<std::uint32_t>(running_work);
}

void keep_use(UsesOfByte& byte, Act act) {
  if (act == Act::kRead) return keep_both(byte.read, byte.other_read);
  if (act == Act::kAtomic) return keep_both(byte.atomic, byte.other_atomic);
  byte = {.write = static_cast<std::uint32_t>(running_work)};
}

void report_unordered(Act act, std::size_t offset, std::size_t size, std::uint32_t other_ticket,
                      bool other_writes) {
  EngineFinding* const finding = new_finding(Kind::kStreamRace, running_order->order_pc);
  if (finding == nullptr) return;
  const OrderedWork& other = every_work.at(other_ticket);
  finding->in_kernel = 0;
  finding->is_write = act != Act::kRead;
  finding->bytes = static_cast<std::uint32_t>(size);
  finding->other = {place_of(other.order_pc), 0, 0};
  finding->other_is_write = other_writes;
  name_subject(*finding, offset, static_cast<unsigned>(size));
  std::snprintf(finding->kernel, sizeof finding->kernel, "%s", running_order->name);
  set_detail(*finding, "%s", other.name);
  publish(finding);
}

/// What they have done comes before all that is ordered from now on.
void forget_idle_streams() {
  std::erase_if(ordered_streams, [](const auto& entry) {
    return std::ranges::all_of(entry.second.clock.more, [](const auto& last) {
      return known_to_host.has(last.first, last.second);
    });
  });
}

}  // namespace

void note_ordered(Ticket ticket, unsigned stream, StreamKind kind, const char* name,
                  const void* order_pc) {
  if (!is_looked_at()) return;
  ordered_streams[stream].kind = kind;
  StreamClock& clock = ordered_streams[stream].clock;
  join_clocks(clock, known_to_host);
  for (const auto& [number, other] : ordered_streams) {
    if (waits_untold(kind, other.kind)) join_clocks(clock, other.clock);
  }
  add_work(clock, stream, ticket);
  every_work[ticket] = {stream, name, order_pc, clock};
}

void note_awaited(Ticket ticket, unsigned stream, StreamKind kind) {
  const auto work = every_work.find(ticket);
  if (work == every_work.end()) return;
  ordered_streams[stream].kind = kind;
  join_clocks(ordered_streams[stream].clock, work->second.before);
}

void note_known(Ticket ticket) {
  const auto work = every_work.find(ticket);
  if (work == every_work.end()) return;
  StreamClock known = work->second.before;
  join_clocks(known, known_to_host);
  auto next = every_work.upper_bound(known.all);
  for (; next != every_work.end() && known.has(next->second.stream, next->first); ++next) {
    known.all = next->first;
  }
  join_clocks(known_to_host, known);
  forget_idle_streams();
}

void note_all_known() {
  if (every_work.empty()) return;
  known_to_host = {every_work.rbegin()->first};
  forget_idle_streams();
}

void begin_ordered_work(Ticket ticket) {
  const auto work = every_work.find(ticket);
  running_work = ticket;
  asked_of = 0;
  running_order = work != every_work.end() ? &work->second : nullptr;
  if (running_order != nullptr) byte_uses.resize(std::max(byte_uses.size(), arena_top));
}

void note_stream_use(Act act, std::size_t offset, std::size_t size) {
  if (running_order == nullptr || is_shared(offset) || offset + size > byte_uses.size()) return;
  for (std::size_t i = offset; i < offset + size; ++i) {
    if (is_known(byte_uses[i], act)) continue;
    if (const std::uint32_t other = unordered_write(byte_uses[i], act)) {
      report_unordered(act, offset, size, other, true);
    } else if (const std::uint32_t reader = unordered_read(byte_uses[i], act)) {
      report_unordered(act, offset, size, reader, false);
    }
    keep_use(byte_uses[i], act);
  }
}

void forget_stream_order() {
  every_work.clear();
  ordered_streams.clear();
  known_to_host = {};
  byte_uses.clear();
  running_work = 0;
  running_order = nullptr;
}

}  // namespace nibble::simt
