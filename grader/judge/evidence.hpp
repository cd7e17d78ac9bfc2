// Which suspects of a wrong answer have an alibi in the other cases of its check.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <set>

#include "judge/cases.hpp"
#include "judge/failure.hpp"

namespace nibble::judge::detail {

/// The cases of a check.
struct Cases {
  std::size_t count;
  const std::function<std::unique_ptr<AnyCase>(std::size_t)>& at;
};

/// Suspects whose words are not to be said of the failure of case `which`.
std::set<Cause> cleared_in(const Cases& cases, std::size_t which, const Failure& failure);

}  // namespace nibble::judge::detail
