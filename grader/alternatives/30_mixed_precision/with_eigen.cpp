// Another right solution: whole matrices with Eigen, a search that gives up early, casts as a
// set.
#include <Eigen/Dense>
#include <functional>
#include <optional>
#include <set>

#include "mixed_precision.hpp"

namespace nibble {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void expects(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

Matrix matrix_of(std::span<const double> numbers, Eigen::Index columns) {
  expects(columns >= 1 && !numbers.empty(), "no columns, or no rows");
  const auto size = static_cast<Eigen::Index>(numbers.size());
  expects(size % columns == 0, "rows of different lengths");
  Matrix matrix = Eigen::Map<const Matrix>(numbers.data(), size / columns, columns);
  expects(matrix.allFinite(), "what is not finite");
  return matrix;
}

/// A step for each row.
Eigen::VectorXd steps_of(const Matrix& rows, double qmax) {
  const Eigen::VectorXd amax = rows.cwiseAbs().rowwise().maxCoeff();
  return (amax.array() == 0).select(1, amax / qmax);
}

Matrix codes_of(const Matrix& rows, const Eigen::VectorXd& steps) {
  return (rows.array().colwise() / steps.array()).rint();
}

void expects_budget(const Candidates& all, std::int64_t budget) {
  expects_candidates(all);
  for (const std::int32_t count : all.counts) budget -= std::int64_t{count} * all.bits[0];
  expects(budget >= 0, "the budget cannot be met");
}

}  // namespace

std::vector<double> layer_sensitivity(const Network& net, std::span<const double> x,
                                      std::int32_t num_bits) {
  expects_network(net);
  expects(2 <= num_bits && num_bits <= 8, "width");
  const double qmax = (1 << (num_bits - 1)) - 1;
  const auto run = [&](std::size_t rounded) {
    Matrix now = matrix_of(x, net.sizes[0]);
    std::span<const double> rest = net.weights;
    for (std::size_t l = 1; l < net.sizes.size(); ++l) {
      const auto count = static_cast<std::size_t>(net.sizes[l - 1] * net.sizes[l]);
      Matrix w = matrix_of(rest.first(count), net.sizes[l - 1]);
      rest = rest.subspan(count);
      if (l == rounded) {
        const Eigen::VectorXd steps = steps_of(w, qmax);
        w = steps.asDiagonal() * codes_of(w, steps);
      }
      now = now * w.transpose();
      if (!rest.empty()) now = now.cwiseMax(0);
    }
    return now;
  };
  std::vector<double> errors;
  for (std::size_t l = 1; l < net.sizes.size(); ++l) {
    const Matrix off = run(l) - run(0);
    errors.push_back(off.squaredNorm() / static_cast<double>(off.size()));
  }
  return errors;
}

std::vector<std::int32_t> choose_bits(const Candidates& all, std::int64_t budget_bits) {
  expects_budget(all, budget_bits);
  const Eigen::Index layers = std::ssize(all.counts);
  const Matrix errors = matrix_of(all.errors, std::ssize(all.bits));
  std::vector<std::int32_t> choice(all.counts.size());
  for (const std::int32_t count : all.counts) budget_bits -= std::int64_t{count} * all.bits[0];
  while (true) {
    std::optional<std::pair<double, Eigen::Index>>
        best;  // the gain as a loss, so that the least wins
    std::int64_t price = 0;
    for (Eigen::Index l = 0; l < layers; ++l) {
      const auto at = static_cast<std::size_t>(l);
      const auto next = static_cast<std::size_t>(choice[at]) + 1;
      if (next == all.bits.size()) continue;
      const std::int64_t more =
          std::int64_t{all.counts[at]} * (all.bits[next] - all.bits[next - 1]);
      const double loss = (errors(l, choice[at] + 1) - errors(l, choice[at])) / double(more);
      if (more > budget_bits || loss >= 0) continue;
      if (!best || std::pair(loss, l) < *best) best = {loss, l}, price = more;
    }
    if (!best) return choice;
    budget_bits -= price;
    ++choice[static_cast<std::size_t>(best->second)];
  }
}

std::vector<std::int32_t> best_bits(const Candidates& all, std::int64_t budget_bits) {
  expects_budget(all, budget_bits);
  expects(all.counts.size() <= 8 && all.bits.size() <= 4, "too many");
  using Found = std::tuple<double, std::int64_t, std::vector<std::int32_t>>;
  std::optional<Found> best;
  std::vector<std::int32_t> choice;
  const std::function<void(double, std::int64_t)> go = [&](double sum, std::int64_t bits) {
    if (bits > budget_bits) return;
    const std::size_t l = choice.size();
    if (l == all.counts.size()) {
      const Found now{sum, bits, choice};
      if (!best || now < *best) best = now;
      return;
    }
    for (std::size_t c = 0; c < all.bits.size(); ++c) {
      choice.push_back(static_cast<std::int32_t>(c));
      go(sum + all.errors[l * all.bits.size() + c],
         bits + std::int64_t{all.counts[l]} * all.bits[c]);
      choice.pop_back();
    }
  };
  go(0, 0);
  return std::get<2>(*best);
}

std::vector<std::int32_t> split_outliers(std::span<const double> x, std::int32_t inputs,
                                         double threshold) {
  const Matrix rows = matrix_of(x, inputs);
  expects(threshold > 0, "threshold");
  std::vector<std::int32_t> all;
  for (std::int32_t i = 0; i < inputs; ++i) {
    if (rows.col(i).cwiseAbs().maxCoeff() >= threshold) all.push_back(i);
  }
  return all;
}

std::vector<double> matmul_with_outliers(std::span<const double> x, std::span<const double> w,
                                         std::int32_t inputs, double threshold) {
  const Matrix a = matrix_of(x, inputs), b = matrix_of(w, inputs);
  const std::vector<std::int32_t> wide = split_outliers(x, inputs, threshold);
  std::vector<std::int32_t> narrow(static_cast<std::size_t>(inputs));
  std::iota(narrow.begin(), narrow.end(), 0);
  std::erase_if(narrow, [&](std::int32_t i) { return std::ranges::binary_search(wide, i); });
  Matrix y = a(Eigen::all, wide) * b(Eigen::all, wide).transpose();
  if (!narrow.empty()) {
    const Matrix ar = a(Eigen::all, narrow), br = b(Eigen::all, narrow);
    const Eigen::VectorXd as = steps_of(ar, 127), bs = steps_of(br, 127);
    y += as.asDiagonal() * (codes_of(ar, as) * codes_of(br, bs).transpose()) * bs.asDiagonal();
  }
  return {y.data(), y.data() + y.size()};
}

Autocast autocast(const Operations& program) {
  const std::size_t count = program.kinds.size();
  expects(program.first.size() == count && program.second.size() == count, "sizes");
  Autocast plan{{}, 0};
  std::set<std::int32_t> converted;
  for (std::size_t op = 0; op < count; ++op) {
    std::vector<std::int32_t> reads{program.first[op]};
    expects(reads[0] >= kInput, "the first operand");
    if (program.second[op] != kNothing) reads.push_back(program.second[op]);
    bool all_half = true;
    for (const std::int32_t value : reads) {
      expects(value >= kInput && value < static_cast<std::int32_t>(op), "an operand");
      all_half = all_half && value != kInput && plan.half[static_cast<std::size_t>(value)] != 0;
    }
    switch (program.kinds[op]) {
      case kProduct:
        plan.half.push_back(1);
        break;
      case kReduction:
        plan.half.push_back(0);
        break;
      case kElementwise:
        plan.half.push_back(all_half ? 1 : 0);
        break;
      default:
        expects(false, "a kind");
    }
    for (const std::int32_t value : reads) {
      const std::int32_t has = value == kInput ? 0 : plan.half[static_cast<std::size_t>(value)];
      if (has != plan.half[op]) converted.insert(value);
    }
  }
  plan.casts = static_cast<std::int32_t>(converted.size());
  return plan;
}

}  // namespace nibble
