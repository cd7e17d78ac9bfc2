// What a contract's call does in the process that runs kernels: gives every span device memory,
// launches by the learner's descriptor, copies the outputs back. Included before the contract.
//
//     arena of the judge        device memory of the engine, or of a GPU
//     x  [inputs, read-only] --> x  | fence
//     q  [outputs, poison]   --> q  | fence      the kernel runs
//     q                      <-- q
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "nibble/launch.hpp"

namespace nibble::device {

/// What comes before the work of a call that the judge has moved far behind its beginning
/// (protocol::Far). On a GPU nothing does: there the same outputs are made as the first ones.
///
///     grid of 65283 rows of blocks      a kernel is given pointers to where a and c would begin,
///     +---+                             and m = 65283; the engine runs what has memory
///     |   |  before: no memory
///     |...|
///     +---+
///     |///|  the rows of a and c that the judge has sent
///     +---+
class Shift {
 public:
  Shift(const Launch* launch, const Work& work);

  /// Rows and columns of outputs.
  const Work& before() const { return before_; }
  /// Elements of a span, or what is added to a number.
  std::int64_t of(std::size_t argument) const;

 private:
  Work before_{0, 0};
};

/// Memory of the device for one span of a call. Freed, and checked, at the end of the call.
class Buffer {
 public:
  /// `name`: the contract's name of the parameter. An input is copied in; an output keeps what the
  /// judge left in it until the kernel writes. `before`: bytes that would come before these.
  Buffer(std::string_view name, const void* host, std::size_t bytes, bool is_output,
         std::int64_t before);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  /// An output that holds what `host` does: the kernel may read it before it writes.
  void begin(const void* host);
  /// Where it would begin if all that comes before were there.
  void* address() const {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): no array holds both ends of this difference
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(device_) -
                                   static_cast<std::uintptr_t>(before_));
  }
  void copy_back(void* host) const;

 private:
  void* device_ = nullptr;
  std::size_t bytes_;
  std::int64_t before_;
};

/// A kernel of the learner's file: its name, how it is called, and what it asks for.
struct Kernel {
  const char* name;
  const Launch* launch;         ///< null where the descriptor is read elsewhere (a GPU)
  void (*call)(void* closure);  ///< runs one thread; null on a GPU
  void* closure;
  void** arguments;  ///< addresses of the arguments, as a GPU's driver wants them
};

/// Launches over `work`, and what comes before it, and waits; the engine runs the blocks of `work`.
/// Throws std::runtime_error with a sentence when the launch is refused.
void launch(const Kernel& kernel, const Work& work, const Work& before);

namespace detail {

template <class Argument>
inline constexpr bool is_span = false;
template <class T>
inline constexpr bool is_span<std::span<T>> = true;

/// An argument, what the contract calls it, and by how much it is moved (Shift).
template <class Argument>
struct NamedArgument {
  std::string_view name;
  const Argument& value;
  std::int64_t moved;
};

/// One argument of a call: device memory for a span, the value itself for all else.
template <class Argument>
class Passed {
 public:
  Passed(const NamedArgument<Argument>& argument)
      : value_(argument.value), moved_(argument.moved) {}
  template <class Parameter>
  Parameter as() const {
    if constexpr (!std::is_integral_v<Parameter>) return static_cast<Parameter>(value_);
    return static_cast<Parameter>(static_cast<std::int64_t>(value_) + moved_);
  }
  void copy_back() {}

 private:
  Argument value_;
  std::int64_t moved_;
};

template <class Element>
class Passed<std::span<Element>> {
  static constexpr bool kIsOutput = !std::is_const_v<Element>;

 public:
  Passed(const NamedArgument<std::span<Element>>& argument)
      : host_(argument.value),
        buffer_(argument.name, host_.data(), host_.size_bytes(), kIsOutput,
                argument.moved * static_cast<std::int64_t>(sizeof(Element))) {}
  template <class Parameter>
  Parameter as() const {
    static_assert(std::is_pointer_v<Parameter>, "a span is passed as a pointer");
    return static_cast<Parameter>(buffer_.address());
  }
  void copy_back() {
    if constexpr (kIsOutput) buffer_.copy_back(host_.data());
  }

