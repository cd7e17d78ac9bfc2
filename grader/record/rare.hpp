// What hardly any record has, and is large: an optional that keeps its value elsewhere. A class is
// 400,000 checks, and a check would be 1,112 bytes long with room for what it does not have.
#pragma once

#include <memory>
#include <utility>

namespace nibble::record {

/// Used like std::optional, and copied and compared by value like it.
template <class T>
class Rare {
 public:
  Rare() = default;
  Rare(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Rare(const Rare& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(Rare other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~Rare() = default;

  explicit operator bool() const { return has_value(); }
  bool has_value() const { return value_ != nullptr; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

  T value_or(T other) const { return has_value() ? *value_ : std::move(other); }
  T& emplace() { return *(value_ = std::make_unique<T>()); }
  void reset() { value_.reset(); }

  bool operator==(const Rare& other) const {
    return value_ == nullptr || other.value_ == nullptr ? value_ == other.value_
                                                        : *value_ == *other.value_;
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace nibble::record
