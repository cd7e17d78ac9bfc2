// The instruction sets that a kernel is asked for: those that are here, one after the other, and
// those that it has to refuse.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "judge/cases.hpp"
#include "nibble/cpu.hpp"

namespace nibble {

inline std::string show(Isa isa) {
  const std::string_view name = name_of(isa);
  return name == "unknown" ? "isa number " + std::to_string(static_cast<int>(isa))
                           : std::string(name);
}

}  // namespace nibble

namespace nibble::judge {

/// Those with vectors of codes that this machine has, plain C++ first, the fastest last. (Tiles
/// are a lab of their own.)
inline const std::vector<Isa>& isas_to_check() {
  static const std::vector<Isa> found = [] {
    std::vector<Isa> isas;
    for (const Isa isa : kEveryIsa) {
      if (isa != Isa::kAmxInt8 && cpu_has(isa)) isas.push_back(isa);
    }
    return isas;
  }();
  return found;
}

/// The one that speed is asked of.
inline Isa fastest_isa() { return isas_to_check().back(); }

/// What no kernel may be run or replaced for: what this CPU lacks, what has no kernel,
/// what is no isa.
inline std::vector<Isa> isas_to_refuse() {
  std::vector<Isa> isas{static_cast<Isa>(6), static_cast<Isa>(-1)};
  for (const Isa isa : kEveryIsa) {
    if (std::ranges::count(isas_to_check(), isa) == 0) isas.push_back(isa);
  }
  return isas;
}

/// A case, and the kernel that gets it.
template <class Case>
struct OnIsa : Case {
  using Plain = Case;
  Isa isa;

  OnIsa(Isa its_isa, Case c) : Case(std::move(c)), isa(its_isa) {
    this->name = show(isa) + "_" + this->name;
  }
};

template <class Case>
std::string show(const OnIsa<Case>& c) {
  return show(c.isa) + ", " + show(static_cast<const Case&>(c));
}

template <class Case>
std::vector<OnIsa<Case>> smaller(const OnIsa<Case>& c) {
  std::vector<OnIsa<Case>> all;
  for (Case& one : smaller(static_cast<const Case&>(c))) all.emplace_back(c.isa, std::move(one));
  return all;
}

/// Each of these on every isa that is here.
template <class Case>
std::vector<OnIsa<Case>> on_every_isa(const std::vector<Case>& cases) {
  std::vector<OnIsa<Case>> all;
  for (const Isa isa : isas_to_check()) {
    for (const Case& c : cases) all.emplace_back(isa, c);
  }
  return all;
}

/// `good` for each isa that it has to be refused for.
template <class Exercise, class Case>
typename Exercise::Refusals refused_isas(const Exercise& exercise, const Case& good) {
  typename Exercise::Refusals rows;
  for (const Isa isa : isas_to_refuse()) {
    rows.push_back({"N-ISA", show(isa), exercise.arguments({isa, good})});
  }
  return rows;
}

/// The exercise takes `good` on every isa that is here, and refuses it on those that are not, and
/// what bad(isa) gives.
template <class Exercise, class Case, class Bad>
void refuses_on_every_isa(const Exercise& exercise, const Case& good, const Bad& bad) {
  typename Exercise::Refusals rows;
  for (const Isa isa : isas_to_check()) {
    for (typename Exercise::Refused& row : bad(isa)) {
      row.what = show(isa) + ", " + row.what;
      rows.push_back(std::move(row));
    }
  }
  for (auto& row : refused_isas(exercise, good)) rows.push_back(std::move(row));
  exercise.refuses(on_every_isa(std::vector{good}), rows);
}

}  // namespace nibble::judge
