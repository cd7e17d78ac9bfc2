// One row, or the rows of a table, into the file of the course; all of them or none.
#include "teach/mark_command.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>

#include "course/manual_points.hpp"
#include "files/files.hpp"
#include "report/machine.hpp"
#include "teach/course_option.hpp"
#include "teach/guarded.hpp"
#include "text/harmless.hpp"

namespace nibble::teach {
namespace {

namespace fs = std::filesystem;
using course::ManualRow;

struct MarkOptions {
  ManualRow row;
  std::string table, course;
};

/// Without a roster only those are known who handed in.
void must_be_known(const course::Course& course, const std::vector<ManualRow>& rows) {
  if (!course.people.empty()) return;
  const gradebook::Class all =
      class_of(course, results_of(course, ""));  // throws where nothing is there
  const auto users = all.users();
  for (const ManualRow& row : rows) {
    if (users.contains(row.who)) continue;
    throw std::invalid_argument(fmt::format(
        "{} handed in nothing, and the course has no `roster` to look in: write one into {}",
        row.who, course.file.filename().string()));
  }
}

/// "17 of 20 in place of 15, by M. C. on 2026-11-20: …"
void print_change(const lab::Kit& kit, const course::Course& course, const ManualRow& row) {
  const auto [key, now] = course::manual_points_of(kit, course, row);
  const auto before = course.manual_points.find(key);
  const gradebook::Person* const person = gradebook::find_person(course.people, key.who);
  fmt::print(std::cout, "  {:<28} {:<16} {} {}{}\n",
             text::harmless(person != nullptr ? shown(*person) : key.who), key.lab, key.part,
             now.points,
             before == course.manual_points.end()
                 ? ""
                 : text::harmless(fmt::format(" in place of {}, {}", before->second.points,
                                              before->second.words())));
}

int mark(const lab::Kit& kit, MarkOptions options) {
  const std::optional<course::Course> course = course_for(kit, options.course);
  if (!course) {
    throw std::invalid_argument(
        "there is no course.toml here or above: `./nibble teach course init` makes one");
  }
  options.row.at = report::utc_now();
  const std::vector<ManualRow> rows =
      options.table.empty()
          ? std::vector<ManualRow>{options.row}
          : course::rows_for(files::read_file(options.table), options.table, options.row);
  must_be_known(*course, rows);
  course::add_manual_rows(kit, *course, rows);
  for (const ManualRow& row : rows) print_change(kit, *course, row);
  fmt::print(std::cout, "{} in {}\n", rows.size(), fs::proximate(course->marks).string());
  return 0;
}

}  // namespace

void add_mark_command(CLI::App& teach, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command =
      teach.add_subcommand("mark", "What a person gives for a part that no check judges");
  const auto options = std::make_shared<MarkOptions>();
  ManualRow& row = options->row;
  command->add_option("LAB", row.lab, "the lab, whose `manual` part it is")->required();
  CLI::Option* const who = command->add_option("PERSON", row.who, "as the roster has them");
  CLI::Option* const points = command->add_option("--points", row.points, "so many")->needs(who);
  CLI::Option* const table =
      command
          ->add_option("--from", options->table,
                       "of many people: a CSV with the columns student_id, points, why (and part)")
          ->check(CLI::ExistingFile)
          ->excludes(who)
          ->excludes(points);
  command->add_option("--part", row.part, "which, where the lab has several");
  command->add_option("--by", row.by, "who says so")->required();
  command->add_option("--why", row.why, "what the person reads")->excludes(table);
  add_course_option(*command, options->course);
  command->callback([&kit, &exit_code, options, table, points] {
    exit_code = guarded([&] {
      if (table->count() + points->count() == 0) {
        throw std::invalid_argument(
            "say whose and how many: PERSON --points N --why \"…\", or a table with --from");
      }
      return mark(kit, *options);
    });
  });
}

}  // namespace nibble::teach
