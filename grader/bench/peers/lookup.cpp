#include "lookup.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nibble::peers {

bool is_wrong(const Score& row) { return row.comparison.wrong > 0; }

bool is_same(const MatmulShape& one, const MatmulShape& other) {
  return one.m == other.m && one.n == other.n && one.k == other.k;
}

std::string shape_name(const MatmulShape& shape) {
  return fmt::format("{} x {} x {}", shape.m, shape.n, shape.k);
}

std::vector<MatmulShape> shapes_of(const Results& results) {
  std::vector<MatmulShape> shapes;
  for (const Score& row : results.rows) {
    if (row.work != Operation::kMultiply && row.work != Operation::kPackMultiply) continue;
    const auto same = [&](const MatmulShape& shape) { return is_same(shape, row.shape); };
    if (std::ranges::none_of(shapes, same)) shapes.push_back(row.shape);
  }
  return shapes;
}

const Score* find_row(const Results& results, const std::string& contender, Operation work,
                      const MatmulShape& shape, int threads) {
  const auto found = std::ranges::find_if(results.rows, [&](const Score& row) {
    return row.contender.name == contender && row.work == work && is_same(row.shape, shape) &&
           row.threads == threads && !row.seconds.empty();
  });
  return found == results.rows.end() ? nullptr : &*found;
}

const Score* product_row(const Results& results, const std::string& contender,
                         const MatmulShape& shape, int threads) {
  const Score* const packed = find_row(results, contender, Operation::kMultiply, shape, threads);
  if (packed != nullptr) return packed;
  return find_row(results, contender, Operation::kPackMultiply, shape, threads);
}

std::vector<Contender> multipliers(const Results& results) {
  std::vector<Contender> found;
  for (const Score& row : results.rows) {
    if (row.work != Operation::kMultiply && row.work != Operation::kPackMultiply) continue;
    const auto same = [&](const Contender& other) { return other.name == row.contender.name; };
    if (std::ranges::none_of(found, same)) found.push_back(row.contender);
  }
  return found;
}

std::optional<Beside> beside(const Results& results, MatmulShape shape, int threads,
                             const std::string& family, Operation work) {
  Beside pair{shape, threads, family, work, nullptr, nullptr};
  for (const Score& row : results.rows) {
    if (row.contender.family != family || row.work != work || row.threads != threads ||
        !is_same(row.shape, shape) || row.seconds.empty()) {
      continue;
    }
    const Score*& best = row.contender.is_ours ? pair.ours : pair.peer;
    if (best == nullptr || row.time().median < best->time().median) best = &row;
  }
  if (pair.ours == nullptr || pair.peer == nullptr) return {};
  return pair;
}

}  // namespace nibble::peers
