// Grades on a cluster: an array of jobs, each of which takes a chunk, all writing into one shared
// folder. Whether a job lived is no evidence of anything: what has no result is handed out again.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "batch/local.hpp"

namespace nibble::batch {

struct Slurm {
  std::filesystem::path program;     ///< nibble-teach, at the same place on every machine
  std::string level;                 ///< of the sandbox, demanded on every machine
  std::string salt;                  ///< goes by the jobs' environment; no submission sees that
  std::size_t chunk = 50;            ///< gradings a job: a job should take a minute or more
  std::vector<std::string> options;  ///< for sbatch, as "--partition=short"
  std::chrono::seconds patience{
      600};  ///< without a result, while no controller answers or no node is up
  std::function<bool()> cancelled{};
};

/// Why there is no cluster here; empty: there is one.
std::string why_no_slurm();

/// Hands out `gradings` until all have a result or a fault, or until a whole round of jobs
/// with one each brought nothing: who ends his job costs nobody else a result.
/// Throws std::runtime_error with what sbatch said when it takes no job.
Done grade_on_slurm(const Batch& batch, const std::vector<Grading>& gradings, bool with_speed,
                    const Slurm& slurm);

}  // namespace nibble::batch
