// Templates with a number and a name put in; all files are written, or none.
#include "teach/new_lab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "files/files.hpp"
#include "lab/cut.hpp"
#include "lab/lab_files.hpp"
#include "text/lines.hpp"
#include "text/pattern.hpp"

namespace nibble::teach {
namespace {

namespace fs = std::filesystem;

/// Each template, and the file that is made of it.
constexpr std::array<std::pair<const char*, const char*>, 14> kFiles = {{
    {"README.txt", "labs/{number}_{name}/README.md"},
    {"contract.txt", "labs/{number}_{name}/{name}.hpp"},
    {"hints.txt", "labs/{number}_{name}/hints.md"},
    {"solution.txt", "solutions/{number}_{name}/{name}.{ending}"},
    {"with_other_loop.txt", "grader/alternatives/{number}_{name}/with_other_loop.{ending}"},
    {"with_other_sizes.txt", "grader/alternatives/{number}_{name}/with_other_sizes.{ending}"},
    {"marks.txt", "grader/checks/{number}_{name}/marks.cpp"},
    {"clauses.txt", "grader/checks/{number}_{name}/clauses.txt"},
    {"definition.txt", "grader/checks/{number}_{name}/{exercise}.hpp"},
    {"checks.txt", "grader/checks/{number}_{name}/{exercise}.cpp"},
    {"hidden.txt", "grader/checks/{number}_{name}/hidden.cpp"},
    {"mistakes.txt", "grader/mistakes/{number}_{name}.txt"},
    {"chapter.txt", "docs/book/{number}_{name}.md"},
    {"example.txt", "docs/examples/{number}_steps.cpp"},
}};

/// A row that an index gets, among those that begin alike and in the order of their numbers.
struct IndexRow {
  const char *file, *begins, *text;
};
constexpr std::array<IndexRow, 3> kRows = {{
    {"labs/CMakeLists.txt", "nibble_lab(", "nibble_lab({number}_{name}{flags})"},
    {"docs/README.md", "| [",
     "| [{number} {Name}](book/{number}_{name}.md) | How far is a code from 0? |"},
    {"README.md", "| [",
     "| [{number} {title}](labs/{number}_{name}) | `{exercise}` | codes without a zero point |"},
}};

using Words = std::map<std::string, std::string>;

/// "36_clip_range": a title is "clip range", and at the beginning of a line "Clip range".
Words words_for(const NewLab& what) {
  const std::string name = what.lab.substr(3);
  std::string title = name;
  std::ranges::replace(title, '_', ' ');
  std::string head = title;
  head[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(head[0])));
  const bool cuda = what.kind == "cuda", kernels = what.kind == "kernels";
  return {{"number", what.lab.substr(0, 2)},
          {"name", name},
          {"title", title},
          {"Name", head},
          {"exercise", cuda ? "find_steps" : "sum_of_steps"},
          {"ending", cuda ? "cu" : "cpp"},
          {"header", cuda      ? "cuda_lab"
                     : kernels ? "kernel_lab"
                               : "lab"},
          {"flags", cuda      ? " DEVICE"
                    : kernels ? " KERNELS"
                              : ""}};
}

std::string filled(std::string text, const Words& words) {
  for (const auto& [word, value] : words) {
    const std::string mark = "{" + word + "}";
    for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += value.size()) {
      text.replace(at, mark.size(), value);
    }
  }
  return text;
}

std::string template_text(const fs::path& top, const std::string& kind, const char* name) {
  const fs::path folder = top / "grader" / "teach" / "new_lab", own = folder / kind / name;
  return files::read_file(fs::exists(own) ? own : folder / "ordinary" / name);
}

/// The number of a lab that the line is about, where it begins as rows do.
std::optional<std::string> number_of(const std::string& line, std::string_view begins) {
  static const text::Pattern number(R"(([0-9][0-9])[_ ].*)");
  if (!line.starts_with(begins)) return std::nullopt;
  const auto match = number.match(line.substr(begins.size()));
  return match ? std::optional<std::string>((*match)[1]) : std::nullopt;
}

/// The text with the row before the first of a larger number, or behind the last of all.
std::string with_row(const fs::path& file, const IndexRow& row, const Words& words) {
  std::vector<std::string> lines = text::lines_of(files::read_file(file));
  std::size_t at = lines.size();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto number = number_of(lines[i], row.begins);
    if (!number) continue;
    at = i + 1;
    if (*number < words.at("number")) continue;
    at = i;
    break;
  }
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), filled(row.text, words));
  return text::text_of(lines);
}

std::vector<std::string> labs_here(const fs::path& top) {
  std::set<std::string> labs;
  for (const char* const folder : {"solutions", "labs"}) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(top / folder, none)) {
      if (entry.is_directory()) labs.insert(entry.path().filename().string());
    }
  }
  return {labs.begin(), labs.end()};
}

