#include "intake/unpacker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "process/command.hpp"

namespace nibble::intake {
namespace {

constexpr std::chrono::seconds kLongest{60};
constexpr std::size_t kLongestAnswer = std::size_t{24} << 20;
constexpr std::size_t kLongestDownload = std::size_t{160} << 20;

std::string why_no_answer(const process::Finished& finished) {
  if (finished.timed_out) return "cannot be read: it takes too long";
  if (finished.signal != 0) {
    return fmt::format("cannot be read: reading it was ended by signal {}", finished.signal);
  }
  return "cannot be read: it does not fit into memory";
}

/// Only what was asked for may come back, and no more of a text than is allowed.
bool is_asked_for(const FoundFile& found, const std::vector<Wanted>& wanted) {
  return std::ranges::find(wanted, found.lab, &Wanted::lab) != wanted.end();
}

/// What the reader says of an archive, told the words that it is started with.
Contents ask_reader(const lab::Kit& kit, std::vector<std::string> words, std::size_t longest) {
  const std::filesystem::path reader = kit.build / "bin" / "nibble-unpack";
  if (!std::filesystem::exists(reader)) {
    throw std::runtime_error(
        "this copy of the kit was built without libarchive, so it reads no archives: install "
        "libarchive-dev (elsewhere libarchive-devel, libarchive), and build again; or unpack them");
  }
  process::Command command;
  command.words = {reader.string()};
  command.words.insert(command.words.end(), words.begin(), words.end());
  command.wall_limit = kLongest;
  command.kept_bytes = longest;
  const process::Finished finished = process::run(command);

  std::optional<Contents> contents;
  if (finished.ok()) contents = from_bytes(finished.out);
  if (!contents) {
    contents.emplace();
    contents->refusal = why_no_answer(finished);
  }
  return std::move(*contents);
}

}  // namespace

Contents read_archive_apart(const lab::Kit& kit, const std::filesystem::path& archive,
                            const std::vector<Wanted>& wanted) {
  std::vector<std::string> words = {std::filesystem::absolute(archive).string()};
  for (const Wanted& one : wanted) words.push_back(one.lab + "/" + one.file);
  Contents contents = ask_reader(kit, words, kLongestAnswer);
  std::erase_if(contents.found, [&](const FoundFile& f) { return !is_asked_for(f, wanted); });
  return contents;
}

Contents read_download_apart(const lab::Kit& kit, const std::filesystem::path& archive) {
  return ask_reader(kit, {"--download", std::filesystem::absolute(archive).string()},
                    kLongestDownload);
}

}  // namespace nibble::intake
