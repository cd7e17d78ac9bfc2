// Lab 34, read_model: what is right, and what people write instead.
#pragma once

#include "onnx_export.hpp"

#include "checks/34_onnx_export/bytes.hpp"
#include "checks/34_onnx_export/read_tensor.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_34_onnx_export {

using Ways = Exercise<&read_model>;
inline const Ways reading_model{
    {"bytes"}, {"sizes", "weights", "weight_scales", "biases", "scales", "zero_points"}};

/// The bytes with one of them changed.
inline Bytes with_a_flip(Bytes bytes, std::uint64_t seed) {
  const auto at = code_tensor<std::int32_t>(2, seed, 0, (1 << 30) - 1);
  bytes[std::size_t(at[0]) % bytes.size()] ^= static_cast<std::uint8_t>(1 + at[1] % 255);
  return bytes;
}

/// Whatever the bytes are: they are refused, or are a network.
inline void survives(const Bytes& bytes, std::size_t step, const std::vector<Bytes>& damaged) {
  once([&](Expect& expect) {
    expect.that(answer_of(reading_model, bytes).has_value(),
                "refused what is written by the contract", "N-REFUSED");
    for (std::size_t size = 0; size < bytes.size() && !expect.failure(); size += step) {
      const Bytes front(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      expect.that(!answer_of(reading_model, front),
                  "accepted the first " + std::to_string(size) + " of " +
                      std::to_string(bytes.size()) + " bytes",
                  "N-WIRE");
    }
    for (const Bytes& one : damaged) {
      const std::optional<QuantizedMlp> net = answer_of(reading_model, one);
      try {
        if (net) expects_mlp(*net);
      } catch (const std::invalid_argument& error) {
        expect.that(false, std::string("returned what is no network: ") + error.what(), "N-SIZE");
      }
    }
  });
}

inline std::vector<Bytes> flipped(const Bytes& bytes, std::size_t count, Seed seed_of) {
  std::vector<Bytes> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(with_a_flip(bytes, seed_of(i)));
  return all;
}

}  // namespace nibble::judge::lab_34_onnx_export
