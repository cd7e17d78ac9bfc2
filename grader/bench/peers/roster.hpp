// Who competes.
#pragma once

#include <vector>

#include "contender.hpp"

namespace nibble::peers {

/// In the order in which tables show them. Which of them are here is found out when they are
/// opened.
std::vector<Contender> roster();

}  // namespace nibble::peers
