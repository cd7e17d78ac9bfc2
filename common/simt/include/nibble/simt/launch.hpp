// What the rewriter turns `<<< >>>` and `__shared__` into.
#pragma once

#include <type_traits>
#include <utility>

#include "nibble/simt/types.hpp"

using cudaStream_t = struct CUstream_st*;

namespace nibble::simt {

struct LaunchConfig {
  dim3 grid, block;
  std::size_t shared_bytes;
  cudaStream_t stream;
  bool cooperative = false;  ///< all blocks are there at once, and may wait for each other
  dim3 first{0, 0, 0};  ///< the runner's: blocks before this one, in each direction, do not run
  LaunchConfig(dim3 g, dim3 b, std::size_t bytes = 0, cudaStream_t s = nullptr)
      : grid(g), block(b), shared_bytes(bytes), stream(s) {}
};

/// Runs `thunk(closure)` once for every thread of the grid.
void launch_erased(const LaunchConfig& config, const char* name, void (*thunk)(void*),
                   void* closure);

/// What a launch has to keep until its stream comes to it: the kernel, and a copy of its arguments.
struct KernelCall {
  void (*thunk)(void*);
  void* closure;
  void (*forget)(void*);
};

/// Orders the launch in its stream. Its arguments are forgotten when it has run, or never will.
void launch_queued(const LaunchConfig& config, const char* name, const KernelCall& call,
                   const void* pc);

template <class Kernel, class... Args>
NIBBLE_SIMT_QUIET void launch_from(const void* pc, const LaunchConfig& config, const char* name,
                                   Kernel kernel, Args... args) {
  auto body = [=]() NIBBLE_SIMT_QUIET { kernel(args...); };
  using Body = decltype(body);
  launch_queued(config, name,
                {[](void* p) NIBBLE_SIMT_QUIET { (*static_cast<Body*>(p))(); }, new Body(body),
                 [](void* p) NIBBLE_SIMT_QUIET { delete static_cast<Body*>(p); }},
                pc);
}

template <class Kernel, class... Args>
NIBBLE_SIMT_UNSEEN void launch(const LaunchConfig& config, const char* name, Kernel kernel,
                               Args... args) {
  launch_from(NIBBLE_SIMT_PC, config, name, kernel, args...);
}

/// What the kernel takes, made of what the launch gives, as in any call: of a buffer's class a
/// pointer.
template <class Parameter>
NIBBLE_SIMT_QUIET Parameter as_parameter(Parameter value) {
  return value;
}
template <class... Parameters, class... Args>
NIBBLE_SIMT_UNSEEN void launch(const LaunchConfig& config, const char* name,
                               void (*kernel)(Parameters...), Args&&... args) {
  static_assert(sizeof...(Parameters) == sizeof...(Args),
                "the launch gives another number of arguments than the kernel has parameters");
  launch_from(NIBBLE_SIMT_PC, config, name, kernel,
              as_parameter<std::remove_cvref_t<Parameters>>(std::forward<Args>(args))...);
}

/// Of an array of pointers to the arguments.
template <std::size_t... I, class... Args>
NIBBLE_SIMT_QUIET void launch_from(const void* pc, const LaunchConfig& config, const char* name,
                                   void (*kernel)(Args...), void** args,
                                   std::index_sequence<I...>) {
  launch_from(pc, config, name, kernel, *static_cast<std::remove_cvref_t<Args>*>(args[I])...);
}

/// "scan<int, 4>" of "scan<int, 4>, grid, block, args".
const char* first_argument(const char* arguments);

/// One per __shared__ declaration and template instantiation: int8_t As[16][17] has elements of one
/// byte, rank 2 and extents 16 and 17.
struct SharedDecl {
  const char* name;
  std::size_t size, element;
  unsigned rank, extent[3];
  std::uint64_t launch, block;  ///< serial numbers of those that `offset` was made for
  std::uint32_t offset;
};

template <class T>
constexpr SharedDecl shared_decl(const char* name) {
  return {
      name,
      sizeof(T),
      sizeof(std::remove_all_extents_t<T>),
      unsigned(std::rank_v<T>),
      {unsigned(std::extent_v<T, 0>), unsigned(std::extent_v<T, 1>), unsigned(std::extent_v<T, 2>)},
      0,
      0,
      0};
}

/// Where the variable lies in the current block, made on the first call of each block.
void* shared_slot(SharedDecl* declaration);

/// `extern __shared__`: the dynamic shared memory of the launch,
/// which every such declaration shares.
void* dynamic_shared(const char* name, std::size_t element);
constexpr std::size_t kMaxDynamicShared = std::size_t{227} << 10;

}  // namespace nibble::simt

#define NIBBLE_SIMT_LAUNCHER(...) \
  [=](auto... simt_args) NIBBLE_SIMT_QUIET { __VA_ARGS__(simt_args...); }

// The type comes last: it may hold commas.
#define NIBBLE_SIMT_SHARED_OF_FILE(NAME, DIMS, ...)    \
  using simt_type_##NAME = __VA_ARGS__ DIMS;           \
  static ::nibble::simt::SharedDecl simt_decl_##NAME = \
      ::nibble::simt::shared_decl<simt_type_##NAME>(#NAME)
// NOLINTBEGIN(bugprone-macro-parentheses): NAME is a name that is declared
#define NIBBLE_SIMT_SHARED_HERE(NAME) \
  simt_type_##NAME& NAME =            \
      *static_cast<simt_type_##NAME*>(::nibble::simt::shared_slot(&simt_decl_##NAME))
#define NIBBLE_SIMT_SHARED(NAME, DIMS, ...)            \
  NIBBLE_SIMT_SHARED_OF_FILE(NAME, DIMS, __VA_ARGS__); \
  NIBBLE_SIMT_SHARED_HERE(NAME)
// NOLINTEND(bugprone-macro-parentheses)

#define NIBBLE_SIMT_DYNAMIC_SHARED(NAME, ...)                                                    \
  using simt_type_##NAME = __VA_ARGS__[::nibble::simt::kMaxDynamicShared / sizeof(__VA_ARGS__)]; \
  simt_type_##NAME& NAME =                                                                       \
      *static_cast<simt_type_##NAME*>(::nibble::simt::dynamic_shared(#NAME, sizeof(__VA_ARGS__)))
