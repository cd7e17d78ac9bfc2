// What this machine can do at most, measured while the submission is: no kernel does more integer
// operations than the best instruction alone, none reads faster than a loop that only reads.
#pragma once

#include <cstddef>
#include <string>

#include "nibble/cpu.hpp"

namespace nibble::judge {

/// 10^9 int8 operations (a multiplication and an addition are two) a second of one core, by
/// the best instruction of `isa` in a loop without memory. 0 where the CPU has not got it. Takes
/// about a millisecond; the best of all calls so far is returned,
/// since a neighbour can only slow it down.
double peak_gops(Isa isa);

/// The same of the best set of instructions that is here.
double peak_gops();

/// The same of float32, by AVX2's multiplication and addition in one. 0 where the CPU has not got
/// it.
double fma_gops();

/// 10^9 bytes a second that one core reads from a buffer of `bytes`, which it has just read. The
/// best of all calls for this size so far.
double read_gbytes(std::size_t bytes);

/// {"peaks": {"avx2": 210.5, …}, "read_gbytes": {"16384": 198.1, …}, "assumed": []}: what one core
/// can do at most; `assumed` names peaks that are bounds and were not measured. The best of a few
/// looks, for a neighbour only slows them down.
std::string ceilings_text();

}  // namespace nibble::judge
