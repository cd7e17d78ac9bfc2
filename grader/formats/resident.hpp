// The memory of this process, as the system counts it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "formats/problem.hpp"
#include "nibble/cpu.hpp"

namespace nibble::formats {

/// The bytes of "Private_Dirty:" in what /proc/self/smaps_rollup says.
std::optional<std::size_t> private_bytes(const std::string& rollup);

/// By how many bytes this process grows when it packs the weights and multiplies them once by a row
/// of activations. Nothing where the system does not tell. Meant for a fresh process: memory that
/// was given back before would not be asked for again.
std::optional<std::size_t> growth_in(NumberFormat format, Isa isa, ProblemSize size);

}  // namespace nibble::formats
