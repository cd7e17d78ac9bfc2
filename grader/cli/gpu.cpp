// nibble-gpu: the learner's command with the legs on a GPU, for machines that have one.
#include "cli/hand_on.hpp"
#include "files/file_lock.hpp"
#include "gpu/gpu_lock.hpp"

int main(int argc, char** argv) {
  using namespace nibble;
  const auto run = [](const lab::Kit& kit, const gpu::GpuJob& job, run::Trial trial) {
    return gpu::run_gpu_leg(kit, job, std::move(trial));
  };
  const auto look_closer = [](const lab::Kit& kit, run::Trial trial,
                              const std::filesystem::path& work) {
    const files::FileLock device(gpu::gpu_lock());
    return gpu::run_sanitizer_leg(kit, std::move(trial), gpu::find_compute_sanitizer(kit.nvcc),
                                  work);
  };
  return cli::obey_or_hand_on(argc, argv, {run, look_closer, gpu::add_hidden_gpu_checks});
}
