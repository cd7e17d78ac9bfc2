// Draws numbers, since an order of names would give them away.
#include "export/pseudonyms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <stdexcept>

#include "export/csv.hpp"
#include "files/files.hpp"

namespace nibble::gradebook {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeader = "submission,pseudonym\n";

/// As a table gives the name back: a cell that a spreadsheet would compute is written otherwise.
std::string as_written(const std::string& name) {
  return read_csv(csv_row({name})).front().front().value;
}

/// Of three digits while there are enough of those.
std::string draw_pseudonym(std::size_t taken) {
  const unsigned most = taken < 450 ? 900 : 900'000;
  std::random_device entropy;
  return fmt::format("p{}", most / 9 + entropy() % most);  // that some are likelier tells nothing
}

}  // namespace

Pseudonyms Pseudonyms::read(const fs::path& key) {
  Pseudonyms names;
  if (!fs::exists(key)) return names;
  const std::string text = files::read_file(key);
  if (!text.starts_with(kHeader)) {
    throw std::invalid_argument(
        fmt::format("{} is no key of pseudonyms: name another file, or the one that was written",
                    key.string()));
  }
  const std::vector<Row> rows = read_csv(text);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].size() == 2) names.names_[rows[i][0].value] = rows[i][1].value;
  }
  return names;
}

const std::string& Pseudonyms::of(const std::string& submission) {
  const auto [place, is_new] = names_.try_emplace(as_written(submission));
  while (place->second.empty()) {
    const std::string drawn = draw_pseudonym(names_.size());
    const bool taken =
        std::ranges::any_of(names_, [&](const auto& one) { return one.second == drawn; });
    if (!taken) place->second = drawn;
  }
  return place->second;
}

void Pseudonyms::write(const fs::path& key) const {
  std::string text = kHeader;
  for (const auto& [submission, pseudonym] : names_) text += csv_row({submission, pseudonym});
  files::write_atomically(key, text);
  fs::permissions(key, fs::perms::owner_read | fs::perms::owner_write);
}

namespace {

/// Somebody whose results have another name than their folder has one pseudonym, the folder's.
void hide_expected(Class& all, Pseudonyms& names) {
  std::map<std::string, std::string> folders;
  for (const Graded& one : all.graded) folders[one.student] = one.submission;
  std::map<std::string, std::string> hidden;
  for (const auto& [name, shown] : all.expected) {
    const auto folder = folders.find(name);
    const std::string pseudonym = names.of(folder == folders.end() ? name : folder->second);
    hidden[pseudonym] = pseudonym;
  }
  all.expected = std::move(hidden);
}

}  // namespace

Class anonymous(Class all, Pseudonyms& names) {
  hide_expected(all, names);
  const auto rename = [&](auto& one) {
    one.submission = names.of(one.submission), one.user.clear();
  };
  for (std::vector<Graded>* const some : {&all.graded, &all.attempts, &all.without_file}) {
    for (Graded& one : *some) {
      rename(one);
      one.student = one.submission;
      one.results.student.reset();
      if (one.by_hand) one.by_hand->words = "by hand";
      for (GivenPart& given : one.parts) given.words.clear();
    }
    std::ranges::sort(*some, {},
                      [](const Graded& one) { return std::pair(one.submission, one.lab()); });
  }
  for (Ungraded& one : all.ungraded) {
    rename(one);
    one.why = one.refused ? "refused" : "the reason could tell whose it is";
  }
  std::ranges::sort(all.ungraded, {}, &Ungraded::submission);
  all.is_anonymous = true;
  return all;
}

}  // namespace nibble::gradebook
