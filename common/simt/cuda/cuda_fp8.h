// CUDA's header of this name, for the engine.
#pragma once
#include "nibble/simt/fp8.hpp"
