// The mark scheme of a lab: its rows, as NN_name.json holds them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace nibble::record {

/// What a failing check may tell: everything, if it is public; the diagnosis and the sentence;
/// points alone; not even what it is about.
enum class Detail { kFull, kKind, kScore, kNone };

inline constexpr std::array kDetailNames = {"full", "kind", "score", "none"};

constexpr const char* name_of(Detail detail) {
  return kDetailNames.at(static_cast<std::size_t>(detail));
}

/// Which check it is, before anything is known of its outcome.
struct CheckHead {
  std::string id{};        ///< "TiesGoToEven"
  std::string exercise{};  ///< "quantize_symmetric"
  std::string title{};     ///< the sentence of the contract
  bool hidden = false;
  Detail detail = Detail::kFull;
  int max_points = 0;

  /// "quantize_symmetric.TiesGoToEven".
  std::string name() const { return exercise + "." + id; }

  bool operator==(const CheckHead&) const = default;
};

inline bool is_same_check(const CheckHead& one, const CheckHead& other) {
  return one.id == other.id && one.exercise == other.exercise;
}

/// The one of `checks` that is `wanted`; null: there is none.
template <class Checks>
auto find_check(const Checks& checks, const CheckHead& wanted) -> decltype(checks.data()) {
  for (const auto& one : checks) {
    if (is_same_check(one, wanted)) return &one;
  }
  return nullptr;
}

struct Row : CheckHead {
  bool of_speed = false;
  std::string diagnosis;  ///< what a failure means, unless a closer look finds a better one
};

struct Scheme {
  std::string lab;
  std::vector<std::string> exercises;
  std::vector<Row> checks;
};

}  // namespace nibble::record
