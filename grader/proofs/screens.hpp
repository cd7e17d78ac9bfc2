// What learners see who made a mistake of the lists: a screen for each diagnosis, kept as text.
//
//     == N-AXIS 05_per_channel transposes       a code, and a mistake that gets it
//     FAIL  05.quantize_rows   1 of 4 checks …  the screen of its exercise, up to the next mistake
//
// Lines before the first "== " are for readers of the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nibble::proofs {

struct KeptScreen {
  std::string code, lab, mistake, text;
};

struct KeptScreens {
  std::string head;
  std::vector<KeptScreen> all;
};

/// Throws FormatError for a heading that is not three words.
KeptScreens parse_screens(std::string_view text);

/// What parse_screens reads.
std::string text_of(const KeptScreens& screens);

}  // namespace nibble::proofs
