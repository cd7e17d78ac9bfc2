#include "simt/rewriter/launch_bounds.hpp"

#include <string>

namespace nibble::simt {

void keep_launch_bounds(std::string_view source, const Tokens& tokens,
                        const std::vector<Declaration>& declarations, Edits& edits) {
  for (const Declaration& kernel : declarations) {
    if (kernel.body < 0) continue;
    for (int i = kernel.first; i < kernel.words_end; i = tokens.after(i)) {
      const int open = tokens.after(i);
      if (!tokens[i].is("__launch_bounds__") || tokens.partner(open) < 0) continue;
      const std::size_t begin = tokens[open].begin, end = tokens[tokens.partner(open)].end;
      edits.insert(tokens[kernel.body].end, " nibble::simt::keep_within_launch_bounds" +
                                                std::string(source.substr(begin, end - begin)) +
                                                ";");
    }
  }
}

}  // namespace nibble::simt
