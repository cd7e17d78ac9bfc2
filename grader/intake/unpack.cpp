// nibble-unpack ARCHIVE LAB/FILE...: prints what the archive holds of these files, for the process
// that asked; nibble-unpack --download ARCHIVE: everybody's sources and archives. A program of its
// own, because reading archives means parsing what strangers wrote: whoever takes it over holds the
// bytes of that archive and a pipe.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "intake/archive.hpp"
#include "intake/locked_down.hpp"
#include "intake/open_beneath.hpp"

namespace nibble::intake {
namespace {

Contents refused(std::string why) {
  Contents contents;
  contents.refusal = std::move(why);
  return contents;
}

/// The whole file, or why not.
Contents slurp(const char* path, std::size_t most, std::string& bytes) {
  const Descriptor file(open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC));
  if (!file) return refused(words_for(errno));
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return refused(words_for(errno));
  if (!S_ISREG(status.st_mode)) return refused("is no file");
  if (status.st_size == 0) return refused("is empty");
  if (static_cast<std::uintmax_t>(status.st_size) > most) {
    return refused("is larger than " + std::to_string(most >> 20) +
                   " MiB: hand in the sources alone");
  }
  bytes.resize(static_cast<std::size_t>(status.st_size));
  std::size_t size = 0;
  for (ssize_t got = 1; got > 0 && size < bytes.size(); size += static_cast<std::size_t>(got)) {
    got = read(file.get(), bytes.data() + size, bytes.size() - size);
    if (got < 0) return refused(words_for(errno));
  }
  bytes.resize(size);
  return {};
}

bool print(const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t done = write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
    if (done < 0) return false;
    at += static_cast<std::size_t>(done);
  }
  return true;
}

int unpack(int argc, char** argv) {
  if (argc < 3) return 2;
  const bool is_download = std::string_view(argv[1]) == "--download";
  std::vector<Wanted> wanted;
  for (int i = 2; i < argc; ++i) {
    wanted.push_back({first_part(argv[i]), last_part(argv[i])});
  }
  std::setlocale(LC_CTYPE, "C.UTF-8");  // names of archives are turned into this
  std::string bytes;
  Contents contents = is_download ? slurp(argv[2], kLargestDownload, bytes)
                                  : slurp(argv[1], kLargestArchive, bytes);
  lock_down();
  if (contents.refusal.empty()) {
    const auto read = std::as_bytes(std::span(bytes));
    contents = is_download ? read_download(read) : read_archive(read, wanted);
  }
  return print(to_bytes(contents)) ? 0 : 1;
}

}  // namespace
}  // namespace nibble::intake

/// Nothing that runs at the end of a program finds what it needs here.
int main(int argc, char** argv) { _exit(nibble::intake::unpack(argc, argv)); }
