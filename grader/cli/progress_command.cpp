// nibble progress [export F | import F]: what was done, and how it moves between machines.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/record.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"

namespace nibble::cli {

int progress_command(Context& context) {
  const Progress progress = load_progress(context);
  if (progress.entries.empty()) {
    context.out << "nothing yet: ./nibble starts with the first exercise\n";
    return kPassed;
  }
  context.out << fmt::format(" {:<38} {:<16} {:>5} {:>6} {:>8}   {}\n", "exercise", "state",
                             "tries", "hints", "minutes", "last");
  for (const auto& [id, entry] : progress.entries) {
    context.out << fmt::format(" {:<38} {:<16} {:>5} {:>6} {:>8}   {}\n", id, entry.state,
                               entry.tries, entry.hints, entry.seconds / 60,
                               entry.date.substr(0, 10));
  }
  context.out << "to take it along: ./nibble progress export FILE\n";
  return kPassed;
}

int progress_export(Context& context, const std::string& file) {
  const Progress progress = load_progress(context);
  files::write_atomically(file, progress_text(progress));
  context.out << fmt::format("wrote  {}   {} exercises\n", file, progress.entries.size());
  return kPassed;
}

int progress_import(Context& context, const std::string& file) {
  if (!std::filesystem::is_regular_file(file)) throw usage(file + " is not there");
  const Parsed parsed = parse_progress(files::read_file(file));
  if (!parsed.bad_lines.empty()) {
    throw usage(fmt::format("line {} of {} is not a line of progress: nothing was imported",
                            parsed.bad_lines.front(), file));
  }
  change_progress(context, [&](Progress& progress) { progress.merge(parsed.progress); });
  context.out << fmt::format("read   {}   {} exercises; of two dates the newer won\n", file,
                             parsed.progress.entries.size());
  return kPassed;
}

}  // namespace nibble::cli
