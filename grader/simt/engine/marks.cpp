// The marks of each four bytes, and of single ones where the four are not used alike.
#include "marks.hpp"

#include <algorithm>

#include "hot.hpp"
#include "launch_state.hpp"
#include "region.hpp"
#include "shadow.hpp"

namespace nibble::simt {

Marks* marks;

namespace {

// As the stamp of a write: `from` is the number of its FineMarks.
constexpr std::uint32_t kFine = 0xFFFFFFFF;
struct FineMarks {
  Marks byte[4];
};
Region four_region(Wish::kFineMarks, kApart);
FineMarks* fours;
std::uint32_t four_count;

[[gnu::noinline]] FineMarks& make_fine(Marks& m) {
  four_region.reach((four_count + std::size_t{1}) * sizeof(FineMarks));
  fours = four_region.as<FineMarks>();
  FineMarks& four = fours[four_count];
  std::fill_n(four.byte, 4, m);
  m.write = {kFine, four_count++};
  return four;
}

FineMarks& fine(Marks& m) { return m.write.stamp == kFine ? fours[m.write.from] : make_fine(m); }

template <unsigned kSize, Act kAct>
void note_some_of_four(std::size_t offset, const void* pc) {
  FineMarks& four = fine(marks[offset / 4]);
  for (std::size_t at = offset; at < offset + kSize; ++at) {
    hot.keys[at] = note_marks<kAct>(four.byte[at % 4], at, kSize, pc);
  }
}

template <unsigned kSize, Act kAct>
void note_four(std::size_t offset, const void* pc) {
  Marks& m = marks[offset / 4];
  std::uint32_t* const keys = hot.keys + offset;
  if (m.write.stamp != kFine) {
    std::fill_n(keys, 4, note_marks<kAct>(m, offset, kSize, pc));
    return;
  }
  for (unsigned i = 0; i < 4; ++i) {
    keys[i] = note_marks<kAct>(fours[m.write.from].byte[i], offset + i, kSize, pc);
  }
}

}  // namespace

template <unsigned kSize, Act kAct>
void note_use(std::size_t offset, const void* pc) {
  if constexpr (kSize < 4) {
    note_some_of_four<kSize, kAct>(offset, pc);
  } else {
    for (unsigned i = 0; i < kSize; i += 4) note_four<kSize, kAct>(offset + i, pc);
  }
}

#define NIBBLE_SIMT_NOTE(N)                                         \
  template void note_use<N, Act::kRead>(std::size_t, const void*);  \
  template void note_use<N, Act::kWrite>(std::size_t, const void*); \
  template void note_use<N, Act::kAtomic>(std::size_t, const void*);
NIBBLE_SIMT_NOTE(1)
NIBBLE_SIMT_NOTE(2)
NIBBLE_SIMT_NOTE(4)
NIBBLE_SIMT_NOTE(8)
NIBBLE_SIMT_NOTE(16)
#undef NIBBLE_SIMT_NOTE

void note_write(unsigned size, std::size_t offset, const void* pc) {
  switch (size) {
    case 4:
      return note_use<4, Act::kWrite>(offset, pc);
    case 8:
      return note_use<8, Act::kWrite>(offset, pc);
    default:
      return note_use<16, Act::kWrite>(offset, pc);
  }
}

void note_unraced(Act act, std::size_t offset, unsigned size) {
  std::fill_n(hot.keys + offset, size, act == Act::kRead ? hot.epoch_key : hot.own_key);
}

std::uint32_t last_writer(std::size_t offset) {
  if (!instrumented || !options.races) return 0;
  const Marks& m = marks[offset / 4];
  const bool is_fine = m.write.stamp == kFine;
  return (is_fine ? fours[m.write.from].byte[offset % 4] : m).write.from & UseMark::kPlace;
}

void forget_fine_marks() {
  four_region.forget();
  four_count = 0;
}

}  // namespace nibble::simt
