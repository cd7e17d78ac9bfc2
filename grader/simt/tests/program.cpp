// A program of kernels for the tests: starts a session as it is told, runs one case of the .cu
// file, and prints the report as one line each.
//
//     program CASE [key=value ...]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "nibble/simt/session.hpp"

/// The .cu file's: runs the case; false: the values are wrong.
bool run_case(const std::string& name);

namespace {

using namespace nibble::simt;

std::uint64_t number(const char* text) { return std::strtoull(text, nullptr, 10); }

void set(SessionOptions& options, const std::string& key, const char* value) {
  const bool on = number(value) != 0;
  if (key == "races") options.races = on;
  if (key == "uninitialised") options.uninitialised = on;
  if (key == "counters") options.counters = on;
  if (key == "lockstep") options.lockstep = on;
  if (key == "schedule") options.schedule = static_cast<Schedule>(number(value));
  if (key == "seed") options.seed = number(value);
  if (key == "budget") options.block_budget = number(value);
  if (key == "device_bytes") options.device_bytes = number(value);
  if (key == "host_code") options.host_code = on;
  if (key == "failing_call") options.failing_call = static_cast<std::uint32_t>(number(value));
  if (key == "sm") options.sm = static_cast<int>(number(value));
}

unsigned long long big(std::uint64_t n) { return n; }

void print(const EngineFinding& f) {
  std::printf("finding %d %llx:%u:%u %llx:%u:%u %llu", int(f.kind), big(f.place.offset),
              f.place.line, f.place.column, big(f.other.offset), f.other.line, f.other.column,
              big(f.times));
  for (const std::uint64_t caller : f.callers) std::printf(" %llx", big(caller));
  const auto say = [](const Thread& t) {
    std::printf(" %u,%u,%u/%u,%u,%u", t.thread.x, t.thread.y, t.thread.z, t.block.x, t.block.y,
                t.block.z);
  };
  say(f.who);
  say(f.other_who);
  std::printf(" w%d%d b%u at%lld of%llu |%s|%s|%s|\n", f.is_write, f.other_is_write, f.bytes,
              static_cast<long long>(f.offset), big(f.size), f.kernel, f.subject, f.detail);
}

void print(const Traffic& t) {
  std::printf(
      "traffic %llx %d %d %u req=%llu lanes=%llu sectors=%llu useful=%llu waves=%llu "
      "ideal=%llu |%s|\n",
      big(t.place.offset), int(t.space), int(t.use), t.bytes, big(t.requests), big(t.lanes),
      big(t.sectors), big(t.useful_bytes), big(t.wavefronts), big(t.ideal_wavefronts), t.subject);
}

void print(const SessionTotals& t) {
  std::printf(
      "totals launches=%llu blocks=%llu threads=%llu barriers=%llu collectives=%llu "
      "atomics=%llu dp4a=%llu mma=%llu popc=%llu\n",
      big(t.launches), big(t.blocks), big(t.threads), big(t.barriers), big(t.warp_collectives),
      big(t.atomics), big(t.dp4a), big(t.mma), big(t.popc));
  std::printf("steps %llu %llu\n", big(t.steps), big(t.active_lanes));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  SessionOptions options;
  for (int i = 2; i < argc; ++i) {
    if (char* const equals = std::strchr(argv[i], '=')) {
      set(options, std::string(argv[i], equals), equals + 1);
    }
  }
  start(options);
  const bool right = run_case(argv[1]);
  const Report& report = finish();
  std::printf("values %s\n", right ? "right" : "wrong");
  for (std::uint32_t i = 0; i < report.findings; ++i) print(report.finding[i]);
  for (std::uint32_t i = 0; i < report.traffic; ++i) print(report.traffics[i]);
  print(report.totals);
  std::printf("calls %u failed_with %u busy_streams %u\n", report.calls, report.failed_with,
              report.busy_streams);
  return 0;
}
