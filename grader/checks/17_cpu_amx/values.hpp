// Lab 17: what more than one of its exercises needs.
#pragma once

#include "cpu_amx.hpp"

#include "judge/code_rows.hpp"
#include "judge/kernel_exercise.hpp"

namespace nibble::judge::lab_17_cpu_amx {

using Sizes = std::vector<std::int32_t>;

}  // namespace nibble::judge::lab_17_cpu_amx
