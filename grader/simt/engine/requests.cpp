// What a request costs: sectors of global memory, passes over the banks of shared memory.
#include "requests.hpp"

#include <algorithm>
#include <cstdio>
#include <tuple>
#include <vector>

#include "finding.hpp"
#include "launch_state.hpp"
#include "shadow.hpp"
#include "subject.hpp"

namespace nibble::simt {
namespace {

// ---- the table: one row for each access in the code and space

struct CountedAccess {
  std::uint32_t site = 0;
  bool shared = false, used = false;
  Traffic traffic{};
};
std::vector<CountedAccess> table;  // a power of two, never more than half full
std::size_t rows;

std::size_t slot_of(std::uint32_t site, bool shared) {
  std::size_t i = ((site * 2654435761u) >> 8) + shared;
  for (;; ++i) {
    const CountedAccess& row = table[i & (table.size() - 1)];
    if (!row.used || (row.site == site && row.shared == shared)) return i & (table.size() - 1);
  }
}

void grow() {
  std::vector<CountedAccess> old(std::max<std::size_t>(64, table.size() * 2));
  old.swap(table);
  for (const CountedAccess& row : old) {
    if (row.used) table[slot_of(row.site, row.shared)] = row;
  }
}

void note_sample(Traffic& t, const WarpRequest& request) {
  const auto lane = static_cast<unsigned>(__builtin_ctz(request.lanes));
  const Subject named = subject_at(request.offset[lane]);
  std::snprintf(t.subject, sizeof t.subject, "%.23s", named.name);
  t.sample_lanes = request.lanes;
  for (unsigned rest = request.lanes; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctz(rest));
    t.sample[i] = static_cast<std::int32_t>(request.offset[i] - named.begin);
  }
}

Traffic& traffic_of(const WarpRequest& request, bool shared) {
  if (2 * (rows + 1) > table.size()) grow();
  CountedAccess& row = table[slot_of(request.site, shared)];
  if (!row.used) {
    ++rows;
    row.used = true;
    row.site = request.site;
    row.shared = shared;
    Traffic& t = row.traffic;
    t.place.offset = request.site >> 5;
    t.space = shared ? Space::kShared : Space::kGlobal;
    t.use = static_cast<Use>(request.site >> 3 & 3);
    t.bytes = static_cast<std::uint8_t>(1u << (request.site & 7));
    note_sample(t, request);
  }
  return row.traffic;
}

// ---- global memory

/// The offsets in ascending order; how many.
unsigned sorted(const WarpRequest& request, std::uint32_t (&offsets)[32]) {
  unsigned n = 0;
  bool ascending = true;
  for (unsigned rest = request.lanes; rest != 0; rest &= rest - 1) {
    offsets[n] = request.offset[__builtin_ctz(rest)];
    ascending &= n == 0 || offsets[n - 1] <= offsets[n];
    ++n;
  }
  if (!ascending) std::sort(offsets, offsets + n);
  return n;
}

void add_global(Traffic& t, const WarpRequest& request) {
  std::uint32_t offsets[32];
  const unsigned n = sorted(request, offsets);
  std::uint64_t next_sector = 0, next_byte = 0;  // behind what has been counted
  for (unsigned i = 0; i < n; ++i) {
    const std::uint64_t begin = offsets[i], end = begin + t.bytes;
    const std::uint64_t first = std::max(begin / 32, next_sector), last = (end - 1) / 32;
    if (first <= last) {
      t.sectors += last - first + 1;
      next_sector = last + 1;
    }
    const std::uint64_t fresh = std::max(begin, next_byte);
    if (fresh < end) {
      t.useful_bytes += end - fresh;
      next_byte = end;
    }
  }
}

// ---- shared memory: 32 banks of 4 bytes. Lanes that want the same word share it; 8-byte accesses
// go by half warps, 16-byte ones by quarters.

/// Words to fetch, and the most that one bank holds of them.
void add_group(Traffic& t, const WarpRequest& request, std::uint32_t lanes) {
  std::uint32_t words[32 * 4], seen = 0, held[32];
  unsigned count = 0;
  bool conflict = false;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t begin = request.offset[__builtin_ctz(lanes)] / 4;
    for (std::uint32_t word = begin; word < begin + std::max(t.bytes / 4, 1); ++word) {
      const std::uint32_t bank = word % 32;
      if ((seen >> bank & 1) == 0) {
        seen |= 1u << bank;
        held[bank] = word;
      } else if (held[bank] == word) {
        continue;
      } else {
        conflict = true;
      }
      words[count++] = word;
    }
  }
  if (count == 0) return;
  unsigned deepest = 1;
  if (conflict) {
    std::sort(words, words + count);
    count = static_cast<unsigned>(std::unique(words, words + count) - words);
    unsigned depth[32] = {};
    for (unsigned i = 0; i < count; ++i) deepest = std::max(deepest, ++depth[words[i] % 32]);
  }
  t.wavefronts += deepest;
  t.ideal_wavefronts += (count + 31) / 32;
}

void add_shared(Traffic& t, const WarpRequest& request) {
  const unsigned group = t.bytes <= 4 ? 32 : t.bytes == 8 ? 16 : 8;
  for (unsigned first = 0; first < 32; first += group) {
    const std::uint32_t mask = group == 32 ? ~0u : ((1u << group) - 1) << first;
    add_group(t, request, request.lanes & mask);
  }
}

bool in_order(const Traffic& a, const Traffic& b) {
  const auto key = [](const Traffic& t) {
    return std::tuple(t.place.offset, t.space, t.use, t.bytes);
  };
  return key(a) < key(b);
}

}  // namespace

void begin_requests() {
  table.clear();
  rows = 0;
}

void count_request(const WarpRequest& request) {
  const auto first = static_cast<unsigned>(__builtin_ctz(request.lanes));
  const bool shared = is_shared(request.offset[first]);
  std::uint32_t others = 0;  // a pointer that some lanes have into shared, some into global memory
  for (unsigned rest = request.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    others |= std::uint32_t{is_shared(request.offset[lane]) != shared} << lane;
  }
  WarpRequest mine = request;
  if (others != 0) {
    WarpRequest rest = request;
    rest.lanes = others;
    count_request(rest);
    mine.lanes &= ~others;
  }
  Traffic& t = traffic_of(mine, shared);
  ++t.requests;
  t.lanes += static_cast<unsigned>(__builtin_popcount(mine.lanes));
  shared ? add_shared(t, mine) : add_global(t, mine);
}

void count_step(unsigned lanes) {
  ++totals.steps;
  totals.active_lanes += static_cast<unsigned>(__builtin_popcount(lanes));
}

void report_requests() {
  std::vector<Traffic> all;
  for (const CountedAccess& row : table) {
    if (row.used) all.push_back(row.traffic);
  }
  std::sort(all.begin(), all.end(), in_order);
  const std::size_t fit = std::min(all.size(), Report::kTraffic);
  std::copy_n(all.begin(), fit, report->traffics.begin());
  report->traffic = static_cast<std::uint32_t>(fit);
  report->more_traffic = static_cast<std::uint32_t>(all.size() - fit);
}

}  // namespace nibble::simt
