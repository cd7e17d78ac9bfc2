#include "marks.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "hot.hpp"

namespace nibble::simt {

Marks* marks;

namespace {

constexpr std::uint32_t kFine =
    0xFFFFFFFF;  // as the stamp of a write: `from` is the number of a Four
struct Four {
  Marks byte[4];
};
constexpr std::size_t kChunk = 4096;
std::vector<std::unique_ptr<Four[]>> chunks;  // they never move
std::uint32_t fours;

Four& four_of(const Marks& m) { return chunks[m.write.from / kChunk][m.write.from % kChunk]; }

Four& fine(Marks& m) {
  if (m.write.stamp == kFine) return four_of(m);
  if (fours / kChunk == chunks.size()) chunks.push_back(std::make_unique<Four[]>(kChunk));
  const Marks whole = m;
  m.write = {kFine, fours++};
  Four& four = four_of(m);
  std::fill_n(four.byte, 4, whole);
  return four;
}

void note_some_of_four(Act act, std::size_t offset, unsigned size, const void* pc) {
  Four& four = fine(marks[offset / 4]);
  for (unsigned i = 0; i < size; ++i) {
    const std::size_t at = offset + i;
    hot.keys[at] = note_marks(four.byte[at % 4], act, at, size, pc);
  }
}

void note_four(Act act, std::size_t offset, unsigned size, const void* pc) {
  Marks& m = marks[offset / 4];
  std::uint32_t* const keys = hot.keys + offset;
  if (m.write.stamp != kFine) {
    std::fill_n(keys, 4, note_marks(m, act, offset, size, pc));
    return;
  }
  for (unsigned i = 0; i < 4; ++i) {
    keys[i] = note_marks(four_of(m).byte[i], act, offset + i, size, pc);
  }
}

}  // namespace

void note_use(Act act, std::size_t offset, unsigned size, const void* pc) {
  if (size < 4) return note_some_of_four(act, offset, size, pc);
  for (unsigned i = 0; i < size; i += 4) note_four(act, offset + i, size, pc);
}

void note_unraced(Act act, std::size_t offset, unsigned size) {
  std::fill_n(hot.keys + offset, size, act == Act::kRead ? hot.epoch_key : hot.own_key);
}

void forget_fine_marks() {
  chunks.clear();
  fours = 0;
}

}  // namespace nibble::simt
