#include "lab/not_built.hpp"

#include <filesystem>
#include <sstream>

#include "files/files.hpp"
#include "text/harmless.hpp"

namespace nibble::lab {
namespace {

namespace fs = std::filesystem;

fs::path note_of(const Kit& kit, const std::string& lab) {
  return kit.build / "not_built" / (lab + ".txt");
}

/// Who builds by hand leaves notes where they are: a judge that is newer has made up for them.
bool is_so_still(const Kit& kit, const std::string& lab) {
  std::error_code none;
  const auto noted = fs::last_write_time(note_of(kit, lab), none);
  if (none) return false;
  const auto built = fs::last_write_time(kit.judge(lab), none);
  return none || built <= noted;
}

/// The first line that says what is wrong; else the first one.
std::string first_error(const std::string& note) {
  std::istringstream lines(note);
  std::string line, first;
  while (std::getline(lines, line)) {
    if (first.empty()) first = line;
    if (line.find("error: ") != line.npos) return line;
  }
  return first;
}

}  // namespace

std::string why_not_built(const Kit& kit, const std::string& lab) {
  if (!is_so_still(kit, lab)) {
    if (fs::exists(kit.judge(lab))) return "";
    if (kit.find(lab) != nullptr) return "nobody has built them: ./nibble build " + lab;
    const bool has_line =
        files::read_file(kit.source / "labs/CMakeLists.txt").find("nibble_lab(" + lab) !=
        std::string::npos;
    return has_line ? "the kit was built before it had a line for them: ./nibble build " + lab
                    : "there is no line for it in labs/CMakeLists.txt";
  }
  std::string error = first_error(files::read_file(note_of(kit, lab)));
  for (const std::string& part : {kit.source.string() + "/", std::string("../")}) {
    while (error.starts_with(part)) error.erase(0, part.size());
  }
  return text::harmless(error) + " (all of it: " + note_of(kit, lab).string() + ")";
}

}  // namespace nibble::lab
