// A kernel that is told which instruction set to use: each case is tried on every one that is here.
#pragma once

#include <utility>
#include <vector>

#include "judge/isas.hpp"
#include "judge/kernel_exercise.hpp"

namespace nibble::judge {

template <class Kernel>
class IsaExercise : public Kernel {
 public:
  using Case = typename Kernel::Input::Plain;

  explicit IsaExercise(Kernel kernel) : Kernel(std::move(kernel)) {}

  using Kernel::is_right, Kernel::refuses;

  void is_right(const std::vector<Case>& cases) const { Kernel::is_right(on_every_isa(cases)); }
  void refuses(const std::vector<Case>& accepted, const typename Kernel::Refusals& refused) const {
    Kernel::refuses(on_every_isa(accepted), refused);
  }
};

/// As kernel_exercise; the arguments are those of an OnIsa<Case>.
template <auto F, class Arguments, class Right, class Look>
auto isa_exercise(const Arguments& arguments, const Right& right, const Look& look) {
  auto kernel = kernel_exercise<F>(arguments, right, look);
  return IsaExercise<decltype(kernel)>(std::move(kernel));
}

}  // namespace nibble::judge
