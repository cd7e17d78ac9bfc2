// What one core can do at most, as JSON.
#include <array>
#include <nlohmann/json.hpp>

#include "judge/ceiling.hpp"
#include "text/json_text.hpp"

namespace nibble::judge {

std::string ceilings_text() {
  using Json = nlohmann::ordered_json;
  constexpr int kLooks = 5;
  constexpr std::array<std::size_t, 4> kSizes = {std::size_t{16} << 10, std::size_t{512} << 10,
                                                 std::size_t{8} << 20, std::size_t{64} << 20};
  Json peaks = Json::object(), reads = Json::object(), assumed = Json::array();
  for (int look = 0; look < kLooks; ++look) {
    for (const Isa isa : kEveryIsa) {
      if (isa != Isa::kScalar && cpu_has(isa)) peaks[std::string(name_of(isa))] = peak_gops(isa);
    }
    for (const std::size_t size : kSizes) reads[std::to_string(size)] = read_gbytes(size);
  }
  if (peaks.empty()) {
    peaks["scalar"] = peak_gops(Isa::kScalar);
    assumed.push_back("scalar");
  }
  if (cpu_has(Isa::kAmxInt8)) assumed.push_back(name_of(Isa::kAmxInt8));
  return text::json_text({{"peaks", peaks}, {"read_gbytes", reads}, {"assumed", assumed}}, 1);
}

}  // namespace nibble::judge
