// Whether two exercises are one: told by their names as template arguments. g++ 11 does not compare
// the addresses of functions while it compiles.
#pragma once

#include <type_traits>

namespace nibble::judge {

template <auto>
struct Named {};

template <auto F, auto G>
inline constexpr bool same_function = std::is_same_v<Named<F>, Named<G>>;

}  // namespace nibble::judge
