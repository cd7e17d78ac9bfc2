// CUDA's <mma.h> for the SIMT engine.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "nibble/simt.hpp"
#include "nibble/simt/wmma.hpp"
