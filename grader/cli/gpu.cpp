// nibble-gpu: the learner's command with the legs on a GPU, for machines that have one.
#include "cli/hand_on.hpp"

int main(int argc, char** argv) {
  return nibble::cli::obey_or_hand_on(argc, argv, {nibble::gpu::gpu_legs()});
}
