// The loop in which a function spends its time, found in its disassembly.
//
// A jump backwards closes a loop; a loop that holds no other is an innermost one. Of all innermost
// loops, in the function and in everything that it calls, the hot one multiplies most, in
// the widest registers: of kernels for several sets of instructions, the one that runs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/disassembly.hpp"
#include "report/instruction_kind.hpp"

namespace nibble::report {

/// What the instructions of one round of a loop add up to.
struct LoopCounts {
  int instructions = 0;
  int vectors = 0;                       ///< of them, on vector registers
  int loads = 0, stores = 0, stack = 0;  ///< memory; stack accesses are in no other count
  int calls = 0;
  int scalar_multiplications = 0;
  int vector_multiplications = 0;  ///< instructions
  int products = 0;                ///< of them; of tiles: at most
  std::string widest{};  ///< registers that are multiplied: "tmm", "zmm", "ymm", "xmm", "v"
  std::map<std::string, int> multipliers{};  ///< "vpdpbusd (zmm)" -> how many
};

struct Loop {
  const Function* function = nullptr;
  std::size_t first = 0, last = 0;  ///< into function->code, both included
  LoopCounts counts{};
};

/// The functions that an exercise consists of, and what was found in them.
struct HotLoop {
  std::vector<const Function*> functions;  ///< the exercise first, then what it calls
  std::vector<Loop> loops;                 ///< innermost ones, the hottest first
  bool through_pointer = false;            ///< it calls something that cannot be followed
  bool not_written = false;                ///< it is the starter's
};

/// The functions whose short name is `name`, without its template's arguments.
std::vector<const Function*> functions_called(const Disassembly& listing, std::string_view name);

/// `zmm_runs`: what is written for 512 bits is what runs here, and comes before narrower kernels.
HotLoop find_hot_loop(const Disassembly& listing, const std::vector<const Function*>& roots,
                      bool zmm_runs = true);

/// True where rbp holds the frame of `function`, and is no register like any other.
bool has_frame_pointer(const Function& function);

/// "12 vpdpbusd (zmm), 3 loads, 0 stack accesses, 20 instructions: 768 multiplications a round"
std::string counts_text(const LoopCounts& counts);

/// What a learner may want to know that the counts only imply; empty: nothing.
std::string remark(const LoopCounts& counts);

}  // namespace nibble::report
