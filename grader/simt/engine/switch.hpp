// From one stack to another.
#pragma once

#include <cstddef>

namespace nibble::simt {

/// Stores where this stack stands in *save and goes on where `load` stands.
extern "C" void nibble_simt_switch(void** save, void* load);

/// A stack [bottom, bottom + bytes) that will call `entry` when it is switched to.
void* fresh_stack(void* bottom, std::size_t bytes, void (*entry)());

}  // namespace nibble::simt