std::string a_free_number(const std::vector<std::string>& labs) {
  for (int number = 1; number < 100; ++number) {
    const std::string text = fmt::format("{:02}", number);
    if (std::ranges::none_of(labs, [&](const auto& lab) { return lab.starts_with(text + "_"); }))
      return text;
  }
  return "none";
}

void must_be_free(const std::string& lab, const std::vector<std::string>& labs) {
  for (const std::string& other : labs) {
    if (other.substr(0, 3) == lab.substr(0, 3)) {
      throw std::invalid_argument(
          fmt::format("{}: the number {} is taken by {}: the first that is free is {}", lab,
                      lab.substr(0, 2), other, a_free_number(labs)));
    }
    if (lab::Lab{other}.is_called(lab.substr(3))) {
      throw std::invalid_argument(
          fmt::format("{}: the name {} is taken by {}, which people ask for by it: choose another",
                      lab, lab.substr(3), other));
    }
  }
}

void must_be_a_name(const NewLab& what) {
  static const text::Pattern name("[0-9][0-9]_[a-z][a-z0-9]*(_[a-z0-9]+)*");
  if (!name.match(what.lab)) {
    throw std::invalid_argument(
        fmt::format("{}: a lab is called by two digits and a name in lower case, as 36_clip_range",
                    what.lab.empty() ? "\"\"" : what.lab));
  }
}

lab::Lab lab_of(const NewLab& what) {
  return {what.lab, what.kind == "cuda" ? lab::LabKind::kDevice : lab::LabKind::kOrdinary};
}

using Texts = std::vector<std::pair<fs::path, std::string>>;  ///< relative to the kit

Texts texts_of(const fs::path& top, const NewLab& what) {
  const Words words = words_for(what);
  Texts texts;
  for (const auto& [from, to] : kFiles) {
    texts.emplace_back(filled(to, words), filled(template_text(top, what.kind, from), words));
    if (from != std::string_view("solution.txt")) continue;
    const lab::LabFiles files = lab::files_of("", lab_of(what));
    texts.emplace_back(files.starter, lab::cut_starter(texts.back().second));
  }
  for (const auto& [file, text] : texts) {
    if (!fs::exists(top / file)) continue;
    throw std::invalid_argument(fmt::format(
        "{}: {} is there already: remove it, or choose another name", what.lab, file.string()));
  }
  for (const IndexRow& row : kRows)
    texts.emplace_back(row.file, with_row(top / row.file, row, words));
  return texts;
}

/// Writes files, and takes all of them back unless all were written: what was there is as it was.
class Writing {
 public:
  Writing() = default;
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
  ~Writing() {
    for (auto one = undo_.rbegin(); one != undo_.rend(); ++one) take_back(*one);
  }

  void write(const fs::path& file, const std::string& text) {
    make_folder(file.parent_path());
    Undo undo{file, std::nullopt};
    if (fs::exists(file)) undo.before = files::read_file(file);
    files::write_atomically(file, text);
    undo_.push_back(std::move(undo));
  }

  void keep() { undo_.clear(); }

 private:
  struct Undo {
    fs::path file;  ///< or a folder, which is empty again by then
    std::optional<std::string> before;
  };

  void make_folder(const fs::path& folder) {
    if (fs::create_directory(folder)) undo_.push_back({folder, std::nullopt});
  }

  static void take_back(const Undo& undo) {
    try {
      if (undo.before) {
        files::write_atomically(undo.file, *undo.before);
      } else {
        fs::remove(undo.file);
      }
    } catch (const std::exception& error) {
      fmt::print(stderr, "nibble: {} is left as it is: {}\n", undo.file.string(), error.what());
    }
  }

  std::vector<Undo> undo_;
};

}  // namespace

std::vector<fs::path> make_lab(const fs::path& top, const NewLab& what) {
  must_be_a_name(what);
  must_be_free(what.lab, labs_here(top));
  const Texts texts = texts_of(top, what);
  Writing writing;
  std::vector<fs::path> written;
  for (const auto& [file, text] : texts) {
    writing.write(top / file, text);
    written.push_back(file);
  }
  writing.keep();
  return written;
}

int new_lab(const lab::Kit& kit, const NewLab& what) {
  const auto files = make_lab(kit.source, what);
  for (const fs::path& file : files) {
    const bool index =
        std::ranges::any_of(kRows, [&](const IndexRow& row) { return file == row.file; });
    fmt::print("  {}  {}\n", index ? "one line" : "written ", file.string());
  }
  fmt::print("next  ./nibble teach check-kit {}     and then docs/authoring.md\n",
             what.lab.substr(0, 2));
  return 0;
}

}  // namespace nibble::teach
