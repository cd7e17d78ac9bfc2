#include "cli/hand_on.hpp"

#include <unistd.h>

#include <filesystem>

#include "build/on_demand.hpp"
#include "cli/trouble.hpp"
#include "cli/words.hpp"

namespace nibble::cli {

int obey_or_hand_on(int argc, char** argv) {
  // The same words again, for the program that carries them out.
  const auto hand_on = [argv](Context& context, const auto&) -> int {
    const std::string program = context.kit.build / "bin" / "nibble-look";
    if (build::have_built(context.kit, "nibble-look")) execv(program.c_str(), argv);
    throw kit_fault(std::string(argv[1]) + " is not built (" + program + "): ./nibble " + argv[1] +
                    " builds it");
  };
  return obey_words(argc, argv, {hand_on, hand_on, hand_on, hand_on, hand_on});
}

}  // namespace nibble::cli
