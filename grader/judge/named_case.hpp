// A case whose text and smaller ones follow from its members, as those of an Exercise do: numbers,
// lists, enums. The struct says what its members are called.
//
//     struct Codes {
//       std::vector<std::int8_t> q;
//       float scale;
//       static constexpr std::array names{"q", "scale"};
//     };
//     const std::vector<Named<Codes>> cases{{"Quarters", {{-128, 0, 127}, 0.25f}}};
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "judge/leaves.hpp"
#include "judge/smaller_arguments.hpp"

namespace nibble::judge {

template <class Members>
struct Named : Members {
  std::string name;

  Named(std::string its_name, Members members)
      : Members(std::move(members)), name(std::move(its_name)) {}
  const Members& members() const { return *this; }
};

template <class Members>
std::string show(const Named<Members>& c) {
  return show_leaves(c.members(), Members::names);
}

template <class Members>
std::vector<Named<Members>> smaller(const Named<Members>& c) {
  std::vector<Named<Members>> all;
  for (Members& members : smaller_arguments(c.members())) {
    std::string size = size_of_case(members);
    all.emplace_back(std::move(size), std::move(members));
  }
  return all;
}

}  // namespace nibble::judge
