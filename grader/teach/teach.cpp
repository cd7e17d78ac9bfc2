#include "teach/teach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <thread>

#include "build/files.hpp"
#include "build/sha256.hpp"
#include "teach/attack.hpp"
#include "teach/calibrate.hpp"
#include "teach/check_kit.hpp"
#include "teach/cut_command.hpp"
#include "teach/export_command.hpp"
#include "teach/grade.hpp"
#include "teach/guarded.hpp"
#include "teach/salt.hpp"
#include "teach/text.hpp"

namespace nibble::teach {
namespace {

void add_cut(CLI::App& app, const build::Kit& kit, int& exit_code) {
  CLI::App* const command = app.add_subcommand("cut", "Cut the starters out of the solutions");
  const auto options = std::make_shared<Cut>();
  command->add_option("LAB", options->labs, "labs; none: all");
  command->add_flag("--check", options->only_look, "only say which starters are stale");
  command->callback([&kit, &exit_code, options] {
    exit_code = guarded([&] { return cut_labs(kit, *options); });
  });
}

void add_check_kit(CLI::App& app, const build::Kit& kit, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "check-kit", "Starters fail, solutions pass, mistakes die, pages say what is true");
  const auto options = std::make_shared<CheckKit>();
  Workbench::Options& bench = options->bench;
  bench.workers = std::max(1u, std::thread::hardware_concurrency());
  command->add_option("LAB", options->labs, "labs; none: all, and every source file of the kit");
  command->add_option("-j", bench.workers, "how many to build and judge at a time")
      ->check(CLI::Range(1, 256));
  command->add_option("--seed", bench.seed,
                      "repeat a run: 0x… (and NIBBLE_SALT, if it was hidden)");
  command->add_flag("--quick", bench.quick, "one seed, no sanitizers");
  command->add_flag("--strict", options->strict,
                    "fail for a check that never caught a mistake alone");
  command->add_flag("--table", options->table, "print what became of each mistake");
  command->callback([&kit, &exit_code, options] {
    options->bench.salt = salt_of_environment();
    exit_code = guarded([&] { return check_kit(kit, *options); });
  });
}

void add_calibrate(CLI::App& app, const build::Kit& kit, int& exit_code) {
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

/// Options of `grade` that are not settled yet.
struct GradeOptions {
  Grade grade;
  std::string legs = "public", salt_file;
  bool draw_salt = false, trusted = false;
};

/// The course's secret. Throws std::invalid_argument when there is none.
std::string salt_for(const GradeOptions& options) {
  if (!options.salt_file.empty()) {
    const std::string salt = trim(build::read_file(options.salt_file));
    if (salt.empty()) throw std::invalid_argument(options.salt_file + " is empty");
    return salt;
  }
  if (options.draw_salt) {
    const std::string salt = draw_salt();
    fmt::print("hidden inputs follow from a salt drawn now, {}: nobody can repeat them\n",
               build::sha256(salt));
    return salt;
  }
  if (std::string salt = salt_of_environment(); !salt.empty()) return salt;
  throw std::invalid_argument(
      "--legs all needs the course's secret: set NIBBLE_SALT, or name a file with --salt-from, or "
      "give --draw-salt for inputs that nobody can repeat");
}

int run_grade(const build::Kit& kit, GradeOptions& options) {
  if (!options.trusted) {
    throw std::invalid_argument(
        "submissions run here as you, without a sandbox (level 0): limits on time and memory, and "
        "nothing between them and your files. For code you trust, add --i-trust-this-code");
  }
  options.grade.hidden = options.legs == "all";
  if (options.grade.hidden) options.grade.salt = salt_for(options);
  return grade(kit, options.grade);
}

void add_grade(CLI::App& app, const build::Kit& kit, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "grade",
      "Grade submissions, one after the other. They run without a sandbox (level 0), as the user "
      "who grades: for code you trust");
  const auto options = std::make_shared<GradeOptions>();
  options->grade.out = "grades";
  command->add_option("PATH", options->grade.paths, "name.cpp files, or folders that hold one")
      ->required();
  command->add_option("--lab", options->grade.lab, "the lab they are for")->required();
  command->add_option("--legs", options->legs, "public, or all: hidden checks too")
      ->check(CLI::IsMember({"public", "all"}));
  command->add_option("-o", options->grade.out, "where DIR/<id>/results.json go (grades)");
  command->add_option("--seed", options->grade.seed, "repeat a run: 0x…");
  CLI::Option* const file =
      command->add_option("--salt-from", options->salt_file,
                          "the file that holds the course's secret (or NIBBLE_SALT)");
  command->add_flag("--draw-salt", options->draw_salt, "a secret for this run only")
      ->excludes(file);
  command->add_flag("--i-trust-this-code", options->trusted, "run it without a sandbox");
  command->callback([&kit, &exit_code, options] {
    exit_code = guarded([&] { return run_grade(kit, *options); });
  });
}

}  // namespace

void add_teach_commands(CLI::App& app, const build::Kit& kit, int& exit_code) {
  app.require_subcommand(1);
  add_cut(app, kit, exit_code);
  add_check_kit(app, kit, exit_code);
  add_grade(app, kit, exit_code);
  add_calibrate(app, kit, exit_code);
  add_attack_command(app, kit, exit_code);
  add_export_command(app, kit, exit_code);
}

}  // namespace nibble::teach
