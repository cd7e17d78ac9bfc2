// One session of the engine for a test: device memory from vectors, launches, and a report that
// knows the lines of the kernels' files.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "nibble/simt/session.hpp"
#ifdef NIBBLE_ON_GPU
#include "gpu/launch_kernel.hpp"
#endif
// Last: its macros are CUDA's words.
#include "nibble/simt/launch.hpp"

namespace nibble::simt::tests {

/// The line of kernels/<file> that ends in "// <mark>".
int marked_line(const std::string& file, const std::string& mark);
/// The line of the kernels' file at a place, 0 when it is elsewhere.
int line_of(const Place& place);

class Device {
 public:
  explicit Device(const SessionOptions& options = {}) { start(options); }

  template <class T>
  T* give(const std::vector<T>& values, const char* name) {
    void* const memory = allocate(values.size() * sizeof(T), name);
    copy_to_device(memory, values.data(), values.size() * sizeof(T));
    return static_cast<T*>(memory);
  }
  template <class T>
  T* room(std::size_t count, const char* name) {
    return static_cast<T*>(allocate(count * sizeof(T), name));
  }
  template <class T>
  std::vector<std::remove_const_t<T>> take(T* memory, std::size_t count) {
    std::vector<std::remove_const_t<T>> values(count);
    copy_to_host(values.data(), memory, count * sizeof(T));
    return values;
  }
  template <class... Parameters, class... Arguments>
  void launch_over(dim3 blocks, dim3 threads, void (*kernel)(Parameters...),
                   Arguments... arguments) {
#ifdef NIBBLE_ON_GPU
    std::tuple<Parameters...> values{static_cast<Parameters>(arguments)...};
    std::apply(
        [&](auto&... each) {
          void* addresses[] = {static_cast<void*>(&each)...};
          launch_kernel(reinterpret_cast<const void*>(kernel), {blocks.x, blocks.y, blocks.z},
                        {threads.x, threads.y, threads.z}, addresses);
        },
        values);
#else
    auto body = [=]() NIBBLE_SIMT_QUIET { kernel(Parameters(arguments)...); };
    launch_erased(
        {blocks, threads}, "kernel",
        [](void* p) NIBBLE_SIMT_QUIET { (*static_cast<decltype(body)*>(p))(); }, &body);
#endif
  }
  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), dim3 threads, Arguments... arguments) {
    launch_over(dim3(1), threads, kernel, arguments...);
  }
  const Report& end() { return finish(); }
};

/// Runs `body` under every order of threads that there is, with counters.
void under_every_schedule(const std::function<void(const SessionOptions&)>& body);

/// The finding of that kind at the marked line; null, with a failure,
/// when there is none or another.
const EngineFinding* only_finding(const Report& report, Kind kind, const std::string& file,
                                  const std::string& mark);
/// Whether there is such a finding, among others.
bool has(const Report& report, Kind kind, const std::string& file, const std::string& mark);
::testing::AssertionResult is_clean(const Report& report);
/// Of what the engine counts; a GPU counts nothing.
void expect_total(std::uint64_t total, std::uint64_t wanted);

/// What the marked line asked memory for.
struct Asked {
  std::uint64_t requests, lanes, sectors, wavefronts;
  bool operator==(const Asked&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Asked& asked);
Asked asked_at(const Report& report, const std::string& file, const std::string& mark, Space space,
               Use use, unsigned bytes);

/// Numbers in [-128, 127], the same ones on every machine.
std::vector<int> some_numbers(std::size_t count, std::uint32_t seed);

}  // namespace nibble::simt::tests
