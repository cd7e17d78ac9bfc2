#include "sections.hpp"

#include <fmt/format.h>

namespace nibble::peers {
namespace {

std::string threads_name(int threads) { return threads == 1 ? "1 thread" : "2 threads"; }

}  // namespace

std::vector<MatmulShape> every_shape() {
  return {{.m = 256, .n = 256, .k = 256},    {.m = 512, .n = 512, .k = 512},
          {.m = 1024, .n = 1024, .k = 1024}, {.m = 2048, .n = 2048, .k = 2048},
          {.m = 1, .n = 4096, .k = 4096},    {.m = 32, .n = 4096, .k = 4096},
          {.m = 128, .n = 768, .k = 3072}};
}

void measure_products(std::vector<Seat>& seats, const Contest& contest, InheritedArena& arena,
                      Results& results) {
  for (const MatmulShape& shape : contest.shapes) {
    arena.clear();
    Posed posed = pose_product(arena, shape);
    for (const int threads : contest.threads) {
      posed.problem.threads = threads;
      compete(seats, posed, {Operation::kMultiply, Operation::kFused, Operation::kPackMultiply},
              contest.pace,
              fmt::format("{} x {} x {}, {}", shape.m, shape.n, shape.k, threads_name(threads)),
              results);
    }
  }
}

void measure_conversions(std::vector<Seat>& seats, const Contest& contest, InheritedArena& arena,
                         Results& results) {
  for (const std::int64_t count : {32 << 10, 1 << 20, 32 << 20}) {
    arena.clear();
    Posed posed = pose_conversion(arena, count);
    for (const int threads : contest.threads) {
      posed.problem.threads = threads;
      compete(seats, posed, {Operation::kQuantize, Operation::kDequantize}, contest.pace,
              fmt::format("converting {} Ki numbers, {}", count >> 10, threads_name(threads)),
              results);
    }
  }
}

void measure_gemv(std::vector<Seat>& seats, const Contest& contest, InheritedArena& arena,
                  Results& results) {
  arena.clear();
  Posed posed = pose_product(arena, {.m = 1, .n = 4096, .k = 4096});
  for (const int threads : contest.threads) {
    posed.problem.threads = threads;
    compete(seats, posed, {Operation::kGemvInt8, Operation::kGemvInt4}, contest.pace,
            fmt::format("one row, cold weights, {}", threads_name(threads)), results);
  }
}

}  // namespace nibble::peers
