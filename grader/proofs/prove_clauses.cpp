// A lab's table of clauses against its contract, its mark scheme and its mistakes.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "files/files.hpp"
#include "proofs/clauses.hpp"
#include "proofs/proofs.hpp"

namespace nibble::proofs {
namespace {

using Faults = std::vector<std::string>;

std::vector<Clause> clauses_of_lab(const ProvenLab& lab) {
  return parse_clauses(files::read_file(lab.files.clauses));
}

/// The first place where table and contract part; empty when they do not.
Faults differences(const std::vector<Clause>& table, const std::vector<std::string>& contract) {
  for (std::size_t i = 0; i < std::max(table.size(), contract.size()); ++i) {
    if (i < table.size() && i < contract.size() && table[i].text == contract[i]) continue;
    return {fmt::format("the contract says \"{}\", its table \"{}\": nibble teach clauses",
                        i < contract.size() ? contract[i] : "nothing more",
                        i < table.size() ? table[i].text : "nothing more")};
  }
  return {};
}

/// Names in the table that nothing has.
void find_unknown(const ProvenLab& lab, const Clause& clause, const std::set<std::string>& mistakes,
                  Faults& faults) {
  for (const Holder& holder : clause.holders) {
    const bool is_check = std::ranges::any_of(
        lab.scheme.checks, [&](const record::Row& row) { return row.name() == holder.check; });
    if (!is_check) faults.push_back("no check is called " + holder.check);
    for (const std::string& name : holder.mistakes) {
      if (!mistakes.contains(name)) faults.push_back("no mistake is called " + name);
    }
  }
}

/// Hidden checks ask of other inputs what public ones hold, and need no clause of their own.
void find_idle(const ProvenLab& lab, const std::vector<Clause>& table, Faults& faults) {
  std::set<std::string> holding;
  for (const Clause& clause : table) {
    for (const Holder& holder : clause.holders) holding.insert(holder.check);
  }
  for (const record::Row& row : lab.scheme.checks) {
    if (!row.hidden && !row.of_speed && !holding.contains(row.name()))
      faults.push_back(row.name() + " holds no clause");
  }
}

void look_at(const ProvenLab& lab, Proof& proof) {
  const std::vector<Clause> table = clauses_of_lab(lab);
  Faults faults = differences(table, clauses_of(files::read_file(lab.files.contract)));
  std::set<std::string> mistakes;
  for (const Mistake& mistake : parse_mistakes(files::read_file(lab.files.mistakes)))
    mistakes.insert(mistake.name);
  find_idle(lab, table, faults);
  for (std::string& fault : faults) proof.count(false, lab.name() + ": " + fault);
  for (const Clause& clause : table) {
    Faults of_clause;
    if (is_open(clause)) of_clause.push_back("nothing holds it");
    find_unknown(lab, clause, mistakes, of_clause);
    for (std::string& fault : of_clause)
      fault = fmt::format("{}: \"{}\": {}", lab.name(), clause.text, fault);
    proof.count(of_clause);
  }
}

/// Why the mistake does not show that the check holds the clause; empty: it does.
std::string fault_of(const ProvenLab& lab, const Holder& holder, const std::string& name,
                     const std::vector<TriedMistake>& all_tried) {
  const auto tried = std::ranges::find_if(all_tried, [&](const TriedMistake& one) {
    return one.lab == &lab && one.mistake.name == name;
  });
  if (tried == all_tried.end() || tried->not_here) return "";
  const bool fails = std::ranges::any_of(
      tried->failed, [&](const record::Check& check) { return check.name() == holder.check; });
  return fails ? "" : fmt::format("{} does not reject {}", holder.check, name);
}

}  // namespace

Proof prove_clauses(const std::vector<ProvenLab>& labs) {
  Proof proof{"clauses have their checks"};
  for (const ProvenLab& lab : labs) {
    try {
      look_at(lab, proof);
    } catch (const std::exception& error) {
      proof.count(false, lab.name() + ": " + error.what());
    }
  }
  return proof;
}

Proof prove_clauses_held(const std::vector<ProvenLab>& labs,
                         const std::vector<TriedMistake>& all_tried) {
  Proof proof{"clauses are held by them"};
  for (const ProvenLab& lab : labs) {
    try {
      for (const Clause& clause : clauses_of_lab(lab)) {
        for (const Holder& holder : clause.holders) {
          for (const std::string& name : holder.mistakes) {
            const std::string fault = fault_of(lab, holder, name, all_tried);
            proof.count(fault.empty(),
                        fmt::format("{}: \"{}\": {}", lab.name(), clause.text, fault));
          }
        }
      }
    } catch (const std::exception& error) {
      proof.count(false, lab.name() + ": " + error.what());
    }
  }
  return proof;
}

}  // namespace nibble::proofs
