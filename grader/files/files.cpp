#include "files/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace nibble::files {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const char* what, const fs::path& file, int reason) {
  throw fs::filesystem_error(what, file, std::error_code(reason, std::generic_category()));
}

/// Writes everything to `fd`, or returns why not.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = write(fd, text.data(), text.size());
    if (done < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(done));
  }
  return fsync(fd) == 0 ? 0 : errno;
}

/// Beside `file`. Several machines may write into one shared folder.
fs::path temporary_name(const fs::path& file) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return file.string() + ".new-" + host.data() + "-by-" + std::to_string(getpid());
}

}  // namespace

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || fs::is_directory(file)) fail("reading", file, errno != 0 ? errno : EISDIR);
  std::string text;
  std::array<char, std::size_t{64} << 10> piece;
  while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  return text;
}

bool are_plain_files(const fs::path& folder, std::initializer_list<const char*> names) {
  return std::ranges::all_of(names, [&](const char* name) {
    const fs::file_status status = fs::symlink_status(folder / name);
    return status.type() == fs::file_type::not_found ||
           (status.type() == fs::file_type::regular && fs::hard_link_count(folder / name) == 1);
  });
}

void write_atomically(const fs::path& file, std::string_view text) {
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
  const fs::path temporary = temporary_name(file);
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) fail("writing", file, errno);
  const int reason = write_all(fd, text);
  close(fd);
  std::error_code renamed;
  if (reason == 0) fs::rename(temporary, file, renamed);
  if (reason == 0 && !renamed) return;
  std::error_code ignored;
  fs::remove(temporary, ignored);
  fail("writing", file, reason != 0 ? reason : renamed.value());
}

}  // namespace nibble::files
