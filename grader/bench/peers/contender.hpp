// Who competes: a name, and how it is opened.
#pragma once

#include <string>

namespace nibble::peers {

struct Contender {
  std::string name{};     ///< as tables show it
  std::string plugin{};   ///< file of the shared object
  std::string variant{};  ///< for open_peer
  std::string family{};   ///< what its kernels are made of: the name of an Isa, or "fp32"
  std::string cap{};      ///< ONEDNN_MAX_CPU_ISA; empty: the library's own choice
  bool is_ours = false;
};

}  // namespace nibble::peers
