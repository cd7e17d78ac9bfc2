#include "proofs/diagnoses.hpp"

#include <regex>

#include "text/cpp_text.hpp"

namespace nibble::proofs {

std::set<std::string> named_codes(std::string_view source) {
  static const std::regex literal(R"re("(N-[A-Z0-9-]+)")re");
  const std::string code = text::without_comments(source);
  std::set<std::string> codes;
  for (std::sregex_iterator it(code.begin(), code.end(), literal), end; it != end; ++it) {
    codes.insert((*it)[1]);
  }
  return codes;
}

}  // namespace nibble::proofs
