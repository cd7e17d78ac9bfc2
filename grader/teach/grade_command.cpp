// The options, the salt, the boxes and the cluster, settled before anything is graded.
#include "teach/grade_command.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <thread>

#include "batch/order.hpp"
#include "course/lateness.hpp"
#include "course/standing.hpp"
#include "files/files.hpp"
#include "files/sha256.hpp"
#include "run/probe.hpp"
#include "run/salt.hpp"
#include "sandbox/control_group.hpp"
#include "teach/course_option.hpp"
#include "teach/grade.hpp"
#include "teach/guarded.hpp"
#include "text/lines.hpp"

namespace nibble::teach {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t interrupted = 0;

/// The first Ctrl-C ends in good order, the second at once.
void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

/// GradeOptions that are not settled yet.
struct GradeOptions {
  Grade grade;
  fs::path grades, other;
  fs::path chunk;
  std::string salt_file, level, engine = "local", course;
  batch::Slurm slurm{};
  bool draw_salt = false, trusted = false;
  int hidden = 0;  ///< 1: asked for; -1: not wanted; 0: as the course says
};

/// What the course says, where nothing else was said.
void take_from_course(const std::optional<course::Course>& course, GradeOptions& options) {
  Grade& grade = options.grade;
  grade.legs.hidden = options.hidden > 0 || (options.hidden == 0 && course && course->hidden);
  if (!course) return;
  if (grade.out.empty()) grade.out = course->grades;
  if (grade.labs.empty()) grade.labs = course->lab_names();
  grade.roster = course->people;
  const bool has_salt =
      !options.salt_file.empty() || options.draw_salt || !run::salt_of_environment().empty();
  if (has_salt || course->salt_file.empty()) return;
  if (grade.legs.hidden || fs::exists(course->salt_file)) {
    options.salt_file = course->salt_file.string();
  }
}

/// The course's secret. Throws std::invalid_argument when there is none.
std::string salt_for(const GradeOptions& options) {
  if (!options.salt_file.empty()) {
    const std::string salt = text::trim(files::read_file(options.salt_file));
    if (salt.empty()) throw std::invalid_argument(options.salt_file + " is empty");
    return salt;
  }
  if (options.draw_salt) {
    const std::string salt = run::draw_salt();
    fmt::print(std::cout,
               "hidden inputs follow from a salt drawn now, {}: nobody can repeat them\n",
               files::sha256(salt));
    return salt;
  }
  return run::salt_of_environment();
}

/// The boxes that submissions are compiled and run in. Throws std::invalid_argument when this
/// machine has none that is strong enough for code that is not one's own.
sandbox::Boxes boxes_for(const lab::Kit& kit, const GradeOptions& options) {
  using sandbox::Level;
  if (options.trusted) return {};
  const std::vector<run::LevelHere> found = run::probe_all(kit);
  const Level best = run::best_of(found);
  const Level level = options.level.empty() ? best : *sandbox::level_from(options.level);
  for (const run::LevelHere& one : found) {
    if (!options.level.empty() && one.level == level && !one.works()) {
      throw std::invalid_argument(
          fmt::format("level {} does not work here: {}", sandbox::name_of(level), one.why_not));
    }
  }
  if (level == Level::kLimits) {
    throw std::invalid_argument(
        "this machine has no sandbox (`nibble doctor` says why): submissions would run as you, "
        "with "
        "limits on time and memory and nothing between them and your files. For code you trust, "
        "add "
        "--i-trust-this-code");
  }
  sandbox::Boxes boxes = run::boxes_for(kit, level);
  fmt::print(std::cout, "sandbox level {}: {}; limits on {}\n", sandbox::name_of(level),
             sandbox::made_of(level), sandbox::limited_by(boxes.groups));
  if (!boxes.refused_linkers.empty()) {
    fmt::print(std::cout, "linker in this box: {}, since others fail in it ({})\n",
               lab::linker_name(boxes.link_flags), boxes.refused_linkers);
  }
  if (options.grade.legs.gpu) {
    fmt::print(
        std::cout,
        "kernels on a GPU run in a weaker box: a driver needs its devices, threads, /proc and "
        "/sys, and system calls that are not on the list. No host code of theirs is in it\n");
  }
  return boxes;
}

/// Throws std::invalid_argument when the cluster is not there, or would run strangers' code
/// unconfined: a process of this user could hand in jobs of its own.
void settle_slurm(const lab::Kit& kit, GradeOptions& options) {
  if (options.engine != "slurm") return;
  if (const std::string why = batch::why_no_slurm(); !why.empty()) throw std::invalid_argument(why);
  if (options.grade.boxes.run == sandbox::Level::kLimits) {
    throw std::invalid_argument(
        "--engine slurm needs a sandbox: without one, a submission could "
        "hand in jobs as you");
  }
  options.slurm.program = kit.build / "bin" / "nibble-teach";
  options.slurm.level = sandbox::name_of(options.grade.boxes.run);
  options.slurm.salt = options.grade.terms.salt;
  options.slurm.cancelled = options.grade.cancelled;
  options.grade.slurm = options.slurm;
}

void settle(const lab::Kit& kit, GradeOptions& options) {
  Grade& grade = options.grade;
  grade.terms.salt = salt_for(options);
  grade.salt_is_lost = options.draw_salt;
  if (grade.legs.hidden && grade.terms.salt.empty()) {
    throw std::invalid_argument(
        "--hidden needs the course's secret: set NIBBLE_SALT, or name a file with --salt-from, or "
        "give --draw-salt for inputs that nobody can repeat");
  }
  if (!grade.legs.hidden && !grade.resume && options.grades.empty()) grade.terms.salt.clear();
  if (!grade.terms.salt.empty()) run::must_be_long_enough(grade.terms.salt);
  grade.boxes = boxes_for(kit, options);
  catch_interrupts();
  grade.cancelled = [] { return interrupted != 0; };
  settle_slurm(kit, options);
}

/// What every command that grades can be told.
void add_common(CLI::App& command, GradeOptions& options) {
  options.grade.workers = std::max(1u, std::thread::hardware_concurrency());
  command.add_option("-j", options.grade.workers, "how many to grade at a time")
      ->check(CLI::Range(1, 1024));
  command.add_option("--only", options.grade.only, "whose: a submission's name (everybody's)")
      ->allow_extra_args(false);
  CLI::Option* const file = command.add_option(
      "--salt-from", options.salt_file, "the file that holds the course's secret (or NIBBLE_SALT)");
  command.add_flag("--draw-salt", options.draw_salt, "a secret for this run only")->excludes(file);
  command.add_option("--require-level", options.level, "the sandbox: L3, L1 or LS (the best here)")
      ->check(CLI::IsMember({"L3", "L1", "LS"}));
  command.add_flag("--i-trust-this-code", options.trusted, "run it without a sandbox (level L0)");
}

/// Whoever is misspelt in a course without a roster, among all that was ever taken in.
void say_who_is_unmet(const lab::Kit& kit, const course::Course& course, const fs::path& grades) {
  const std::optional<batch::BatchOrder> order = batch::read_order(kit, grades);
  if (!order) return;
  const std::string unmet = course::unmet_text(course, batch::people_of(order->submissions));
  if (!unmet.empty()) fmt::print(std::cout, "{}\n", unmet);
}

void add_grade(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "grade", "Grade submissions: folders, archives, or a folder full of either");
  const auto options = std::make_shared<GradeOptions>();
  command->add_option("PATH", options->grade.paths, "submissions, or one folder full of them");
  command->add_flag("--one", options->grade.is_one,
                    "PATH is one person's, whatever lies in it: for graders of course systems");
  command->add_option("--lab", options->grade.labs, "the labs they are for (the course's; all)");
  command->add_flag("--hidden,!--without-hidden", options->hidden, "hidden checks too, or not");
  command
      ->add_option_function<std::string>(
          "--legs", [options](const auto& old) { options->hidden = old == "all" ? 1 : -1; })
      ->check(CLI::IsMember({"public", "all"}))
      ->group("");  // what --hidden was called
  command->add_option("-o", options->grade.out, "where <id>/<lab>.json go (the course's; grades)");
  add_course_option(*command, options->course);
  command->add_option("--seed", options->grade.terms.seed, "repeat a run: 0x…");
  command->add_flag("!--without-sanitizers", options->grade.legs.sanitizers,
                    "values only: twice as fast, and a read past the end may go unseen");
  command->add_flag("--gpu", options->grade.legs.gpu,
                    "launch the kernels that pass on a GPU too: one at a time, in a weaker box");
  command
      ->add_option_function<int>(
          "--budget",
          [options](int seconds) { options->grade.terms.budget = std::chrono::seconds(seconds); },
          fmt::format("seconds for all compilations and runs of a submission ({})",
                      kit.budget.count()))
      ->check(CLI::Range(1, 86400));
  command->add_flag("--resume", options->grade.resume,
                    "go on with what is in that folder; what is graded and unchanged stays");
  command->add_option("--engine", options->engine, "where: local, or slurm")
      ->check(CLI::IsMember({"local", "slurm"}));
  command->add_option("--chunk", options->slurm.chunk, "gradings a job on the cluster (50)")
      ->check(CLI::Range(1, 100000));
  command->add_option("--sbatch", options->slurm.options,
                      "an option for sbatch, as --sbatch=--partition=short");
  add_common(*command, *options);
  command->callback([&kit, &exit_code, options] {
    exit_code = guarded([&] {
      const std::optional<course::Course> course = course_for(kit, options->course);
      take_from_course(course, *options);
      if (options->grade.out.empty()) options->grade.out = "grades";
      if (options->grade.is_one && options->grade.paths.size() != 1) {
        throw std::invalid_argument("--one is about one PATH: name it, and no other");
      }
      settle(kit, *options);
      const int graded = grade(kit, options->grade);
      if (course) say_who_is_unmet(kit, *course, options->grade.out);
      return graded;
    });
  });
}

