// One batch at a time works on a results folder: two would take each other's clean copies away.
#pragma once

#include <filesystem>

namespace nibble::batch {

/// Held until it ends, however it ends. The jobs of a cluster work for one that holds it.
class Turn {
 public:
  /// Throws std::invalid_argument, with whose turn it is, when another batch is at work there.
  explicit Turn(const std::filesystem::path& grades);
  ~Turn();
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int fd_;
};

}  // namespace nibble::batch
