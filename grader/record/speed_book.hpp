// What a copy of the kit knows of the published solution's speed, when it does not hold it.
#pragma once

#include <string>
#include <vector>

namespace nibble::record {

struct SpeedBook {
  std::string lab, cpu;
  std::vector<std::string> isa;
  struct Page {
    std::string exercise, id;
    double share = 0.0;  ///< of the ceiling of the machine that it was measured on
  };
  std::vector<Page> pages;
};

}  // namespace nibble::record
