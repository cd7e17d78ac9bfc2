// The options of each format, and what is read, written and said when one is asked for.
#include "teach/export_command.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <stdexcept>

#include "export/class.hpp"
#include "export/formats.hpp"
#include "export/given_back.hpp"
#include "export/plagiarism.hpp"
#include "export/pseudonyms.hpp"
#include "export/told.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "files/submission_folder.hpp"
#include "lab/cut.hpp"
#include "lab/lab_files.hpp"
#include "language/page_text.hpp"
#include "language/screen_text.hpp"
#include "report/machine.hpp"
#include "setup/bundle.hpp"
#include "teach/course_option.hpp"
#include "teach/guarded.hpp"
#include "text/harmless.hpp"

namespace nibble::teach {
namespace {

namespace fs = std::filesystem;
using gradebook::Class;
using gradebook::Filled;
using gradebook::Graded;
using record::Result;

constexpr int kExported = 0, kSomeWithout = 6;

struct ExportOptions {
  std::string results, out, lab, template_file, column, roster, tool, course_file, key;
  bool notices = false, base64 = false, placeholder = false, scale = false, for_moodle = false,
       for_canvas = false;
  std::optional<course::Course> course{};  ///< what was found, or named
};

void note(const std::string& line) { fmt::print(std::cerr, "  {}\n", text::harmless(line)); }

/// To a file, whole or not at all; without a name to the standard output.
void write(const std::string& file, const std::string& text) {
  if (file.empty()) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  } else {
    files::write_atomically(file, text);
  }
}

/// Grades that do not exist are said aloud, and are part of the exit code: they are no zeros.
int end_with(const Class& all) {
  for (const auto& one : all.ungraded) {
    note(fmt::format("needs a look: {} on {} has no grade: {}", one.submission, one.lab, one.why));
  }
  return all.ungraded.empty() ? kExported : kSomeWithout;
}

/// A grade to which a person still has to add something is told from one that is whole.
int end_with_parts(const Class& all) {
  const std::vector<gradebook::OutstandingPart> outstanding = all.outstanding_parts();
  for (const gradebook::OutstandingPart& one : outstanding) {
    note(fmt::format("outstanding: {} of {}, {} points, for {}; their grades are without it",
                     one.part.title, one.lab, one.part.points, fmt::join(one.students, ", ")));
  }
  const int end = end_with(all);
  return outstanding.empty() ? end : kSomeWithout;
}

Class read_asked(const ExportOptions& options) {
  const Class all = class_of(options.course, options.results);
  if (options.lab.empty()) return all;
  return gradebook::only_lab(all, gradebook::choose_lab(all, options.lab));
}

Class read_one_lab(const ExportOptions& options) {
  const Class all = class_of(options.course, options.results);
  return gradebook::only_lab(all, gradebook::choose_lab(all, options.lab));
}

/// The people of the roster, each called as what they handed in is.
std::vector<gradebook::Person> roster_of(const ExportOptions& options, const Class& all) {
  std::vector<gradebook::Person> roster;
  if (!options.roster.empty()) {
    roster = gradebook::read_roster(files::read_file(options.roster));
  } else if (options.course) {
    roster = options.course->people;
  }
  gradebook::call_as_handed_in(roster, all.users());
  return roster;
}

// --- A file for each result ----------------------------------------------------------------------

using Writer = std::function<std::string(const Result&)>;

/// One results file: to `-o FILE` or the standard output. A folder:
/// `-o DIR`/<submission>/<lab>/name.
int export_each(const ExportOptions& options, const std::string& name, const Writer& format) {
  const Class all = read_asked(options);
  if (!fs::is_directory(options.results)) {
    for (const Graded& one : all.graded) write(options.out, format(one.results));
    return end_with(all);
  }
  if (options.out.empty()) {
    throw std::invalid_argument("a folder of results becomes a folder of files: say where with -o");
  }
  for (const Graded& one : all.graded) {
    files::write_atomically(
        fs::path(options.out) / files::submission_folder(one.submission) / one.lab() / name,
        format(one.results));
  }
  note(fmt::format("{} files  {}", all.graded.size(),
                   (fs::path(options.out) / "<submission>" / "<lab>" / name).string()));
  return end_with(all);
}

using RefusedWriter = std::function<std::string(const std::string& lab, const std::string& why)>;

/// As export_each; a result that is not there, because the student's file was not taken, is that.
int export_each_or_refused(const ExportOptions& options, const std::string& name,
                           const Writer& format, const RefusedWriter& refused) {
  const fs::path file = options.results;
  const std::string lab = file.stem().string();
  const std::string why = fs::exists(file) ? "" : gradebook::why_not_taken(file.parent_path(), lab);
  if (why.empty()) return export_each(options, name, format);
  write(options.out, refused(lab, why));
  return kExported;
}

int export_gradescope(const ExportOptions& options) {
  if (options.placeholder) {
    write(options.out, gradebook::gradescope_placeholder());
    return kExported;
  }
  return export_each_or_refused(options, "results.json", gradebook::gradescope,
                                gradebook::gradescope_refused);
}

int export_classroom(const ExportOptions& options) {
  return export_each(options, "classroom.json", [&](const Result& results) {
    const gradebook::Json report = gradebook::classroom(results);
    if (options.notices) return gradebook::classroom_notices(report);
    return options.base64 ? gradebook::classroom_output(report) : text::file_text(report);
  });
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

int export_classroom50(const ExportOptions& options) {
  const gradebook::Classroom50Run run = {variable("CLASSROOM"),      variable("ASSIGNMENT"),
                                         variable("SUBMISSION_TAG"), variable("COMMIT_URL"),
                                         variable("RELEASE_URL"),    variable("REVIEW_URL"),
                                         variable("COMMIT_DATE")};
  return export_each(options, "result.json",
                     [&](const Result& results) { return gradebook::classroom50(results, run); });
}

int export_junit(const ExportOptions& options) {
  const Class all = read_asked(options);
  const auto labs_of = [&](const std::string& submission) {
    std::vector<Result> labs;
    for (const Graded& one : all.graded) {
      if (one.submission == submission) labs.push_back(one.results);
    }
    return labs;
  };
  if (!fs::is_directory(options.results)) {
    for (const Graded& one : all.graded) write(options.out, gradebook::junit({one.results}));
    return end_with(all);
  }
  if (options.out.empty()) {
    throw std::invalid_argument("a folder of results becomes a folder of files: say where with -o");
  }
  for (const std::string& submission : all.submissions()) {
    const std::vector<Result> labs = labs_of(submission);
    if (labs.empty()) continue;
    files::write_atomically(
        fs::path(options.out) / files::submission_folder(submission) / "junit.xml",
        gradebook::junit(labs));
  }
  return end_with(all);
}

// --- One file for the class ----------------------------------------------------------------------

int finish(const ExportOptions& options, const Class& all, const Filled& filled) {
  write(options.out, filled.text);
  for (const std::string& remark : filled.remarks) note(remark);
  note(fmt::format("{} grades{}", filled.grades, options.out.empty() ? "" : " in " + options.out));
  const int end = end_with_parts(all);
  if (filled.grades > 0 || all.graded.empty()) return end;
  note(fmt::format("none of {} grades found its row: is it the file of this course?",
                   all.graded.size()));
  return kSomeWithout;
}

/// What the course says of the lab that is exported; nullptr: nothing.
const course::CourseLab* course_lab(const ExportOptions& options, const Class& all) {
  if (!options.course || all.labs().empty()) return nullptr;
  return options.course->find(all.labs().front());
}

gradebook::Scale scale_of(const ExportOptions& options, const Class& all) {
  if (options.scale) return gradebook::Scale::kToPossible;
  const course::CourseLab* const lab = course_lab(options, all);
  return lab != nullptr ? lab->scale : gradebook::Scale::kNone;
}

/// The column that was named, or the course's; empty: neither.
std::string column_of(const ExportOptions& options, const Class& all) {
  const course::CourseLab* const lab = course_lab(options, all);
  return options.column.empty() && lab != nullptr ? lab->column : options.column;
}

int export_canvas(const ExportOptions& options) {
  const Class all = read_one_lab(options);
  const std::string column = column_of(options, all);
  if (column.empty()) {
    throw std::invalid_argument(
        "say which column of the gradebook: --column, or `column` of the lab in course.toml");
  }
  return finish(options, all,
                gradebook::canvas(all, files::read_file(options.template_file), column,
                                  scale_of(options, all)));
}

int export_moodle(const ExportOptions& options) {
  const Class all = read_one_lab(options);
  if (!options.template_file.empty()) {
    return finish(options, all,
                  gradebook::moodle_worksheet(all, files::read_file(options.template_file),
                                              scale_of(options, all)));
  }
  const std::string column = column_of(options, all);
  const std::string item = column.empty() ? gradebook::choose_lab(all, options.lab) : column;
  return finish(
      options, all,
      gradebook::moodle_import(all, roster_of(options, all), item, scale_of(options, all)));
}

int export_csv(const ExportOptions& options) {
  const Class all = named_by(options.key, read_asked(options));
  // A roster would name whom no pseudonym stands for.
  const auto roster = all.is_anonymous ? std::vector<gradebook::Person>{} : roster_of(options, all);
  return finish(options, all, gradebook::plain_csv(all, roster));
}

int export_speed(const ExportOptions& options) {
  const Class all = named_by(options.key, read_one_lab(options));
  write(options.out, gradebook::speed_table(all));
  return kExported;
}

int export_totals(const ExportOptions& options) {
  const Class all = class_of(options.course, options.results);
  std::map<std::string, double> weights;
  if (options.course) {
    for (const course::CourseLab& one : options.course->labs) weights[one.lab.name] = one.weight;
  }
  const Filled filled = gradebook::totals(all, roster_of(options, all), weights);
  write(options.out, filled.text);
  for (const std::string& remark : filled.remarks) note(remark);
  return end_with_parts(all);
}

/// As Moodle calls the folder of a submission, "Ada Lovelace_71_assignsubmission_file_": the second
/// of its words is the participant. Empty: it did not come from there.
std::string moodle_folder(const gradebook::GivenBack& one) {
  constexpr std::string_view kSystem = "moodle ";
  if (!one.user.starts_with(kSystem)) return "";
  const std::string number = one.user.substr(kSystem.size());
  std::string name = one.submission.substr(0, one.submission.rfind('_'));
  std::ranges::replace(name, '_', ' ');
  return fmt::format("{}_{}_assignsubmission_file_", name, number);
}

/// "ada_71_90210_symmetric.cpp" -> "ada_71_90210_symmetric_feedback.html": Canvas finds whose it is
/// by the first two numbers between underscores, and passes over what ends in "_link…".
std::string canvas_entry(const std::string& entry) {
  return fs::path(entry).stem().string() + "_feedback.html";
}

/// Where pages go: into folders of people's own, or into one archive, under the names by which a
/// course system takes them back.
class Feedback {
 public:
  explicit Feedback(const ExportOptions& options)
      : options_(options), is_zip_(fs::path(options.out).extension() == ".zip") {}

  /// Empty: somebody who did not come from that system has no place in an archive.
  fs::path file_for(const Class& all, const gradebook::GivenBack& one) {
    const fs::path place = place_of(all, one);
    const bool is_archived = is_zip_ || options_.for_canvas || options_.for_moodle;
    if (!place.empty()) return (is_archived ? archived() : fs::path(options_.out)) / place;
    others_.push_back(one.submission);
    return is_zip_ ? fs::path() : fs::path(options_.out) / own_place(one);
  }

  void finish() const {
    if (!others_.empty()) {
      note(fmt::format("did not come from {}'s download, and are {}: {}",
                       options_.for_canvas ? "Canvas" : "Moodle",
                       is_zip_ ? "not in the archive" : "in folders of their own",
                       fmt::join(others_, ", ")));
    }
    if (!fs::exists(archived())) return;
    const fs::path made = work_.path() / "made.zip";
    setup::archive_folder(archived(), made);
    const char* const name = options_.for_canvas ? "canvas.zip" : "moodle.zip";
    const fs::path file = is_zip_ ? fs::path(options_.out) : fs::path(options_.out) / name;
    files::write_atomically(file, files::read_file(made));
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  }

 private:
  static fs::path own_place(const gradebook::GivenBack& one) {
    return fs::path(files::submission_folder(one.submission)) / "feedback.html";
  }
  /// As the system takes it back; empty: it did not come from there.
  fs::path place_of(const Class& all, const gradebook::GivenBack& one) const {
    if (options_.for_canvas) {
      const auto entry = all.entries.find({one.submission, all.labs().front()});
      return entry == all.entries.end() ? "" : canvas_entry(entry->second);
    }
    if (!options_.for_moodle) return own_place(one);
    const std::string folder = moodle_folder(one);
    return folder.empty() ? fs::path() : fs::path(folder) / "feedback.html";
  }
  fs::path archived() const { return work_.path() / "pages"; }

  const ExportOptions& options_;
  bool is_zip_;
  const files::ScratchFolder work_{fs::temp_directory_path()};
  std::vector<std::string> others_;
};

/// `-o DIR`/<submission>/feedback.html and feedback.txt; of a course system `-o DIR`/canvas.zip or
/// moodle.zip; `-o FILE.zip`: that archive, or one of these folders.
int export_feedback(const lab::Kit& kit, const ExportOptions& options) {
  const bool is_by_assignment = options.for_canvas || options.for_moodle;
  const Class all = is_by_assignment ? read_one_lab(options) : read_asked(options);
  const auto roster = roster_of(options, all);
  const auto diagnoses = report::Diagnoses::read(kit.source / "docs" / "diagnoses.md");
  const std::string written = report::utc_now();
  const language::Catalog catalog = catalog_for(kit, options.course);
  const std::string course = options.course ? options.course->shown_name() : "";
  auto names = gradebook::Pseudonyms::read(options.key);
  Feedback feedback(options);
  int people = 0;
  for (gradebook::GivenBack& one : gradebook::given_back(all, roster)) {
    if (!options.key.empty()) one.pseudonym = names.of(one.submission);
    const fs::path file = feedback.file_for(all, one);
    if (file.empty()) continue;
    const std::string page = gradebook::feedback_page(all, one, course, written, diagnoses);
    files::write_atomically(file, language::page_text(catalog, page).text);
    ++people;
    if (file.filename() != "feedback.html") continue;  // Canvas takes one file of each
    const std::string text = gradebook::feedback_text(all, one, course);
    files::write_atomically(file.parent_path() / "feedback.txt",
                            language::screen_text(catalog, text).text);
  }
  feedback.finish();
  if (!options.key.empty()) names.write(options.key);
  note(fmt::format("{} people  {}", people, options.out));
  return people > 0 ? end_with_parts(all) : kSomeWithout;
}

int export_plagiarism(const lab::Kit& kit, const ExportOptions& options) {
  const lab::Lab& lab = kit.lab(options.lab);
  const std::string starter =
      lab::cut_starter(files::read_file(lab::files_of(kit.source, lab).solution));
  std::vector<std::string> without;
  auto sources = gradebook::read_sources(options.results, lab, without);
  if (sources.empty()) {
    throw std::invalid_argument(
        fmt::format("no folder of {} holds {}", text::harmless(options.results), lab.file_name()));
  }
  if (!options.key.empty()) {
    auto names = gradebook::Pseudonyms::read(options.key);
    for (gradebook::Source& one : sources) one.submission = names.of(one.submission);
    names.write(options.key);
  }
  gradebook::write_plagiarism(options.out, options.tool, lab.file_name(), sources, starter);
  for (const std::string& name : without) note(name + " has no file for this lab");
  note(fmt::format("{} submissions, the starter apart  {}  what to type: {}", sources.size(),
                   options.out, (fs::path(options.out) / "COMMAND.txt").string()));
  return kExported;
}

// --- Words ---------------------------------------------------------------------------------------

/// A format, with the options that all have.
CLI::App* add_format(CLI::App* command, const lab::Kit& kit, const char* name, const char* what,
                     const std::shared_ptr<ExportOptions>& options, int& exit_code,
                     const std::function<int(const ExportOptions&)>& action) {
  CLI::App* const format = command->add_subcommand(name, what);
  format->add_option("--lab", options->lab, "only this lab's results");
  add_course_option(*format, options->course_file);
  format->callback([&kit, options, action, &exit_code] {
    exit_code = guarded([&] {
      options->course = course_for(kit, options->course_file);
      if (!options->placeholder) options->results = results_of(options->course, options->results);
      return action(*options);
    });
  });
  return format;
}

CLI::Option* add_results(CLI::App* format, const std::shared_ptr<ExportOptions>& options) {
  format->add_option("-o", options->out, "a file, or a folder for a folder of results");
  return format->add_option("RESULTS", options->results,
                            "a results folder (the course's), or one results file");
}

void add_ones(CLI::App* command, const lab::Kit& kit, int& exit_code) {
  const auto add = [&](const char* name, const char* what,
                       const std::function<int(const ExportOptions&)>& action) {
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* const format = add_format(command, kit, name, what, options, exit_code, action);
    CLI::Option* const results = add_results(format, options);
    if (std::string_view(name) == "gradescope") {
      CLI::Option* const first = format->add_flag("--placeholder", options->placeholder,
                                                  "what to leave there while the grader runs");
      results->excludes(first);
    }
    if (std::string_view(name) == "classroom") {
      CLI::Option* const notices =
          format->add_flag("--notices", options->notices, "the two lines that count, and a table");
      format->add_flag("--base64", options->base64, "a line for $GITHUB_OUTPUT")->excludes(notices);
    }
  };
  add("gradescope", "results.json of an autograder", export_gradescope);
  add("junit", "JUnit XML", export_junit);
  add("classroom", "GitHub Classroom; public checks only", export_classroom);
  add("classroom50", "Classroom 50; public checks only", export_classroom50);
  add("autolab", "what an Autolab grader prints", [](const ExportOptions& options) {
    return export_each_or_refused(options, "autolab.txt", gradebook::autolab,
                                  gradebook::autolab_refused);
  });
  add("prairielearn", "results.json of an external grader", [](const ExportOptions& options) {
    return export_each_or_refused(options, "results.json", gradebook::prairielearn,
                                  gradebook::prairielearn_refused);
  });
}

void add_canvas(CLI::App* command, const lab::Kit& kit, int& exit_code) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* const format =
      add_format(command, kit, "canvas", "fills one column of Canvas's own export", options,
                 exit_code, export_canvas);
  add_results(format, options);
  format->add_option("--template", options->template_file, "the gradebook that Canvas exported")
      ->required()
      ->check(CLI::ExistingFile);
  format->add_option("--column", options->column,
                     "its title there: \"Lab 05 (4711)\" (the course's)");
  format->add_flag("--scale", options->scale, "all points are all of Canvas's Points Possible");
}

void add_moodle(CLI::App* command, const lab::Kit& kit, int& exit_code) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* const format =
      add_format(command, kit, "moodle", "a table for its grade import, or its worksheet filled",
                 options, exit_code, export_moodle);
  add_results(format, options);
  CLI::Option* const sheet =
      format->add_option("--template", options->template_file, "an assignment's worksheet")
          ->check(CLI::ExistingFile);
  format->add_flag("--scale", options->scale, "all points are all of the worksheet's Maximum Grade")
      ->needs(sheet);
  format->add_option("--roster", options->roster, "who is in the course: only they are exported")
      ->check(CLI::ExistingFile)
      ->excludes(sheet);
  format->add_option("--column", options->column, "the grade item's name")->excludes(sheet);
}

