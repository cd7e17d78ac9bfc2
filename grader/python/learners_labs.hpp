// Which of the labs Python can call, and why it cannot call the others.
#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"

namespace nibble::python {

/// A lab, its source as it shall be compiled, or why it is not.
struct CallableLab {
  const cli::MarkedLab* lab;
  std::string source;
  std::string why_not;  ///< "lab 03 does not pass yet: ./nibble run 03"; empty: it is called
};

/// All labs. Those are called whose exercises have passed, as the progress says, and whose file is
/// the one that was judged last.
std::vector<CallableLab> learners_labs(const cli::Context& context);

/// The same of the published solutions. Throws Trouble where there are none.
std::vector<CallableLab> published_labs(const cli::Context& context);

}  // namespace nibble::python
