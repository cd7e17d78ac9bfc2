#include "cli/hand_on.hpp"

#include <unistd.h>

#include <filesystem>
#include <utility>

#include "cli/trouble.hpp"
#include "cli/words.hpp"
#include "lab/on_demand.hpp"

namespace nibble::cli {
namespace {

/// The same words again, for the program that carries them out. Comes back where there is none.
void hand_on(const lab::Kit& kit, const std::string& program, char** argv) {
  if (lab::have_built(kit, {program})) execv((kit.build / "bin" / program).c_str(), argv);
}

}  // namespace

int obey_or_hand_on(int argc, char** argv, GpuProgram gpu) {
  const auto to = [argv](const char* program) {
    return [argv, program](Context& context, const auto&) -> int {
      hand_on(context.kit, program, argv);
      throw kit_fault(std::string(program) + " is not built: ./nibble " + argv[1] + " builds it");
    };
  };
  const auto look = to("nibble-look");
  if (!gpu.here.run) gpu.fetch = [argv](const lab::Kit& kit) { hand_on(kit, "nibble-gpu", argv); };
  return obey_words(argc, argv, {look, look, look, look, look, look, to("nibble-python")}, gpu);
}

}  // namespace nibble::cli