void add_tables(CLI::App* command, const lab::Kit& kit, int& exit_code) {
  const auto add = [&](const char* name, const char* what,
                       const std::function<int(const ExportOptions&)>& action) {
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* const format = add_format(command, kit, name, what, options, exit_code, action);
    add_results(format, options);
    format
        ->add_option("--roster", options->roster, "who is in the course, also without a submission")
        ->check(CLI::ExistingFile);
    if (std::string_view(name) == "csv") add_anonymous_option(*format, options->key);
  };
  add("csv", "one table of everything", export_csv);
  add("totals", "a person a row, a lab a column, and the weighted mean", export_totals);
}

void add_speed(CLI::App* command, const lab::Kit& kit, int& exit_code) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* const format = add_format(command, kit, "speed",
                                      "a table of speed for the class, in which nobody has a name",
                                      options, exit_code, export_speed);
  add_results(format, options);
  add_anonymous_option(*format, options->key);
}

void add_feedback(CLI::App* command, const lab::Kit& kit, int& exit_code) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* const format = add_format(
      command, kit, "feedback", "a page and a text for each person, to hand back", options,
      exit_code, [&kit](const ExportOptions& asked) { return export_feedback(kit, asked); });
  add_results(format, options);
  format->get_option("-o")->required();
  format->add_option("--roster", options->roster, "what people are called")
      ->check(CLI::ExistingFile);
  format->add_option("--anonymous", options->key,
                     "tells each what they are called where nobody has a name: that file says it");
  CLI::Option* const moodle =
      format->add_flag("--moodle", options->for_moodle,
                       "of one lab, DIR/moodle.zip: Upload multiple feedback files in a zip");
  format
      ->add_flag("--canvas", options->for_canvas,
                 "of one lab, DIR/canvas.zip, as Canvas takes it back: Upload Submissions")
      ->excludes(moodle);
}

void add_plagiarism(CLI::App* command, const lab::Kit& kit, int& exit_code) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* const format = add_format(
      command, kit, "plagiarism", "a folder for JPlag, Dolos or MOSS, the starter apart", options,
      exit_code, [&kit](const ExportOptions& asked) { return export_plagiarism(kit, asked); });
  format->get_option("--lab")->required();
  format->add_option("SUBMISSIONS", options->results, "a folder for each submission in it")
      ->required();
  format->add_option("--tool", options->tool, "jplag, dolos or moss")
      ->required()
      ->check(CLI::IsMember({"jplag", "dolos", "moss"}));
  format->add_option("-o", options->out, "an empty folder")->required();
  add_anonymous_option(*format, options->key);
}

}  // namespace

void add_export_command(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command = app.add_subcommand("export", "Results as other systems read them");
  command->require_subcommand(1);
  add_ones(command, kit, exit_code);
  add_canvas(command, kit, exit_code);
  add_moodle(command, kit, exit_code);
  add_tables(command, kit, exit_code);
  add_speed(command, kit, exit_code);
  add_feedback(command, kit, exit_code);
  add_plagiarism(command, kit, exit_code);
}

}  // namespace nibble::teach
