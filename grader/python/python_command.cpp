// Compiles the labs that pass, writes down where they are, and hands over to the interpreter.
#include "python/python_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <sstream>

#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "lab/on_demand.hpp"
#include "python/learners_labs.hpp"
#include "python/library.hpp"
#include "text/json_text.hpp"

namespace nibble::python {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The interpreter that the module was built for.
struct Interpreter {
  std::string path, version;
};

Interpreter interpreter_of(const lab::Kit& kit) {
  Interpreter found;
  std::istringstream lines(files::read_file(kit.build / "python" / "interpreter"));
  std::getline(lines, found.path);
  std::getline(lines, found.version);
  return found;
}

/// The module itself, and the tables of the labs that it will open.
void build(const lab::Kit& kit, const std::vector<CallableLab>& labs) {
  std::vector<std::string> wanted{"python-module"};
  for (const CallableLab& one : labs) {
    if (one.why_not.empty()) wanted.push_back("python-" + one.lab->name);
  }
  if (!lab::have_built(kit, wanted)) {
    throw cli::kit_fault("what Python calls is not built: the lines above say why");
  }
}

/// What the module reads: each lab's library, or why it has none, and the names that are in it.
Json note_of(const lab::Kit& kit, std::vector<CallableLab>& labs) {
  Json note = Json::object();
  for (CallableLab& one : labs) {
    std::string library;
    if (one.why_not.empty()) library = library_of(kit, one).string();
    if (one.why_not.empty() && library.empty()) {
      one.why_not = fmt::format("lab {0} does not compile: ./nibble run {0}", one.lab->number());
    }
    Json exercises = Json::array();
    for (const cli::MarkedExercise& exercise : one.lab->exercises) {
      exercises.push_back(exercise.name);
    }
    note[one.lab->number()] = {{"library", library},
                               {"why_not", one.why_not},
                               {"is_cuda", one.lab->is_cuda()},
                               {"exercises", std::move(exercises)}};
  }
  return note;
}

std::string numbers_of(const std::vector<CallableLab>& labs, bool called) {
  std::string numbers;
  for (const CallableLab& one : labs) {
    if (one.why_not.empty() == called && !one.lab->is_cuda()) numbers += " " + one.lab->number();
  }
  return numbers;
}

std::string summary_of(const Interpreter& interpreter, const std::vector<CallableLab>& labs) {
  const std::string here = numbers_of(labs, true), missing = numbers_of(labs, false);
  return fmt::format("nibble: Python {} ({}) · labs that pass:{}{}\n", interpreter.version,
                     interpreter.path, here.empty() ? " none" : here,
                     missing.empty() ? "" : " · not yet:" + missing);
}

/// Its variables: where the module is, and where its note is; where a crash is said in Python's own
/// lines.
void set_variables(const lab::Kit& kit, const fs::path& note) {
  const char* const before = std::getenv("PYTHONPATH");
  std::string path = (kit.build / "python").string();
  if (before != nullptr && *before != '\0') path += std::string(":") + before;
  setenv("PYTHONPATH", path.c_str(), /*replace=*/1);
  setenv("NIBBLE_PYTHON_LABS", note.c_str(), /*replace=*/1);
  setenv("PYTHONFAULTHANDLER", "1", /*replace=*/1);
}

}  // namespace

int python_command(cli::Context& context, const cli::PythonOptions& options) {
  std::vector<CallableLab> labs =
      options.solutions ? published_labs(context) : learners_labs(context);
  build(context.kit, labs);
  const fs::path note = fs::absolute(context.kit.root / ".nibble" / "python.json");
  files::write_atomically(note, text::file_text(note_of(context.kit, labs)));
  const Interpreter interpreter = interpreter_of(context.kit);
  context.err << summary_of(interpreter, labs) << std::flush;
  set_variables(context.kit, note);
  std::vector<char*> words{const_cast<char*>(interpreter.path.c_str())};
  for (const std::string& word : options.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words.front(), words.data());
  throw cli::Trouble(cli::kNotHere, interpreter.path + " cannot be started");
}

}  // namespace nibble::python
