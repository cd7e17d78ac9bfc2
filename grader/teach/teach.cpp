// The options of each command, and the function that it calls.
#include "teach/teach.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

#include "attacks/attack.hpp"
#include "files/files.hpp"
#include "handout/handout.hpp"
#include "proofs/check_kit.hpp"
#include "proofs/clauses.hpp"
#include "proofs/map.hpp"
#include "run/salt.hpp"
#include "teach/calibrate.hpp"
#include "teach/course_command.hpp"
#include "teach/course_option.hpp"
#include "teach/cut_command.hpp"
#include "teach/export_command.hpp"
#include "teach/grade_command.hpp"
#include "teach/guarded.hpp"
#include "teach/mark_command.hpp"
#include "teach/new_lab.hpp"
#include "teach/report_command.hpp"
#include "teach/setup_command.hpp"
#include "text/lines.hpp"

namespace nibble::teach {
namespace {

void add_new(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("new", "Write a small lab that is proven, to make yours of");
  const auto options = std::make_shared<NewLab>();
  command->add_option("NN_name", options->lab, "36_clip_range: free number, free name")->required();
  command->add_option("--kind", options->kind, "kernels: for CPUs, with speed; cuda: for GPUs")
      ->check(CLI::IsMember(kKinds))
      ->capture_default_str();
  command->callback(
      [&kit, &exit_code, options] { exit_code = guarded([&] { return new_lab(kit, *options); }); });
}

void add_cut(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command = app.add_subcommand("cut", "Cut the starters out of the solutions");
  const auto options = std::make_shared<Cut>();
  command->add_option("LAB", options->labs, "labs; none: all");
  command->add_flag("--check", options->only_look, "only say which starters are stale");
  command->callback([&kit, &exit_code, options] {
    exit_code = guarded([&] { return cut_labs(kit, *options); });
  });
}

void add_check_kit(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "check-kit", "Starters fail, solutions pass, mistakes die, pages say what is true");
  const auto options = std::make_shared<proofs::CheckKit>();
  proofs::Workbench::Options& bench = options->bench;
  bench.workers = std::max(1u, std::thread::hardware_concurrency());
  command->add_option("LAB", options->labs, "labs; none: all, and every source file of the kit");
  command->add_option("-j", bench.workers, "how many to build and judge at a time")
      ->check(CLI::Range(1, 256));
  command->add_option("--seed", bench.terms.seed,
                      "repeat a run: 0x… (and NIBBLE_SALT, if it was hidden)");
  command->add_flag("--quick", bench.quick, "one seed, no sanitizers");
  command->add_option("--seeds", bench.seeds, "judge right code on so many seeds, drawn anew")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  const auto choose_part = [options](const std::string& name) {
    const auto part = proofs::part_from(name);
    if (!part) {
      throw CLI::ValidationError(
          "there are text, code, sanitizers, published, solutions, seeds and screens, not " + name);
    }
    options->part = *part;
  };
  command->add_option_function<std::string>("--only", choose_part,
                                            "text: what is read; code: what is judged, without "
                                            "sanitizers; sanitizers: the published solutions, "
                                            "with them; published: and without; "
                                            "solutions: what must earn everything; "
                                            "seeds: the same, without sanitizers; "
                                            "screens: what learners see");
  command->add_flag("--whole", options->whole,
                    "mistakes on every check, not up to the first that fails");
  command->add_flag("--strict", options->strict,
                    "fail for a check that never caught a mistake alone");
  command->add_flag("--keep", options->keep, "with --only screens: keep them as they are now");
  command->add_flag("--table", options->table, "print what became of each mistake");
  command->callback([&kit, &exit_code, options] {
    options->bench.terms.salt = run::salt_of_environment();
    exit_code = guarded([&] { return proofs::check_kit(kit, *options); });
  });
}

void add_calibrate(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "calibrate", "What a lab's speed rows measure for its solutions and its slow mistakes");
  const auto options = std::make_shared<Calibrate>();
  command->add_option("LAB", options->lab)->required();
  command->add_option("-n,--repetitions", options->repetitions)->check(CLI::Range(1, 10000));
  command->add_option("--neighbours", options->neighbours, "threads that burn CPU time meanwhile")
      ->check(CLI::Range(0, 64));
  command->add_flag("--only-solution", options->only_solution,
                    "nothing but the published solution");
  command->add_option("--json", options->json, "write every ratio there");
  command->callback([&kit, &exit_code, options] {
    exit_code = guarded([&] { return calibrate(kit, *options); });
  });
}

/// Its labs, and the secret that must not be in it, where nothing else was said.
void take_from_course(const course::Course& course, handout::Handout& what) {
  if (what.labs.empty()) what.labs = course.lab_names();
  what.language = course.language;
  for (const course::CourseLab& lab : course.labs) {
    if (lab.hints) what.hints[lab.lab.name] = *lab.hints;
  }
  const bool is_there = std::filesystem::is_regular_file(course.salt_file);
  if (!is_there || !run::salt_of_environment().empty()) return;
  setenv("NIBBLE_SALT", text::trim(files::read_file(course.salt_file)).c_str(), 1);
}

void add_handout(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "handout", "The copy of the kit for students: no solutions, no hidden checks, no history");
  const auto options = std::make_shared<handout::Handout>();
  command->add_option("DIR", options->out, "a folder that is not there yet")->required();
  command->add_option("LAB,--labs", options->labs, "labs; none: the course's; all")->delimiter(',');
  command
      ->add_option("--update", options->update,
                   "a handout of before: write only what differs, for those who have it")
      ->check(CLI::ExistingDirectory);
  const auto file = std::make_shared<std::string>();
  add_course_option(*command, *file);
  command->callback([&kit, &exit_code, options, file] {
    exit_code = guarded([&] {
      const std::optional<course::Course> course = course_for(kit, *file);
      if (course) take_from_course(*course, *options);
      return handout::hand_out(kit, *options);
    });
  });
}

void add_map(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("map", "Draw the rooms of docs/design/map.md and docs/course.svg anew");
  command->callback(
      [&kit, &exit_code] { exit_code = guarded([&] { return proofs::draw_maps(kit.source); }); });
}

void add_clauses(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "clauses", "Write a lab's table of clauses anew: its contract, and what holds each sentence");
  const auto lab = std::make_shared<std::string>();
  command->add_option("LAB", *lab)->required();
  command->callback([&kit, &exit_code, lab] {
    exit_code = guarded([&] { return proofs::draw_clauses(kit.source, kit.lab(*lab)); });
  });
}

}  // namespace

void add_teach_commands(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  app.require_subcommand(1);
  add_new(app, kit, exit_code);
  add_cut(app, kit, exit_code);
  add_check_kit(app, kit, exit_code);
  add_course_command(app, kit, exit_code);
  add_grade_commands(app, kit, exit_code);
  add_mark_command(app, kit, exit_code);
  add_calibrate(app, kit, exit_code);
  add_handout(app, kit, exit_code);
  add_setup_command(app, kit, exit_code);
  add_clauses(app, kit, exit_code);
  add_map(app, kit, exit_code);
  attacks::add_attack_command(app, kit, exit_code);
  add_export_command(app, kit, exit_code);
  add_report_command(app, kit, exit_code);
}

}  // namespace nibble::teach
