#include "report/units.hpp"

#include <algorithm>

#include "nibble/amx.hpp"

namespace nibble::report {
namespace {

bool has(const VectorUnits& units, Isa isa) { return std::ranges::count(units.here, isa) > 0; }

/// "a, b"
void add(std::string& list, std::string_view word, const char* between) {
  if (!list.empty()) list += between;
  list += word;
}

std::string missing(const VectorUnits& units) {
  std::string list;
  for (const Isa isa : kEveryIsa) {
    if (isa == Isa::kScalar || has(units, isa) || (isa == Isa::kNeonDot) != units.arm) continue;
    add(list, "no " + std::string(name_of(isa)), ", ");
  }
  return list;
}

std::string about_tiles(const VectorUnits& units) {
  if (has(units, Isa::kAmxInt8) && units.tiles_permitted) return "permission granted";
  return has(units, Isa::kAmxInt8) ? "permission refused: lab 17 runs on the model of its tiles"
                                   : "lab 17 runs on the model of its tiles";
}

}  // namespace

std::string VectorUnits::best() const {
  if (here.empty()) return "";
  const bool tiles = here.back() == Isa::kAmxInt8;
  if (tiles && !tiles_permitted && here.size() > 1)
    return std::string(name_of(here[here.size() - 2]));
  return std::string(name_of(here.back()));
}

VectorUnits this_machines_units() {
  VectorUnits units;
#if defined(__aarch64__)
  units.arm = true;
#endif
  for (const Isa isa : kEveryIsa) {
    if (isa != Isa::kScalar && cpu_has(isa)) units.here.push_back(isa);
  }
  units.tiles_permitted = HardwareTiles::usable();
  return units;
}

std::string units_text(const VectorUnits& units) {
  std::string text;
  for (const Isa isa : units.here) {
    add(text, name_of(isa), " ");
    if (isa == Isa::kAmxInt8) text += " (" + about_tiles(units) + ")";
  }
  if (text.empty()) text = "no vector unit that the labs know";
  if (const std::string none = missing(units); !none.empty()) text += " · " + none;
  if (!has(units, Isa::kAmxInt8))
    text += (missing(units).empty() ? " · " : ": ") + about_tiles(units);
  return text;
}

}  // namespace nibble::report
