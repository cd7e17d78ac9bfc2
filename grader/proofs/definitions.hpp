// Cuts a source into the definitions that stand in its namespaces, and finds those that differ
// between two sources, with all that would mean something else because of them.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::proofs {

using Names = std::set<std::string, std::less<>>;

/// A function, a type, variables, or a declaration of these, as it stands in a file.
struct Definition {
  std::string open, close;  ///< of what is around it: namespaces, conditions, targets of functions
  std::string line;         ///< a #line that says where it stands
  std::string text;
  Names names;      ///< what it defines or declares
  Names mentioned;  ///< every name in its text, and in that of the file's macros which it uses
  bool is_type;     ///< or an operator: what a compiler finds by the type of an argument
};

/// What a file includes, defines for the preprocessor, and defines.
struct Definitions {
  std::string includes, macros;
  std::vector<Definition> list;
};

/// Of a file that begins at line 1 of `file`, or behind the lines of the rewriter of kernels.
/// `own_header` is no part of the includes. Nothing for a file that is written as none of ours.
std::optional<Definitions> definitions_of(std::string_view text, const std::string& file,
                                          const std::string& own_header);

/// What of `others` has to be compiled where it stands in the place of `right`: what differs, and
/// what mentions it, if by way of others.
struct Changed {
  std::vector<Definition> of_contract, of_file;
  Names names;  ///< that mean something else than in `right`
};
Changed changed_definitions(const std::vector<Definition>& contract,
                            const std::vector<Definition>& right,
                            const std::vector<Definition>& others);

}  // namespace nibble::proofs
