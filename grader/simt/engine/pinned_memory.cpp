#include "pinned_memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "finding.hpp"
#include "garbage.hpp"
#include "hot.hpp"

namespace nibble::simt {
namespace {

struct Pinned {
  std::size_t bytes;
  const void* taken_at;
  unsigned number;
  bool is_ours;
};

std::map<uptr, Pinned> ranges;  // by where they begin
unsigned taken;

bool forget(void* p, bool ours) {
  const auto at = ranges.find(reinterpret_cast<uptr>(p));
  if (at == ranges.end() || at->second.is_ours != ours) return false;
  ranges.erase(at);
  return true;
}

void report_leak(const Pinned& pinned) {
  EngineFinding* const finding = new_finding(Kind::kLeak, pinned.taken_at);
  if (finding == nullptr) return;
  finding->size = pinned.bytes;
  std::snprintf(finding->subject, sizeof finding->subject, "pinned memory %u", pinned.number);
  set_detail(*finding, "%s", pinned.is_ours ? "cudaFreeHost" : "cudaHostUnregister");
  publish(finding);
}

}  // namespace

void* take_pinned(std::size_t bytes, const void* pc) {
  void* const p = std::malloc(bytes != 0 ? bytes : 1);
  if (p == nullptr) return nullptr;
  std::memset(p, kGarbage, bytes);
  ranges[reinterpret_cast<uptr>(p)] = {bytes, pc, ++taken, true};
  return p;
}

bool give_back_pinned(void* p) {
  if (!forget(p, true)) return false;
  std::free(p);
  return true;
}

bool pin(void* p, std::size_t bytes, const void* pc) {
  return ranges.try_emplace(reinterpret_cast<uptr>(p), Pinned{bytes, pc, ++taken, false}).second;
}

bool unpin(void* p) { return forget(p, false); }

bool is_pinned(const void* p, std::size_t bytes) {
  const auto address = reinterpret_cast<uptr>(p);
  auto after = ranges.upper_bound(address);
  if (after == ranges.begin()) return false;
  const auto& [begin, pinned] = *--after;
  return address - begin <= pinned.bytes && bytes <= pinned.bytes - (address - begin);
}

void begin_pinned_memory() {
  ranges.clear();
  taken = 0;
}

void finish_pinned_memory() {
  for (const auto& [begin, pinned] : ranges) report_leak(pinned);
}

}  // namespace nibble::simt
