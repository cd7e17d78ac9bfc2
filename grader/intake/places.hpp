// Where in a submission a lab's file may stand, as people hand it in: the project as it is, the
// lab's folder, or the file alone; and all of that inside one more folder, as archives have it.
//
//     labs/03_symmetric/symmetric.cpp      03_symmetric/symmetric.cpp      symmetric.cpp
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::intake {

/// A lab's file, as in "03_symmetric/symmetric.cpp".
struct Wanted {
  std::string lab, file;
};

/// The three places of it.
std::vector<std::string> places_of(const Wanted& wanted);

/// A path of an archive in its plain form: without "." and empty parts. Nothing when it is absolute
/// or leads up.
std::optional<std::string> plain_path(std::string_view path);

/// True for what no person put there: hidden files, and the folder macOS adds to its archives.
bool is_noise(std::string_view name);

/// "a/b/c" -> "a"
std::string first_part(std::string_view path);

/// "a/b/c" -> "c"
std::string last_part(std::string_view path);

/// True when a file by itself is called as the lab's file `wanted` is, but for what course systems
/// put before the name and browsers behind it: "kim_12_34_symmetric-1.cpp", "symmetric (1).cpp".
bool is_called(const std::string& name, const std::string& wanted);

/// The name that looks most like `wanted`: few letters apart in either case, or the same but for
/// what a browser or an editor adds, as in "symmetric (1).cpp". Empty when none does.
std::string nearest(const std::string& wanted, const std::vector<std::string>& names);

}  // namespace nibble::intake