/// For jobs on a cluster; nobody types it.
void add_chunk(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command = app.add_subcommand("grade-chunk", "")->group("");
  const auto options = std::make_shared<GradeOptions>();
  command->add_option("GRADES", options->grades)->required();
  command->add_option("FILE", options->chunk)->required();
  command->add_option("LEVEL", options->level)->required();
  command->callback([&kit, &exit_code, options] {
    exit_code = guarded([&] {
      options->grade.out = options->grades;
      settle(kit, *options);
      return grade_chunk(kit, options->grades, options->chunk, options->grade);
    });
  });
}

void add_regrade(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("regrade", "Grade the same files once more and compare");
  const auto options = std::make_shared<GradeOptions>();
  command->add_option("GRADES", options->grades, "a folder that grade filled (the course's)");
  command->add_option("-o", options->grade.out, "a new folder for the results")->required();
  add_course_option(*command, options->course);
  add_common(*command, *options);
  command->callback([&kit, &exit_code, options] {
    exit_code = guarded([&] {
      const std::optional<course::Course> course = course_for(kit, options->course);
      options->grades = results_of(course, options->grades.string());
      take_from_course(course, *options);
      options->grade.legs.hidden = false;  // the order in the folder says
      settle(kit, *options);
      return regrade(kit, options->grades, options->grade);
    });
  });
}

