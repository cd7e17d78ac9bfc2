// A piece of a batch for a worker on another machine: some minutes of gradings in one file.
#pragma once

#include <filesystem>
#include <vector>

#include "batch/plan.hpp"

namespace nibble::batch {

struct Chunk {
  std::vector<Grading> gradings;
  bool with_speed = false;
};

void write_chunk(const std::filesystem::path& file, const Chunk& chunk);

/// Throws std::invalid_argument when the file is no chunk.
Chunk read_chunk(const std::filesystem::path& file);

/// Cut so that a piece holds at most `most` gradings and there are at most `pieces` of them,
/// which wins.
std::vector<std::vector<Grading>> cut(const std::vector<Grading>& gradings, std::size_t most,
                                      std::size_t pieces);

}  // namespace nibble::batch
