// A Q4_0 block: its 18 bytes, and the codes of the 32 values in their halves.
//
//     byte     0   1  |   2   3 …
//     hex     66  2a  |  0a  c7 …
//     high            |  16  17 …
//       code          |  -8   4 …
#pragma once

#include <string>
#include <vector>

namespace nibble::report {

/// Empty where there are not 18 bytes.
std::string block_text(const std::vector<int>& bytes);
std::string block_svg(const std::vector<int>& bytes);

}  // namespace nibble::report
