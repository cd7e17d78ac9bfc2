// Which suspects of a wrong answer have an alibi in the other cases of its check.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "judge/cases.hpp"
#include "judge/failure.hpp"

namespace nibble::judge::detail {

/// The cases of a check.
struct Cases {
  std::size_t count;
  const std::function<std::unique_ptr<AnyCase>(std::size_t)>& at;
};

/// What is to be known of the suspects of the failure of case `which` before one is named.
Heard heard_beside(const Cases& cases, std::size_t which, const Failure& failure);

}  // namespace nibble::judge::detail
