// What the published solution's kernels ask of the memory, written down once: for copies of the kit
// that do not hold the solution. Counts are the same on every day, so numbers stand for the thing.
#pragma once

#include <string>

#include "judge/kernel_counts.hpp"

namespace nibble::judge {

/// From now on published_counts_from_book() answers from that file. Throws KitError for a bad one.
void read_count_book(const std::string& file);
bool has_count_book();

/// From now on note_published_counts() writes down.
void begin_count_book();

/// Every case of a check counts its calls from the first.
void begin_counted_case(const std::string& name);

/// The counts of the next counted call of the running case. Throws NotInThisLeg when the book has
/// none.
KernelCounts published_counts_from_book();

/// The same call, where the published solution has just been counted.
void note_published_counts(const KernelCounts& counts);

/// {"matmul_tiled.MovesNoMore": {"64x64x64": [{…}]}}
std::string count_book_text();

}  // namespace nibble::judge
