// The options, and where the course's secret is taken from.
#include "teach/setup_command.hpp"

#include <memory>
#include <optional>

#include "files/files.hpp"
#include "run/salt.hpp"
#include "setup/setup.hpp"
#include "teach/course_option.hpp"
#include "teach/guarded.hpp"
#include "text/lines.hpp"

namespace nibble::teach {
namespace {

namespace fs = std::filesystem;

struct SetupOptions {
  setup::Setup what;
  std::string salt_file, course;
};

/// The file that was named, NIBBLE_SALT, or the course's file; empty: none of them.
std::string salt_for(const SetupOptions& options, const std::optional<course::Course>& course) {
  if (!options.salt_file.empty()) return text::trim(files::read_file(options.salt_file));
  if (std::string salt = run::salt_of_environment(); !salt.empty()) return salt;
  const bool is_there = course && fs::is_regular_file(course->salt_file);
  return is_there ? text::trim(files::read_file(course->salt_file)) : "";
}

}  // namespace

void add_setup_command(CLI::App& app, const lab::Kit& kit, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("setup", "The files that a course system wants, to grade by this kit");
  const auto options = std::make_shared<SetupOptions>();
  command->add_option("SYSTEM", options->what.system, "which")
      ->required()
      ->check(CLI::IsMember(setup::system_names()));
  command->add_option("LAB", options->what.labs, "the lab that is graded there")->required();
  command->add_option("-o", options->what.out, "a folder, or an archive of it: .zip, .tar")
      ->required();
  command->add_option("--salt-from", options->salt_file,
                      "the file that holds the course's secret (NIBBLE_SALT; the course's)");
  add_course_option(*command, options->course);
  command->callback([&kit, &exit_code, options] {
    exit_code = guarded([&] {
      options->what.salt = salt_for(*options, course_for(kit, options->course));
      options->what.seed = run::draw_seed();
      return setup::set_up(kit, options->what);
    });
  });
}

}  // namespace nibble::teach
