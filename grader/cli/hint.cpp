// nibble hint: first the one that answers the last diagnosis, then one level after the other.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/hint_choice.hpp"
#include "cli/record.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "lab/hint_budget.hpp"
#include "lab/hints.hpp"

namespace nibble::cli {
namespace {

/// The diagnosis of the first check of the exercise that failed in the last run.
std::string last_diagnosis(const Context& context, const Target& target) {
  const auto failing = last_failing(context.kit, target.lab->name, target.exercise);
  return failing ? failing->diagnosis : "";
}

std::vector<lab::Hint> hints_for(const Context& context, const Target& target) {
  const std::filesystem::path file = context.kit.pages(target.lab->name) / "hints.md";
  std::vector<lab::Hint> hints;
  if (!std::filesystem::exists(file)) return hints;
  for (lab::Hint& hint : lab::parse_hints(files::read_file(file))) {
    if (hint.exercise == target.exercise) hints.push_back(std::move(hint));
  }
  return hints;
}

std::set<std::string> split(const std::string& list) {
  std::set<std::string> words;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) words.insert(word);
  return words;
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

/// Of all exercises of a lab.
int hints_shown(const Progress& progress, const std::string& id) {
  const std::string number = id.substr(0, id.find('.') + 1);
  int shown = 0;
  for (const auto& [each, entry] : progress.entries) {
    if (each.starts_with(number)) shown += entry.hints;
  }
  return shown;
}

}  // namespace

std::string name_of_hint(const lab::Hint& hint) {
  return std::to_string(hint.level) + (hint.when.empty() ? "" : ":" + hint.when);
}

const lab::Hint* choose_hint(const std::vector<lab::Hint>& hints, const std::string& diagnosis,
                             const std::set<std::string>& shown, int level) {
  const auto first = [&](auto wanted) -> const lab::Hint* {
    const auto found = std::ranges::find_if(hints, wanted);
    return found == hints.end() ? nullptr : &*found;
  };
  const auto is_new = [&](const lab::Hint& hint) { return !shown.contains(name_of_hint(hint)); };
  const auto answers = [&](const lab::Hint& hint) {
    return !diagnosis.empty() && hint.when == diagnosis;
  };
  if (level > 0) {
    const auto* const best =
        first([&](const auto& hint) { return hint.level == level && answers(hint); });
    if (best != nullptr) return best;
    const auto* const plain =
        first([&](const auto& hint) { return hint.level == level && hint.when.empty(); });
    return plain != nullptr ? plain : first([&](const auto& h) { return h.level == level; });
  }
  if (const auto* const best = first([&](const auto& h) { return answers(h) && is_new(h); })) {
    return best;
  }
  const bool began = !shown.empty();  // a first-level hint on another mistake would lead astray
  const auto* const next = first([&](const auto& hint) {
    return is_new(hint) && (hint.when.empty() || (!began && diagnosis.empty()));
  });
  if (next != nullptr) return next;
  return began ? nullptr : first(is_new);
}

int hint_command(Context& context, const std::string& word, int level) {
  const Target target = exercise_or_current(context, word);
  const std::string id = target.lab->id_of(target.exercise);
  const std::vector<lab::Hint> hints = hints_for(context, target);
  if (hints.empty()) throw usage("there are no hints for " + id);
  const Progress progress = load_progress(context);
  const Entry* const entry = progress.find(id);
  const auto noted = entry == nullptr ? std::string()
                                      : (entry->notes.contains("hinted") ? entry->notes.at("hinted")
                                                                         : std::string());
  std::set<std::string> shown = split(noted);

  const lab::Hint* const hint = choose_hint(hints, last_diagnosis(context, target), shown, level);
  if (hint == nullptr && level > 0)
    throw usage(fmt::format("{} has no hint of level {}", id, level));
  if (hint == nullptr) {
    context.out << fmt::format("that was the last hint for {}: --level 1, 2 or 3 shows one again\n",
                               id);
    return 0;
  }
  const bool fresh = shown.insert(name_of_hint(*hint)).second;
  context.out << fmt::format("{}   hint of level {} of 3{}\n\n{}", id, hint->level,
                             hint->when.empty() ? "" : "   on " + hint->when, hint->text);
  if (!hint->text.ends_with('\n')) context.out << '\n';
  if (const auto budget = lab::hint_budget_of(context.kit, target.lab->name)) {
    context.out << '\n'
                << lab::hints_left(target.lab->name, *budget,
                                   hints_shown(progress, id) + (fresh ? 1 : 0));
  }
  if (!fresh) return 0;
  change_progress(context, [&](Progress& changed) {
    Entry& own = changed.entries[id];
    if (own.state.empty()) own.state = "open";
    own.date = report::utc_now();
    ++own.hints;
    own.notes["hinted"] = joined(shown);
  });
  return 0;
}

}  // namespace nibble::cli
