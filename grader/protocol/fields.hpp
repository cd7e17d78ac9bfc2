// Visits the members of a small struct in order, without the struct having to list them.
#pragma once

#include <cstddef>
#include <type_traits>

namespace nibble::protocol {

struct AnyMember {
  template <class T>
  operator T() const;  // declared only: asks "could a member be initialised here?"
};

/// The number of members of aggregate T.
template <class T, class... Fields>
constexpr std::size_t field_count() {
  if constexpr (requires { T{Fields{}..., AnyMember{}}; }) {
    return field_count<T, Fields..., AnyMember>();
  } else {
    return sizeof...(Fields);
  }
}

/// use(members...), in order, and what it returns. At most ten members.
template <class T, class Use>
constexpr auto with_fields(T& value, const Use& use) {
  constexpr std::size_t count = field_count<std::remove_const_t<T>>();
  static_assert(1 <= count && count <= 10, "a struct that crosses has one to ten members");
  // clang-format off
  if constexpr (count == 1) { auto& [a] = value; return use(a); }
  else if constexpr (count == 2) { auto& [a, b] = value; return use(a, b); }
  else if constexpr (count == 3) { auto& [a, b, c] = value; return use(a, b, c); }
  else if constexpr (count == 4) { auto& [a, b, c, d] = value; return use(a, b, c, d); }
  else if constexpr (count == 5) { auto& [a, b, c, d, e] = value; return use(a, b, c, d, e); }
  else if constexpr (count == 6) { auto& [a, b, c, d, e, f] = value; return use(a, b, c, d, e, f); }
  else if constexpr (count == 7) { auto& [a, b, c, d, e, f, g] = value; return use(a, b, c, d, e, f, g); }
  else if constexpr (count == 8) { auto& [a, b, c, d, e, f, g, h] = value; return use(a, b, c, d, e, f, g, h); }
  else if constexpr (count == 9) { auto& [a, b, c, d, e, f, g, h, i] = value; return use(a, b, c, d, e, f, g, h, i); }
  else { auto& [a, b, c, d, e, f, g, h, i, j] = value; return use(a, b, c, d, e, f, g, h, i, j); }
  // clang-format on
}

/// Calls visit(member) for every member of `value`, in order.
template <class T, class Visit>
constexpr void for_each_field(T& value, Visit visit) {
  with_fields(value, [&](auto&... fields) { (visit(fields), ...); });
}

}  // namespace nibble::protocol