struct StatusOptions {
  std::string grades, course;
  int days = 7;
};

/// With a course, everybody in it; else what the folder holds.
int show_standing(const lab::Kit& kit, const StatusOptions& options) {
  const std::optional<course::Course> course = course_for(kit, options.course);
  const std::string grades = results_of(course, options.grades);
  if (!course) return show_status(kit, grades);
  const text::Moment now =
      std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const text::Moment since = now - std::chrono::days(options.days);
  gradebook::Class all;  // before the first batch everybody has nothing
  if (!options.grades.empty() || fs::exists(grades)) all = gradebook::read_class(grades);
  course::settle(*course, all);
  const course::CourseStanding standing = course::standing_of(*course, all, now, since);
  fmt::print(std::cout, "{}", course::standing_text(*course, standing, now, since));
  return standing.is_complete() ? 0 : 1;
}

void add_looks(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  const auto options = std::make_shared<GradeOptions>();
  CLI::App* const diff = app.add_subcommand("diff-grades", "What differs between two folders");
  diff->add_option("A", options->grades)->required();
  diff->add_option("B", options->other)->required();
  diff->callback([&exit_code, options] {
    exit_code = guarded([&] { return diff_grades(options->grades, options->other); });
  });
  CLI::App* const look =
      app.add_subcommand("status", "What is graded, what is missing, what needs a look");
  const auto status = std::make_shared<StatusOptions>();
  look->add_option("GRADES", status->grades, "a folder that grade filled (the course's)");
  look->add_option("--days", status->days, "how far back changes are told (7)")
      ->check(CLI::Range(1, 3660));
  add_course_option(*look, status->course);
  look->callback([&kit, &exit_code, status] {
    exit_code = guarded([&] { return show_standing(kit, *status); });
  });
}

}  // namespace

void add_grade_commands(CLI::App& teach, const lab::Kit& kit, int& exit_code) {
  add_grade(teach, kit, exit_code);
  add_chunk(teach, kit, exit_code);
  add_regrade(teach, kit, exit_code);
  add_looks(teach, kit, exit_code);
}

}  // namespace nibble::teach
