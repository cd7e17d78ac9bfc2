// Writes values into an arena and reads them back: scalars, sequences of scalars, and structs of
// these. Reading trusts nothing: a count that the other side wrote is a value to be checked.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "protocol/arena.hpp"
#include "protocol/fields.hpp"

namespace nibble::protocol {

/// Thrown by Packer: the value does not fit an arena.
struct TooLarge : std::length_error {
  using std::length_error::length_error;
};

/// Thrown by Unpacker: no honest Packer can have written this.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T>
inline constexpr bool is_sequence = false;
template <Scalar T>
inline constexpr bool is_sequence<std::vector<T>> = true;
template <class T>
inline constexpr bool is_sequence<std::span<T>> = Scalar<std::remove_const_t<T>>;
template <>
inline constexpr bool is_sequence<std::string> = true;

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

static_assert(!Scalar<void*>, "a pointer means nothing in another process");

/// Lays values into an arena, in order.
class Packer {
 public:
  explicit Packer(std::byte* arena) : arena_(arena) {}

  template <class T>
  void put(const T& value) {
    if constexpr (Scalar<T>) {
      put_scalar(&value, sizeof value);
    } else if constexpr (is_sequence<T>) {
      const std::size_t bytes = value.size() * sizeof(*value.data());
      std::byte* const at = begin_sequence(value.size(), sizeof(*value.data()));
      if (bytes > 0) std::memcpy(at, value.data(), bytes);
    } else if constexpr (is_array<T>) {
      for (const auto& element : value) put(element);
    } else {
      for_each_field(value, [this](const auto& field) { this->put(field); });
    }
  }

  /// Writes the count, takes the next slot, and returns where `count` elements of `size` bytes
  /// belong: flush with the end of the slot.
  std::byte* begin_sequence(std::uint64_t count, std::size_t size) {
    if (slot_ == kSlots) throw TooLarge("more sequences than an arena has slots");
    if (count > kSlotBytes / size) throw TooLarge("a sequence larger than a slot");
    put_scalar(&count, sizeof count);
    return arena_ + slot_end(slot_++) - count * size;
  }

  std::size_t scalar_bytes() const { return scalar_at_; }
  int slots() const { return slot_; }

 private:
  void put_scalar(const void* value, std::size_t size) {
    if (scalar_at_ + 8 > kScalarBytes) throw TooLarge("more scalars than an arena holds");
    std::memcpy(arena_ + scalar_at_, value, size);
    scalar_at_ += (size + 7) / 8 * 8;
  }

  std::byte* arena_;
  std::size_t scalar_at_ = 0;
  int slot_ = 0;
};

/// Takes values out of an arena, in the order they were written. `scalars` may be a private copy
/// of the arena's first block: then no count can change between its check and its use.
class Unpacker {
 public:
  Unpacker(const std::byte* scalars, std::byte* arena) : scalars_(scalars), arena_(arena) {}

  template <class T>
  T get() {
    if constexpr (std::is_same_v<T, bool>) {
      return get_scalar<std::uint8_t>() != 0;  // any other byte in a bool is undefined behaviour
    } else if constexpr (Scalar<T>) {
      return get_scalar<T>();
    } else if constexpr (is_sequence<T>) {
      using Element = typename T::value_type;
      const std::span<Element> found = get_sequence<Element>();
      if constexpr (std::is_constructible_v<T, std::span<Element>>) {
        return T(found);
      } else {
        return T(found.begin(), found.end());
      }
    } else {
      T value{};
      const auto fill = [this](auto& field) {
        field = this->get<std::remove_reference_t<decltype(field)>>();
      };
      if constexpr (is_array<T>) {
        std::ranges::for_each(value, fill);
      } else {
        for_each_field(value, fill);
      }
      return value;
    }
  }

  /// The elements of the next sequence, where they lie.
  template <class Element>
  std::span<Element> get_sequence() {
    const auto count = get_scalar<std::uint64_t>();
    if (slot_ == kSlots) throw Malformed("more sequences than an arena has slots");
    if (count > kSlotBytes / sizeof(Element)) {
      throw Malformed("a sequence of " + std::to_string(count) + " elements");
    }
    std::byte* const begin = arena_ + slot_end(slot_++) - count * sizeof(Element);
    return {reinterpret_cast<Element*>(begin), static_cast<std::size_t>(count)};
  }

 private:
  template <class T>
  T get_scalar() {
    if (scalar_at_ + 8 > kScalarBytes) throw Malformed("more scalars than an arena holds");
    T value;
    std::memcpy(&value, scalars_ + scalar_at_, sizeof value);
    scalar_at_ += (sizeof value + 7) / 8 * 8;
    return value;
  }

  const std::byte* scalars_;
  std::byte* arena_;
  std::size_t scalar_at_ = 0;
  int slot_ = 0;
};

}  // namespace nibble::protocol
