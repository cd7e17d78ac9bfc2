// Lab 34, read_tensor: what is right, and what people write instead.
#pragma once

#include "onnx_export.hpp"

#include "checks/34_onnx_export/bytes.hpp"
#include "checks/34_onnx_export/write_tensor.hpp"
#include "judge/exercise.hpp"
#include "judge/tensors.hpp"

namespace nibble::judge::lab_34_onnx_export {

using Readings = Exercise<&read_tensor>;

/// The answer; none where the bytes are refused.
template <class E>
std::optional<typename E::Result> answer_of(const E& exercise, const Bytes& bytes) {
  try {
    return exercise({bytes});
  } catch (const CallFailed& failed) {
    if (failed.failure.code == "N-REFUSED") return std::nullopt;
    throw;
  }
}

struct Hostile {
  const char* code;
  std::string what;
  Bytes bytes;
};

/// All of them are refused, where `fine` is read.
template <class E>
void refuses_bytes(const E& exercise, const Bytes& fine, const std::vector<Hostile>& hostile) {
  once([&](Expect& expect) {
    expect.that(answer_of(exercise, fine).has_value(), "refused what is written by the contract",
                "N-REFUSED");
    for (const Hostile& one : hostile) {
      if (expect.failure()) return;
      expect.that(!answer_of(exercise, one.bytes), "accepted " + one.what, one.code);
    }
  });
}

inline const Readings reading_tensor{{"bytes"},
                                     {"name", "data_type", "dims", "values"},
                                     [](Expect& expect, const auto&, const Tensor& right) {
                                       const bool is_int8 = right.data_type == DataType::kInt8;
                                       Values turned, unsigned_values = right.values;
                                       for (double& value : unsigned_values)
                                         value += is_int8 && value < 0 ? 256 : 0;
                                       for (const double value : right.values) {
                                         const Bytes raw = raw_of(right.data_type, {value}, false);
                                         std::uint32_t bits = 0;
                                         for (std::size_t b = 0; b < raw.size(); ++b)
                                           bits |= std::uint32_t{raw[b]} << 8 * b;
                                         turned.push_back(right.data_type == DataType::kFloat
                                                              ? double{std::bit_cast<float>(bits)}
                                                              : static_cast<std::int32_t>(bits));
                                       }
                                       if (is_int8)
                                         expect.suspect("N-SIGN", "values", unsigned_values);
                                       if (is_wide(right.data_type))
                                         expect.suspect("N-LAYOUT", "values", turned);
                                     }};

}  // namespace nibble::judge::lab_34_onnx_export
