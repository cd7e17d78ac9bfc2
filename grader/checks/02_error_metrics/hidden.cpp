// Lab 02: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "error_metrics.hpp"

#include "checks/02_error_metrics/absolute_errors.hpp"
#include "checks/02_error_metrics/cosine_similarity.hpp"
#include "checks/02_error_metrics/error_of_doubles.hpp"
#include "checks/02_error_metrics/mean_squared_error.hpp"
#include "checks/02_error_metrics/pairs.hpp"
#include "checks/02_error_metrics/quantization_error.hpp"
#include "checks/02_error_metrics/signal_to_noise.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_02_error_metrics {
namespace {

// One value, where there is no variance; two; around a vector; a prime; more than 2^16. The mean is
// shifted, the steps go down to two in all, and no x_hat is 0: then the error would be x itself.
template <class E>
void equals_the_reference(const E& exercise, int finest) {
  using Tensors = typename E::Arguments;
  std::vector<typename E::Input> inputs;
  for (const std::size_t size : {1, 2, 31, 33, 4099, 70001}) {
    for (const int steps : {1, 7, finest}) {
      const auto step = static_cast<Number<Tensors>>(4.0 / steps);
      Tensors pair;
      for (const float value :
           normal_tensor(size, hidden_seed(size * 128 + static_cast<std::size_t>(steps)))) {
        pair.a.push_back(value + 0.75f);
        pair.b.push_back(step * (std::floor(pair.a.back() / step) + Number<Tensors>{0.5}));
      }
      inputs.push_back({std::to_string(size) + "x" + std::to_string(steps), std::move(pair)});
    }
  }
  exercise.agrees_with(exercise.reference, inputs);
}

TEST(mean_squared_error, EqualsTheReference) { equals_the_reference(squaring, 127); }

TEST(absolute_errors, EqualsTheReference) { equals_the_reference(magnitudes, 127); }

TEST(signal_to_noise, EqualsTheReference) { equals_the_reference(comparing, 127); }

TEST(cosine_similarity, EqualsTheReference) { equals_the_reference(turning, 127); }

TEST(quantization_error, EqualsTheReference) { equals_the_reference(measuring, 127); }

// Steps finer than a float has digits for: of floats, other errors would be left.
TEST(error_of_doubles, EqualsTheReference) { equals_the_reference(in_double, 1 << 26); }

}  // namespace
}  // namespace nibble::judge::lab_02_error_metrics
