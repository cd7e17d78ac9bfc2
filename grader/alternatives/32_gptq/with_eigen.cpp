// Another right solution: Eigen's factors, as the paper has them (the inverse first, then its
// factor), and all rows at once, column by column.
#include "gptq.hpp"

#include <Eigen/Dense>

namespace nibble {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void expects(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

Matrix matrix_of(std::span<const double> numbers, std::int32_t inputs) {
  expects(inputs >= 1 && !numbers.empty(), "no inputs, or no rows");
  const auto size = static_cast<Eigen::Index>(numbers.size());
  expects(size % inputs == 0, "rows of different lengths");
  Matrix matrix = Eigen::Map<const Matrix>(numbers.data(), size / inputs, inputs);
  expects(matrix.allFinite(), "what is not finite");
  return matrix;
}

std::vector<double> list_of(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

/// All rows of w; scales have a row for each, too.
struct Done {
  Matrix codes, scales;
};

Done quantize_columns(Matrix w, const Matrix& u, std::int32_t num_bits, std::int32_t group_size) {
  const Eigen::Index n = w.cols(), each = group_size;
  const double qmax = (1 << (num_bits - 1)) - 1;
  Done done{Matrix(w.rows(), n), Matrix(w.rows(), (n + each - 1) / each)};
  Eigen::VectorXd scale(w.rows());
  for (Eigen::Index i = 0; i < n; ++i) {
    if (i % each == 0) {
      const Eigen::VectorXd amax =
          w.middleCols(i, std::min(each, n - i)).cwiseAbs().rowwise().maxCoeff();
      scale = (amax.array() == 0).select(1, (amax / qmax).cwiseMax(DBL_MIN));
      done.scales.col(i / each) = scale;
    }
    done.codes.col(i) = (w.col(i).array() / scale.array()).rint().max(-qmax - 1).min(qmax);
    const Eigen::VectorXd off =
        (w.col(i).array() - scale.array() * done.codes.col(i).array()) / u(i, i);
    w.rightCols(n - i - 1) -= off * u.row(i).tail(n - i - 1);
  }
  return done;
}

std::vector<std::int8_t> codes_of(const Matrix& codes) {
  std::vector<std::int8_t> q;
  for (const double code : codes.reshaped<Eigen::RowMajor>()) {
    q.push_back(static_cast<std::int8_t>(code));
  }
  return q;
}

void expects_form(std::int32_t num_bits, std::int32_t group_size) {
  expects(2 <= num_bits && num_bits <= 8, "no such width");
  expects(group_size >= 1, "an empty group");
}

}  // namespace

std::vector<double> input_hessian(std::span<const double> x, std::int32_t inputs, double damping) {
  const Matrix all = matrix_of(x, inputs);
  expects(damping >= 0 && damping <= 1, "damping");
  Matrix h = 2 * all.transpose() * all;
  for (Eigen::Index i = 0; i < h.rows(); ++i) {
    if (all.col(i).cwiseAbs().maxCoeff() == 0) h(i, i) = 1;
  }
  h.diagonal().array() += damping * h.diagonal().mean();
  return list_of(h);
}

std::vector<double> inverse_cholesky(std::span<const double> h, std::int32_t inputs) {
  const Matrix all = matrix_of(h, inputs);
  expects(all.rows() == inputs, "not square");
  const Eigen::LLT<Matrix> factor(all);
  expects(factor.info() == Eigen::Success, "not positive definite");
  const Matrix inverse = factor.solve(Matrix::Identity(inputs, inputs));
  return list_of(Eigen::LLT<Matrix>(inverse).matrixU());
}

QuantizedRow gptq_row(std::span<const double> w, std::span<const double> u, std::int32_t num_bits,
                      std::int32_t group_size) {
  const auto n = static_cast<std::int32_t>(w.size());
  const Matrix factor = matrix_of(u, n), row = matrix_of(w, n);
  expects(factor.rows() == n, "not square");
  expects(factor.diagonal().minCoeff() > 0, "not positive");
  expects_form(num_bits, group_size);
  const Done done = quantize_columns(row, factor, num_bits, group_size);
  return {codes_of(done.codes), list_of(done.scales)};
}

std::vector<std::int32_t> activation_order(std::span<const double> h, std::int32_t inputs) {
  const Eigen::VectorXd costs = matrix_of(h, inputs).diagonal();
  expects(h.size() == static_cast<std::size_t>(inputs) * static_cast<std::size_t>(inputs), "size");
  std::vector<std::pair<double, std::int32_t>> all;
  for (std::int32_t i = 0; i < inputs; ++i) all.emplace_back(-costs(i), i);
  std::ranges::sort(all);
  std::vector<std::int32_t> order;
  for (const auto& [cost, i] : all) order.push_back(i);
  return order;
}

GptqMatrix gptq_quantize(std::span<const double> w, std::span<const double> x, std::int32_t inputs,
                         const GptqOptions& options) {
  expects_form(options.num_bits, options.group_size);
  Matrix weights = matrix_of(w, inputs);
  const std::vector<double> costs = input_hessian(x, inputs, options.damping);
  Eigen::PermutationMatrix<Eigen::Dynamic> order(inputs);
  order.setIdentity();
  if (options.by_activation) {
    const std::vector<std::int32_t> wanted = activation_order(costs, inputs);
    order.indices() = Eigen::Map<const Eigen::VectorXi>(wanted.data(), inputs);
  }
  const Matrix alive = matrix_of(x, inputs).cwiseAbs().colwise().maxCoeff();
  for (Eigen::Index i = 0; i < inputs; ++i) {
    if (alive(0, i) == 0) weights.col(i).setZero();
  }
  const Matrix moved = order.transpose() * matrix_of(costs, inputs) * order;
  const Matrix u = matrix_of(inverse_cholesky(list_of(moved), inputs), inputs);
  const Done done = quantize_columns(weights * order, u, options.num_bits, options.group_size);

  GptqMatrix matrix{codes_of(done.codes * order.transpose()), list_of(done.scales),
                    std::vector<std::int32_t>(static_cast<std::size_t>(inputs))};
  for (std::int32_t k = 0; k < inputs; ++k) {
    matrix.group[static_cast<std::size_t>(order.indices()(k))] = k / options.group_size;
  }
  return matrix;
}

double layer_error(std::span<const double> w, std::span<const double> w_hat,
                   std::span<const double> x, std::int32_t inputs) {
  const Matrix before = matrix_of(w, inputs), after = matrix_of(w_hat, inputs);
  expects(before.rows() == after.rows(), "other sizes");
  return (matrix_of(x, inputs) * (before - after).transpose()).squaredNorm() /
         static_cast<double>(before.rows() * matrix_of(x, inputs).rows());
}

}  // namespace nibble
