// nibble solution EX: the reference, for who has passed; --give-up is written down.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/record.hpp"
#include "cli/solution_text.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"

namespace nibble::cli {

int solution_command(Context& context, const std::string& word, bool give_up) {
  const Target target = find_exercise(context.labs, word);
  const std::string id = target.lab->id_of(target.exercise);
  const std::filesystem::path file =
      context.kit.source / "solutions" / target.lab->name / target.lab->file().filename();
  if (!std::filesystem::exists(file)) {
    throw usage("the solutions are not in this copy of the kit: ask your instructor");
  }
  const Progress progress = load_progress(context);
  const Entry* const entry = progress.find(id);
  const bool passed = entry != nullptr && entry->state == "passed";
  if (!passed && !give_up) {
    context.out << fmt::format(
        "{} is not passed yet: ./nibble hint first, or"
        " ./nibble solution {} --give-up, which is written down\n",
        id, id);
    return kFailed;
  }
  context.out << solution_of(files::read_file(file), target.exercise);
  if (passed) return kPassed;
  change_progress(context, [&](Progress& changed) {
    Entry& own = changed.entries[id];
    if (own.state.empty()) own.state = "open";
    own.date = report::utc_now();
    own.notes["gave-up"] = own.date;
  });
  return kPassed;
}

}  // namespace nibble::cli
