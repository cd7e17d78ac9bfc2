// The name that nvcc knows; everything comes from one place.
#pragma once

#include "nibble/simt.hpp"
