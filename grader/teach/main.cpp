// nibble teach: what instructors and authors type. A program of its own, built when it is first
// asked for: a learner should not wait for it.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "lab/kit.hpp"
#include "language/speech.hpp"
#include "teach/own_notes.hpp"
#include "teach/teach.hpp"

namespace {

int teach(int argc, char** argv, nibble::language::Speech& speech) {
  int exit_code = 0;
  nibble::lab::Kit kit = nibble::lab::this_kit();
  speech.begin(kit.catalogs());
  const nibble::teach::OwnNotes notes(kit);
  CLI::App app{"For instructors and authors of labs.", "nibble teach"};
  app.require_subcommand(1);
  nibble::teach::add_teach_commands(app, kit, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0);  // it may hold a course's secret: nobody else looks inside
#endif
  nibble::language::Speech speech;
  try {
    return teach(argc, argv, speech);
  } catch (const std::invalid_argument& error) {
    std::cerr << "nibble teach: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "nibble teach: " << error.what() << '\n';
    return 6;
  }
}
