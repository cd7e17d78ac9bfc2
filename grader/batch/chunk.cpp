#include "batch/chunk.hpp"

#include <algorithm>
#include <stdexcept>

#include "batch/store.hpp"

namespace nibble::batch {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void write_chunk(const fs::path& file, const Chunk& chunk) {
  Json gradings = Json::array();
  for (const auto& [id, lab] : chunk.gradings) gradings.push_back(Json::array({id, lab}));
  keep(file, {{"speed", chunk.with_speed}, {"gradings", gradings}});
}

Chunk read_chunk(const fs::path& file) {
  const auto text = read_json(file);
  try {
    if (!text) throw std::invalid_argument("");
    Chunk chunk{{}, text->at("speed")};
    for (const Json& one : text->at("gradings")) chunk.gradings.push_back({one.at(0), one.at(1)});
    return chunk;
  } catch (const std::exception&) {
    throw std::invalid_argument(file.string() + " is no list of gradings");
  }
}

std::vector<std::vector<Grading>> cut(const std::vector<Grading>& gradings, std::size_t most,
                                      std::size_t pieces) {
  const std::size_t all = gradings.size();
  const std::size_t size = std::max({most, std::size_t{1}, (all + pieces - 1) / pieces});
  std::vector<std::vector<Grading>> cuts;
  for (std::size_t begin = 0; begin < all; begin += size) {
    const std::size_t end = std::min(all, begin + size);
    cuts.emplace_back(gradings.begin() + static_cast<std::ptrdiff_t>(begin),
                      gradings.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return cuts;
}

}  // namespace nibble::batch
