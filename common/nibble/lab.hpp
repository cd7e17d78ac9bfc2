// What every contract includes first: the standard headers a lab may count on, and the kit's few
// own words. One header, so that it is compiled once, ahead of time, for all labs (a save costs
// half as much that way).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "nibble/check.hpp"
#include "nibble/exercises.hpp"
#include "nibble/int_range.hpp"
