// A lab's table of clauses: every sentence of its contract, which checks hold it, and by which
// mistakes that is known.
//
//     # Lab 03: its contract, sentence by sentence.
//
//     If amax is 0, scale is 1.                                 as the contract has it, wrapped
//         symmetric_scale.ScaleIsNeverZero: zero_for_zeros      a check, and mistakes that break
//         quantize_symmetric.FollowsTheFormula: own_scale       the sentence, which it rejects
//
//     q -8 -7 -6 ... num_bits = 4 [3 lines, 5c1e]
//         - a drawing                                           or why nothing has to hold it
//
// A sentence of the contract ends at a full stop or a semicolon. A formula or a drawing is one
// clause, known by its first line and by a number made of all of its lines.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab.hpp"

namespace nibble::proofs {

/// A check, and the mistakes that break the clause and are rejected by it.
struct Holder {
  std::string check;  ///< "symmetric_scale.ScaleIsNeverZero"
  std::vector<std::string> mistakes;
};

struct Clause {
  std::string text;
  std::vector<Holder> holders;
  std::string excuse;  ///< why nothing has to hold it; empty: something does
};

/// Nothing holds it, and nothing says why.
inline bool is_open(const Clause& clause) {
  return clause.holders.empty() && clause.excuse.empty();
}

/// What a contract says in its comments, in order. The lines that tell what the file is, and
/// headings, say nothing; nor does "Otherwise throws", which goes with each requirement.
std::vector<std::string> clauses_of(std::string_view contract);

/// Throws FormatError for a holder or an excuse without a clause, or one that is not written so.
std::vector<Clause> parse_clauses(std::string_view table);

/// The table of a contract: clauses that `known` has keep their holders.
std::string write_clauses(const std::string& lab, const std::vector<std::string>& contract,
                          const std::vector<Clause>& known);

/// nibble teach clauses: writes the lab's table anew, and says how many clauses nothing holds.
int draw_clauses(const std::filesystem::path& top, const lab::Lab& lab);

}  // namespace nibble::proofs