 protected:
  std::span<Element> host_;
  Buffer buffer_;
};

template <class Element>
class Passed<Begun<Element>> : public Passed<std::span<Element>> {
 public:
  Passed(const NamedArgument<Begun<Element>>& argument)
      : Passed<std::span<Element>>({argument.name, argument.value.values, argument.moved}) {
    this->buffer_.begin(argument.value.values.data());
  }
};

/// "x, begun(q), scale" -> {"x", "q", "scale"}; commas inside brackets separate nothing.
template <std::size_t Count>
std::array<std::string_view, Count> argument_names(std::string_view list) {
  std::array<std::string_view, Count> names{};
  for (std::string_view& name : names) {
    std::size_t end = 0;
    for (int depth = 0; end < list.size() && (depth > 0 || list[end] != ','); ++end) {
      depth += list[end] == '(' || list[end] == '{';
      depth -= list[end] == ')' || list[end] == '}';
    }
    name = list.substr(0, end);
    while (name.starts_with(' ')) name.remove_prefix(1);
    list.remove_prefix(end < list.size() ? end + 1 : end);
    constexpr std::string_view kBegun = "begun(";
    if (name.starts_with(kBegun))
      name = name.substr(kBegun.size(), name.size() - kBegun.size() - 1);
  }
  return names;
}

/// One thread of a launch: the kernel with its arguments.
template <class... Parameters>
struct BoundKernel {
  void (*function)(Parameters...);
  std::tuple<Parameters...> values;

  static void call(void* closure) {
    const auto& thread = *static_cast<BoundKernel*>(closure);
    std::apply(thread.function, thread.values);
  }
};

}  // namespace detail

/// Runs `function(arguments...)` once for every thread that `work` asks for.
template <class... Parameters, class... Arguments>
void run(const char* name, void (*function)(Parameters...), const Launch* descriptor,
         const Work& work, std::string_view list, const Arguments&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "pass every argument of the kernel");
  if (work.m == 0 || work.n == 0) return;
  const auto names = detail::argument_names<sizeof...(Arguments)>(list);
  const Shift shift(descriptor, work);
  std::size_t next = 0;
  std::tuple<detail::Passed<Arguments>...> passed{
      detail::NamedArgument<Arguments>{names[next], arguments, shift.of(next++)}...};
  std::apply(
      [&](auto&... each) {
        detail::BoundKernel<Parameters...> thread{function, {each.template as<Parameters>()...}};
        auto addresses = std::apply(
            [](auto&... value) { return std::array<void*, sizeof...(value)>{&value...}; },
            thread.values);
        launch({name, descriptor, &detail::BoundKernel<Parameters...>::call, &thread,
                addresses.data()},
               work, shift.before());
        (each.copy_back(), ...);
      },
      passed);
}

}  // namespace nibble::device

#define NIBBLE_RUN(kernel, work, ...)                                                    \
  ::nibble::device::run(#kernel, NIBBLE_CODE_OF(kernel), NIBBLE_LAUNCH_OF(kernel), work, \
                        #__VA_ARGS__, __VA_ARGS__)

#if defined(NIBBLE_ON_GPU)  // the code and its descriptor are in a file that the driver loads
#define NIBBLE_CODE_OF(kernel) static_cast<decltype(&(kernel))>(nullptr)
#define NIBBLE_LAUNCH_OF(kernel) nullptr
#else
#define NIBBLE_CODE_OF(kernel) &kernel
// Weak, so that a file without a descriptor is told so in a sentence, not by the linker.
#define NIBBLE_LAUNCH_OF(kernel)                                                              \
  []() -> const ::nibble::Launch* {                                                           \
    extern const ::nibble::Launch nibble_descriptor_of_##kernel asm("nibble_launch_" #kernel) \
        __attribute__((weak));                                                                \
    return &nibble_descriptor_of_##kernel;                                                    \
  }()
#endif
