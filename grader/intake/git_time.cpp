// A clone's own .git/config can name programs to run. So HEAD is read as text, and its commits are
// looked at from an empty repository that borrows the clone's objects.
#include "intake/git_time.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <system_error>

#include "intake/open_beneath.hpp"
#include "intake/source_text.hpp"
#include "process/command.hpp"
#include "text/lines.hpp"

namespace nibble::intake {
namespace {

namespace fs = std::filesystem;

/// Of a file below .git, without following a link.
std::string text_beneath(int git, const std::string& path) {
  const Way way = one_step_works() ? Way::kOneStep : Way::kFolderByFolder;
  const Descriptor file = open_beneath(git, path, way);
  return file ? read_source(file.get()).text : "";
}

bool is_hash(const std::string& word) {
  return (word.size() == 40 || word.size() == 64) &&
         word.find_first_not_of("0123456789abcdef") == word.npos;
}

std::string packed_ref(int git, const std::string& ref) {
  for (const std::string& line : text::lines_of(text_beneath(git, "packed-refs"))) {
    const std::size_t blank = line.find(' ');
    if (blank != line.npos && line.substr(blank + 1) == ref) return line.substr(0, blank);
  }
  return "";
}

/// The commit that is checked out; empty: nobody can tell.
std::string head_of(int git) {
  constexpr std::string_view kRef = "ref: ";
  const std::string head = text::trim(text_beneath(git, "HEAD"));
  if (!head.starts_with(kRef)) return is_hash(head) ? head : "";
  const std::string ref = head.substr(kRef.size());
  const bool is_plain = ref.starts_with("refs/") && ref.find("..") == ref.npos;
  if (!is_plain) return "";
  const std::string loose = text::trim(text_beneath(git, ref));
  const std::string hash = loose.empty() ? packed_ref(git, ref) : loose;
  return is_hash(hash) ? hash : "";
}

void make_view(const fs::path& view, const fs::path& objects) {
  fs::create_directories(view / "objects" / "info");
  fs::create_directories(view / "refs");
  std::ofstream(view / "HEAD") << "ref: refs/heads/none\n";
  std::ofstream(view / "objects" / "info" / "alternates") << objects.string() << '\n';
}

std::optional<text::Moment> ask_git(const fs::path& view, const std::string& commit,
                                    const std::string& place) {
  process::Command command;
  command.words = {"git",          "--git-dir=" + view.string(),
                   "-c",           "core.commitGraph=false",
                   "log",          "-1",
                   "--format=%ct", commit,
                   "--",           place};
  command.environment = {"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
                         "GIT_TERMINAL_PROMPT=0"};
  command.wall_limit = command.cpu_limit = std::chrono::seconds(20);
  const process::Finished finished = process::run(command);
  const std::string said = text::trim(finished.out);
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(said.data(), said.data() + said.size(), seconds);
  if (!finished.ok() || error != std::errc() || seconds <= 0) return {};
  return text::Moment(std::chrono::seconds(seconds));
}

}  // namespace

std::optional<text::Moment> committed_at(const fs::path& clone, const std::string& place,
                                         const fs::path& work) {
  const fs::path folder = clone / ".git", view = work / ".git-view";
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(folder / "objects", error))) return {};
  const Descriptor git(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  const std::string commit = git ? head_of(git.get()) : "";
  if (commit.empty()) return {};
  make_view(view, fs::absolute(folder / "objects"));
  std::optional<text::Moment> found;
  try {
    found = ask_git(view, commit, place);
  } catch (const std::system_error&) {
    found.reset();  // git is not here: then nobody asked for it
  }
  fs::remove_all(view, error);
  return found;
}

}  // namespace nibble::intake
