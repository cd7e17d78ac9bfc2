// What looks closer than a verdict is handed on to nibble-look, which is built for it.
#pragma once

namespace nibble::cli {

/// All of the learner's command. Returns its exit code.
int obey_or_hand_on(int argc, char** argv);

}  // namespace nibble::cli
