// Wrong solutions that people really write, each as an edit of the reference: a copy would drift.
//
//     [quantize_symmetric]                        the exercise that the next ones get wrong
//     truncates: N-TRUNC drops the fraction       name, the diagnosis it must get, what was done
//     <<<
//     std::nearbyint(x[i] / scale)                stands exactly once in the solution
//     ===
//     std::trunc(x[i] / scale)                    may be empty
//     >>>
//
// A mistake may be several edits, one right behind the other. A line that says "// <- here" in a
// new text is one at which the judge has to point; of several, one is enough: a race has two ends.
// The mark itself is not compiled, and an edit may make nothing but marks.
//
// A sentence that ends in "[needs avx512_vnni]" is about a kernel that only such a CPU runs:
// elsewhere the mistake has no effect, and is passed over.
//
// Lines that start with # and empty lines, outside of an edit, mean nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::proofs {

struct Edit {
  std::string old_text, new_text;
};

struct Mistake {
  std::string exercise, name, code, sentence;
  std::string needs{};  ///< an instruction set, as name_of says it; empty: none
  std::vector<Edit> edits{};
  int line = 0;  ///< where it is named
};

/// In the order of the file. Throws FormatError for anything unexpected, no mistake at all, a name
/// used twice, or when the entries counted another way are not as many.
std::vector<Mistake> parse_mistakes(std::string_view text);

/// The second way to count: edits opened, by looking for nothing else.
int count_edits(std::string_view text);

/// The reference with the mistake in it. Throws FormatError unless each old text stands there once.
std::string apply_mistake(const Mistake& mistake, std::string_view solution);

/// The lines of it that are marked, from 1.
std::vector<int> marked_lines(const Mistake& mistake, std::string_view solution);

}  // namespace nibble::proofs
