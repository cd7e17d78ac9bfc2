// Finds rows among what a run found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results.hpp"

namespace nibble::peers {

/// How fast our kernels are beside the fastest peer that is made of the same instructions.
struct Beside {
  MatmulShape shape;
  int threads;
  std::string family;
  Operation work;
  const Score* ours;
  const Score* peer;
  double ratio() const { return peer->time().median / ours->time().median; }
};
std::optional<Beside> beside(const Results& results, MatmulShape shape, int threads,
                             const std::string& family, Operation work);

bool is_wrong(const Score& row);
bool is_same(const MatmulShape& one, const MatmulShape& other);
/// "512 x 512 x 512".
std::string shape_name(const MatmulShape& shape);
/// Shapes of products, in the order in which they were measured.
std::vector<MatmulShape> shapes_of(const Results& results);
/// Null where there is no such row.
const Score* find_row(const Results& results, const std::string& contender, Operation work,
                      const MatmulShape& shape, int threads);
/// A contender's best figure for repeated products: b packed beforehand, where it can do that.
const Score* product_row(const Results& results, const std::string& contender,
                         const MatmulShape& shape, int threads);
/// Who multiplied at all, in the order of the roster.
std::vector<Contender> multipliers(const Results& results);

}  // namespace nibble::peers
