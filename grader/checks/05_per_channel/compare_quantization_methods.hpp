// Lab 05, compare_quantization_methods: what is right, and what people write instead.
#pragma once

#include "per_channel.hpp"

#include "checks/05_per_channel/values.hpp"
#include "judge/exercise.hpp"

namespace nibble::judge::lab_05_per_channel {

using Comparing = Exercise<&compare_quantization_methods>;

inline void suspect_methods(Expect& expect, const Comparing::Arguments&,
                            const MethodComparison& right) {
  for (const double other :
       {right.per_tensor_asymmetric.mse, right.per_channel_symmetric.mse, right.per_group.mse}) {
    expect.suspect("N-ORDER", "per_tensor_symmetric.mse", other);
  }
  expect.suspect("N-ORDER", "per_tensor_asymmetric.mse", right.per_tensor_symmetric.mse);
  for (const double other : {right.per_channel_asymmetric.mse, right.per_group.mse}) {
    expect.suspect("N-ORDER", "per_channel_symmetric.mse", other);
  }
  expect.suspect("N-ORDER", "per_channel_asymmetric.mse", right.per_channel_symmetric.mse);
}

inline const Comparing comparing{{"x", "shape", "num_bits", "group_size"},
                                 {"per_tensor_symmetric.mse",
                                  "per_tensor_symmetric.mae",
                                  "per_tensor_symmetric.max_error",
                                  "per_tensor_symmetric.relative_error",
                                  "per_tensor_symmetric.snr_db",
                                  "per_tensor_symmetric.sqnr_db",
                                  "per_tensor_symmetric.cosine",
                                  "per_tensor_symmetric.bits_per_element",
                                  "per_tensor_asymmetric.mse",
                                  "per_tensor_asymmetric.mae",
                                  "per_tensor_asymmetric.max_error",
                                  "per_tensor_asymmetric.relative_error",
                                  "per_tensor_asymmetric.snr_db",
                                  "per_tensor_asymmetric.sqnr_db",
                                  "per_tensor_asymmetric.cosine",
                                  "per_tensor_asymmetric.bits_per_element",
                                  "per_channel_symmetric.mse",
                                  "per_channel_symmetric.mae",
                                  "per_channel_symmetric.max_error",
                                  "per_channel_symmetric.relative_error",
                                  "per_channel_symmetric.snr_db",
                                  "per_channel_symmetric.sqnr_db",
                                  "per_channel_symmetric.cosine",
                                  "per_channel_symmetric.bits_per_element",
                                  "per_channel_asymmetric.mse",
                                  "per_channel_asymmetric.mae",
                                  "per_channel_asymmetric.max_error",
                                  "per_channel_asymmetric.relative_error",
                                  "per_channel_asymmetric.snr_db",
                                  "per_channel_asymmetric.sqnr_db",
                                  "per_channel_asymmetric.cosine",
                                  "per_channel_asymmetric.bits_per_element",
                                  "per_group.mse",
                                  "per_group.mae",
                                  "per_group.max_error",
                                  "per_group.relative_error",
                                  "per_group.snr_db",
                                  "per_group.sqnr_db",
                                  "per_group.cosine",
                                  "per_group.bits_per_element",
                                  "best"},
                                 suspect_methods,
                                 {.tolerance = metric_tolerance()}};

}  // namespace nibble::judge::lab_05_per_channel
