#include "teach/guarded.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace nibble::teach {
namespace {

constexpr int kCallersFault = 2, kOurFault = 6;

/// What stands in the way of a file, and the remedy; empty where nobody can be told what to do.
std::string why_not_used(const std::error_code& code) {
  using std::errc;
  if (code == errc::no_such_file_or_directory) return "is not there: is the path right?";
  if (code == errc::not_a_directory) return "is a file, or lies below one: a folder is needed";
  if (code == errc::is_a_directory) return "is a folder: a file is needed";
  if (code == errc::permission_denied || code == errc::operation_not_permitted) {
    return "may not be used by you: make it yours (chown, chmod), or name another place";
  }
  if (code == errc::read_only_file_system) return "is on a read-only disk: name another place";
  if (code == errc::no_space_on_device) return "cannot be written, the disk is full: make room";
  return "";
}

}  // namespace

int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const std::invalid_argument& error) {
    fmt::print(std::cerr, "nibble: {}\n", error.what());
    return kCallersFault;
  } catch (const std::filesystem::filesystem_error& error) {
    const std::string why = why_not_used(error.code());
    if (why.empty()) {
      fmt::print(std::cerr, "nibble: a fault of the kit: {}\n", error.what());
      return kOurFault;
    }
    fmt::print(std::cerr, "nibble: {} {}\n", error.path1().string(), why);
    return kCallersFault;
  } catch (const std::exception& error) {
    fmt::print(std::cerr, "nibble: a fault of the kit: {}\n", error.what());
    return kOurFault;
  }
}

}  // namespace nibble::teach
