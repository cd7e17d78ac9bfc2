// What looks closer than a verdict is handed on to nibble-look, what runs on a GPU to nibble-gpu,
// and what Python calls to nibble-python: each is built for it.
#pragma once

#include "cli/gpu_legs.hpp"

namespace nibble::cli {

/// All of the learner's command, which hands on the legs on a GPU unless it has them. Returns its
/// exit code.
int obey_or_hand_on(int argc, char** argv, GpuProgram gpu = {});

}  // namespace nibble::cli
