#include "teach/report_command.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <iostream>
#include <memory>

#include "export/class_page.hpp"
#include "files/files.hpp"
#include "language/page_text.hpp"
#include "report/machine.hpp"
#include "teach/course_option.hpp"
#include "teach/guarded.hpp"

namespace nibble::teach {
namespace {

struct ReportOptions {
  std::string results, out, course, key;
};

int write_report(const lab::Kit& kit, const ReportOptions& options) {
  const std::optional<course::Course> course = course_for(kit, options.course);
  const std::string results = results_of(course, options.results);
  const gradebook::Class all = named_by(options.key, class_of(course, results));
  const auto diagnoses = report::Diagnoses::read(kit.source / "docs" / "diagnoses.md");
  const std::filesystem::path file = options.out.empty()
                                         ? std::filesystem::path(results) / "report.html"
                                         : std::filesystem::path(options.out);
  const std::string page =
      gradebook::class_page(all, course ? course->shown_name() : "", report::utc_now(), diagnoses);
  files::write_atomically(file, language::page_text(catalog_for(kit, course), page).text);
  fmt::print(std::cout, "{} submissions, {} grades, {} without  {}\n", all.submissions().size(),
             all.graded.size(), all.ungraded.size(), file.string());
  return 0;
}

}  // namespace

void add_report_command(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command = app.add_subcommand("report", "A class as one page, for a browser");
  const auto options = std::make_shared<ReportOptions>();
  command->add_option("RESULTS", options->results, "the folder that grade filled (the course's)")
      ->check(CLI::ExistingDirectory);
  add_course_option(*command, options->course);
  command->add_option("-o", options->out, "the page (RESULTS/report.html)");
  add_anonymous_option(*command, options->key);
  command->callback([&kit, &exit_code, options] {
    exit_code = guarded([&] { return write_report(kit, *options); });
  });
}

}  // namespace nibble::teach
