// nibble teach new NN_name: a lab that builds and is proven, for its author to make another of.
//
// It is written from the templates in teach/new_lab/KIND.
// What a kind does not have is that of `ordinary`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lab/kit.hpp"

namespace nibble::teach {

struct NewLab {
  std::string lab;                ///< "36_clip"
  std::string kind = "ordinary";  ///< or kernels, for CPUs, or cuda
};

inline const std::vector<std::string> kKinds{"ordinary", "kernels", "cuda"};

/// Writes the lab into the kit, all of its files or none, and returns their paths, relative to
/// the kit. Throws std::invalid_argument for a name that will not do or is taken, and for a file
/// that is there already; std::filesystem::filesystem_error for one that cannot be written.
std::vector<std::filesystem::path> make_lab(const std::filesystem::path& top, const NewLab& what);

/// The command: make_lab, and what to do next. Returns 0.
int new_lab(const lab::Kit& kit, const NewLab& what);

}  // namespace nibble::teach
