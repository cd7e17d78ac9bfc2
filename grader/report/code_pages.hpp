// What the codes on a page mean: the pages of docs/diagnoses.md that it names, at its end.
#pragma once

#include <set>
#include <string>

#include "report/diagnoses.hpp"
#include "report/html.hpp"

namespace nibble::report {

class CodePages {
 public:
  explicit CodePages(const Diagnoses& diagnoses) : diagnoses_(diagnoses) {}

  /// The code and its title as HTML, and a link to its page where there is one; empty for no code.
  std::string link(const std::string& code);

  /// The section that the links lead to; none where nothing was linked.
  void close(Page& page) const;

 private:
  const Diagnoses& diagnoses_;
  std::set<std::string> linked_;
};

}  // namespace nibble::report
