// CUDA's header of this name, for the engine.
#pragma once
#include "nibble/simt/bfloat16.hpp"
