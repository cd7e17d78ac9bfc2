#include "seen_stores.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "finding.hpp"
#include "launch_state.hpp"
#include "shadow.hpp"
#include "subject.hpp"

namespace nibble::simt {
namespace {

std::vector<std::byte> before;     // device memory, as it was
std::vector<std::uint64_t> seen;   // a bit for each of its bytes
constexpr std::size_t kWord = 64;  // bytes that share a number of `seen`

bool is_seen(std::size_t at) { return (seen[at / kWord] >> at % kWord & 1) != 0; }

/// Device memory can be large and is changed in few places: whole words of `seen` are passed over.
std::size_t first_unseen() {
  const std::byte* const now = arena_byte(kSharedBytes);
  for (std::size_t word = 0; word < seen.size(); ++word) {
    const std::size_t begin = word * kWord, size = std::min(kWord, before.size() - begin);
    if (std::memcmp(now + begin, before.data() + begin, size) == 0) continue;
    for (std::size_t at = begin; at < begin + size; ++at) {
      if (now[at] != before[at] && !is_seen(at)) return at;
    }
  }
  return before.size();
}

}  // namespace

void begin_seen_stores() {
  before.clear();
  if (!options.counters || !instrumented || arena_top <= kSharedBytes) return;
  before.assign(arena_byte(kSharedBytes), arena_byte(arena_top));
  seen.assign((before.size() + kWord - 1) / kWord, 0);
}

void note_seen_store(std::size_t offset, unsigned size) {
  const std::size_t at = offset - kSharedBytes;  // shared memory: far beyond all
  if (at >= before.size()) return;
  // Aligned, and 16 bytes at most: never in two words.
  seen[at / kWord] |= ((std::uint64_t{1} << size) - 1) << at % kWord;
}

void check_seen_stores() {
  if (before.empty()) return;
  const std::size_t at = first_unseen();
  if (at < before.size()) {
    if (EngineFinding* const finding = new_finding(Kind::kUnseenStore, Place{})) {
      finding->is_write = 1;
      name_subject(*finding, at + kSharedBytes, 1);
      publish(finding);
    }
  }
  before.clear();
}

}  // namespace nibble::simt
