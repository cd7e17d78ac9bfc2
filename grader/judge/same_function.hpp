// Whether two exercises are one: told by their names as template arguments. g++ 11 does not compare
// the addresses of functions while it compiles.
#pragma once

#include <type_traits>

namespace nibble::judge {

template <auto F, auto G>
inline constexpr bool same_function =
    std::is_same_v<std::integral_constant<decltype(F), F>, std::integral_constant<decltype(G), G>>;

}  // namespace nibble::judge
