// The report of a session: which finding is known, room for a new one, and what its words may hold.
#include "finding.hpp"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <set>
#include <tuple>

#include "callers.hpp"
#include "fiber.hpp"
#include "hot.hpp"
#include "launch_state.hpp"

namespace nibble::simt {

Report* report;

namespace {

Report own_report;

/// Kind and place of what found no room, so that each counts once.
std::set<std::tuple<Kind, std::uint64_t, std::uint32_t, std::uint32_t>> left_out;

EngineFinding* known(Kind kind, const Place& place) {
  for (std::uint32_t i = 0; i < report->findings; ++i) {
    EngineFinding& f = report->finding[i];
    if (f.kind == kind && f.place.offset == place.offset && f.place.line == place.line &&
        f.place.column == place.column) {
      return &f;
    }
  }
  return nullptr;
}

void copy_name(char (&to)[32], const char* from) {
  std::strncpy(to, from, sizeof to - 1);
  to[sizeof to - 1] = 0;
}

}  // namespace

void begin_report(Report* storage) {
  report = storage != nullptr ? storage : &own_report;
  std::memset(static_cast<void*>(report), 0, sizeof *report);
  report->magic = Report::kMagic;
  left_out.clear();
}

EngineFinding* new_finding(Kind kind, const void* pc) {
  const Place place{place_of(pc), 0, 0};
  EngineFinding* const finding = new_finding(kind, place);
  if (finding != nullptr) finding->callers = callers_of(pc);
  return finding;
}

EngineFinding* new_finding(Kind kind, Place place) {
  if (EngineFinding* again = known(kind, place)) {
    ++again->times;
    return nullptr;
  }
  if (report->findings == Report::kFindings) {
    if (left_out.emplace(kind, place.offset, place.line, place.column).second) {
      ++report->more_findings;
    }
    return nullptr;
  }
  EngineFinding& f = report->finding[report->findings];
  f = {};
  f.kind = kind;
  f.place = place;
  f.times = 1;
  f.in_kernel = current != nullptr;
  if (current != nullptr) f.who = thread_named(current->linear, running.block);
  copy_name(f.kernel, running.name);
  return &f;
}

void publish(EngineFinding* finding) {
  // The reader may be another process, at any time: the count comes last.
  if (finding != nullptr) {
    std::atomic_ref(report->findings).fetch_add(1, std::memory_order_release);
  }
}

void set_detail(EngineFinding& finding, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(finding.detail, sizeof finding.detail, format, arguments);
  va_end(arguments);
}

Thread thread_named(unsigned t, std::uint32_t b) {
  const dim3 block = running.block_size, grid = running.grid_size;
  if (block.x == 0 || grid.x == 0) return {};
  return {{t % block.x, t / block.x % block.y, t / (block.x * block.y)},
          {b % grid.x, b / grid.x % grid.y, b / (grid.x * grid.y)}};
}

Kind race_in_shared(bool same_warp) {
  bool warps_meet = !same_warp;
  for (std::uint32_t i = 0; i < report->findings; ++i) {
    const EngineFinding& f = report->finding[i];
    warps_meet |= f.kind == Kind::kSharedRace && std::strncmp(f.kernel, running.name, 31) == 0;
  }
  if (!warps_meet) return Kind::kMissingSyncwarp;
  for (std::uint32_t i = 0; i < report->findings; ++i) {
    EngineFinding& f = report->finding[i];
    if (f.kind == Kind::kMissingSyncwarp && std::strncmp(f.kernel, running.name, 31) == 0) {
      f.kind = Kind::kSharedRace;
    }
  }
  return Kind::kSharedRace;
}

}  // namespace nibble::simt
