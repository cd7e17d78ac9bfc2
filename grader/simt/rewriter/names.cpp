// The lists of names, and the reason that is given for each one that is refused.
#include "simt/rewriter/names.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace nibble::simt {
namespace {

using Words = std::span<const std::string_view>;

bool is_any(std::string_view name, Words words) {
  return std::ranges::find(words, name) != words.end();
}

bool starts_with_any(std::string_view name, Words prefixes) {
  return std::ranges::any_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); });
}

// clang-format off
constexpr auto kCudaNames = std::to_array<std::string_view>({
    "__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__",
    "__restrict__", "__restrict", "__forceinline__", "__noinline__", "__inline__", "__launch_bounds__",
    "__grid_constant__", "__align__", "__builtin_align__",
    "__builtin_assume_aligned", "__builtin_assume", "__assume", "__builtin_expect", "__builtin_unreachable",
    "__builtin_bit_cast", "__builtin_popcount", "__builtin_popcountll", "__builtin_clz", "__builtin_clzll",
    "__builtin_ctz", "__builtin_ctzll", "__builtin_ffs", "__builtin_ffsll", "__isShared", "__isGlobal",
    "__barrier_sync", "__barrier_sync_count", "__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or", "__syncwarp",
    "__threadfence", "__threadfence_block", "__threadfence_system",
    "__ballot_sync", "__any_sync", "__all_sync", "__activemask",
    "__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv", "__stwb", "__stcg", "__stcs", "__stwt",
    "__popc", "__popcll", "__ffs", "__ffsll", "__clz", "__clzll", "__brev", "__brevll", "__byte_perm",
    "__sad", "__usad", "__rhadd", "__uhadd", "__urhadd",
    "__mul24", "__umul24", "__mulhi", "__umulhi", "__mul64hi", "__umul64hi",
    "__int_as_float", "__float_as_int", "__uint_as_float", "__float_as_uint",
    "__double_as_longlong", "__longlong_as_double", "__ushort_as_half", "__short_as_half",
    "__ushort_as_bfloat16", "__short_as_bfloat16", "__hiloint2double",
    "__expf", "__exp10f", "__logf", "__log2f", "__log10f", "__powf", "__sinf", "__cosf", "__tanf",
    "__sincosf", "__fdividef", "__saturatef", "__fma_rn", "__fma_rz", "__fma_ru", "__fma_rd",
    "__trap", "__nanosleep",
    "__NV_SATFINITE", "__NV_NOSAT", "__NV_E4M3", "__NV_E5M2", "__x",
    "__CUDA_ARCH__", "__CUDACC__", "__CUDACC_VER_MAJOR__", "__CUDACC_VER_MINOR__", "__FILE__", "__LINE__", "__func__", "__cplusplus", "__VA_ARGS__",
    "__VA_OPT__", "__lowhigh2highlow",
    "__smem"});  // as NVIDIA's samples call shared memory in a template

constexpr auto kCudaPrefixes = std::to_array<std::string_view>({
    "__vimax", "__vimin", "__viaddmax_", "__viaddmin_", "__shfl_", "__pipeline_", "__reduce_", "__match_", "__dp4a", "__dp2a_", "__funnelshift_",
    "__float2", "__floats2", "__float22", "__double2", "__int2", "__uint2", "__short2", "__ushort2",
    "__ll2", "__ull2", "__cvta_", "__half", "__low2", "__lows2", "__high2", "__highs2", "__bfloat16",
    "__nv_bfloat16", "__nv_fp8", "__nv_fp8x", "__nv_cvt_", "__nv_saturation",
    "__h2div", "__habs", "__hadd", "__hdiv", "__heq", "__hfma", "__hge", "__hgt", "__his", "__hle", "__hlt",
    "__hmax", "__hmin", "__hmul", "__hne", "__hsub", "__halves2", "__hcmadd",
    "__fadd_", "__fsub_", "__fmul_", "__fmaf_", "__fdiv_", "__frcp_", "__fsqrt_", "__frsqrt_",
    "__dadd_", "__dmul_", "__ddiv_", "__dsqrt_"});

constexpr auto kStandardHeaders = std::to_array<std::string_view>({
    "algorithm", "array", "bit", "cassert", "cfloat", "climits", "cmath", "compare", "concepts",
    "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "functional", "initializer_list", "iterator",
    "limits", "new", "numbers", "numeric", "optional", "ranges", "ratio", "span", "string_view",
    "tuple", "type_traits", "utility", "variant", "version", "cinttypes", "iso646.h", "ciso646",
    "assert.h", "float.h", "inttypes.h", "limits.h", "math.h", "stdbool.h", "stddef.h", "stdint.h",
    "stdio.h", "stdlib.h", "string.h",
    "cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h", "driver_types.h",
    "device_types.h", "builtin_types.h", "host_defines.h", "device_atomic_functions.h",
    "vector_types.h", "vector_functions.h", "device_functions.h", "math_functions.h",
    "math_constants.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "mma.h", "cuda_pipeline.h",
    "cuda_pipeline_primitives.h", "cooperative_groups.h", "cooperative_groups/reduce.h",
    "cooperative_groups/memcpy_async.h", "cooperative_groups/scan.h", "cuda/atomic", "cuda/barrier",
    "cuda/pipeline", "cuda/std/array", "cuda/std/bit", "cuda/std/cmath", "cuda/std/cstddef",
    "cuda/std/cstdint", "cuda/std/limits", "cuda/std/span", "cuda/std/tuple", "cuda/std/type_traits",
    "cuda/std/utility"});

constexpr auto kStandardAttributes = std::to_array<std::string_view>({
    "maybe_unused", "nodiscard", "fallthrough", "likely", "unlikely", "noreturn", "deprecated",
    "no_unique_address", "carries_dependency"});

constexpr auto kCompilersAttributes = std::to_array<std::string_view>({
    "aligned", "__aligned__", "noinline", "__noinline__", "always_inline", "__always_inline__",
    "unused", "__unused__"});

constexpr auto kCheckerPrefixes = std::to_array<std::string_view>({"__tsan", "__ubsan", "__asan",
                                                              "__sanitizer"});
constexpr auto kPtx = std::to_array<std::string_view>({"asm", "__asm__", "__asm"});
constexpr auto kCompilers = std::to_array<std::string_view>({"gnu", "clang", "_Clang", "__gnu__"});
constexpr auto kExceptions = std::to_array<std::string_view>({"throw", "try", "catch", "typeid",
                                                         "dynamic_cast"});
constexpr auto kHeap = std::to_array<std::string_view>({"new", "malloc", "calloc", "realloc", "free",
                                                   "alloca", "aligned_alloc"});
constexpr auto kHostWords = std::to_array<std::string_view>({"thread_local", "co_await", "co_yield",
                                                        "co_return", "atexit"});
// clang-format on

/// __vadd4, __vcmpgtu2 and the rest of CUDA's instructions on two or four parts of a word.
bool is_simd_intrinsic(std::string_view name) {
  return name.starts_with("__v") && (name.ends_with('2') || name.ends_with('4'));
}

bool belongs_to_compiler(std::string_view name) {
  return name.starts_with("__") ||
         (name.size() > 1 && name[0] == '_' && 'A' <= name[1] && name[1] <= 'Z');
}

bool is_cuda_name(std::string_view name) {
  return is_any(name, kCudaNames) || starts_with_any(name, kCudaPrefixes) ||
         is_simd_intrinsic(name);
}

bool is_engine_name(std::string_view name) {
  return name == "simt" || name.starts_with("simt_") ||
         name.find("nibble_simt") != std::string_view::npos ||
         starts_with_any(name, kCheckerPrefixes);
}

/// The kit's macros that kernels need. Others can hold a pragma or an exception.
bool is_refused_kit_macro(std::string_view name) {
  return name.starts_with("NIBBLE_") && name != "NIBBLE_LAUNCH" && name != "NIBBLE_KERNEL";
}

bool is_host_api(std::string_view name) {
  return name.size() > 4 && name.starts_with("cuda") && 'A' <= name[4] && name[4] <= 'Z';
}

std::string quoted(std::string_view name) {
  std::string text(1, '`');
  return text.append(name).append(1, '`');
}

std::string why_compilers_name_refused(std::string_view name) {
  if (name.starts_with("__builtin_")) {
    return quoted(name) +
           " belongs to one compiler: use the CUDA or the standard function of the " +
           "same effect";
  }
  if (name == "__attribute__" || name == "__attribute" || name == "__declspec") {
    return "attributes of one compiler cannot be checked: use CUDA's words (__noinline__, " +
           std::string("__align__) or a standard [[attribute]]");
  }
  if (name == "_Pragma") return "of pragmas, a kernel file may use `_Pragma(\"unroll\")`";
  return quoted(name) +
         " is not a CUDA name that this kit knows, and other names that begin like " +
         "this belong to the compiler: choose another name";
}

std::optional<std::string> why_not_in_a_kernel(std::string_view name) {
  if (is_any(name, kExceptions)) {
    return "a GPU has no " + quoted(name) + ": write the kernel without it";
  }
  if (name == "virtual") {
    return quoted(name) +
           " cannot be checked here: call the function itself, or make it a template";
  }
  if (name == "new") {
    return quoted(name) + " is not for kernels here, not even at a place of your own: declare a " +
           "local variable or __shared__";
  }
  if (is_any(name, kHeap)) {
    return "a kernel gets its memory from the kit, so no " + quoted(name) +
           ": use a local variable or __shared__";
  }
  if (name == "clock64") {
    return quoted(name) + " tells nothing here, where no time passes: `nibble bench` measures " +
           "kernels on a GPU";
  }
  if (is_any(name, kHostWords)) return "a GPU has no " + quoted(name);
  if (is_host_api(name)) {
    return quoted(name) +
           " is for the host: this file holds kernels only, and the kit allocates, " +
           "copies and launches";
  }
  return std::nullopt;
}

bool is_plain_path(std::string_view path) {
  const auto is_plain = [](char c) {
    return ('a' <= c && c <= 'z') || ('0' <= c && c <= '9') || c == '_' || c == '.' || c == '/';
  };
  return std::ranges::all_of(path, is_plain) && path.find("..") == std::string_view::npos &&
         !path.starts_with('/');
}

bool is_header_of_the_kit(std::string_view path) {
  return path.starts_with("nibble/") && path.ends_with(".hpp") && !path.starts_with("nibble/simt");
}

/// The contract: a header beside the file.
bool is_neighbour(std::string_view path) {
  return path.ends_with(".hpp") && path.find('/') == std::string_view::npos;
}

}  // namespace

std::optional<std::string> why_refused(std::string_view name) {
  if (is_any(name, kPtx)) return kForOneGpu;
  if (is_engine_name(name)) {
    return quoted(name) + " belongs to what checks your kernels: choose another name";
  }
  if (is_any(name, kCompilers)) {
    return quoted(name) + " would name what belongs to one compiler: choose another name";
  }
  if (is_refused_kit_macro(name)) {
    return quoted(name) +
           " has no place in a kernel file: only NIBBLE_LAUNCH and NIBBLE_KERNEL have";
  }
  if (belongs_to_compiler(name) && !is_cuda_name(name)) return why_compilers_name_refused(name);
  return why_not_in_a_kernel(name);
}

std::optional<std::string> why_header_refused(std::string_view spelling) {
  if (spelling.size() < 2) return "this #include names no file";
  const bool is_quoted = spelling.front() == '"';
  const std::string_view path = spelling.substr(1, spelling.size() - 2);
  if (is_plain_path(path)) {
    if (is_any(path, kStandardHeaders) || is_header_of_the_kit(path)) return std::nullopt;
    if (is_quoted && is_neighbour(path)) return std::nullopt;
  }
  return "a kernel file may include the lab's own header, \"nibble/...\", CUDA's headers and the " +
         std::string("standard headers that work on a GPU, not ") + std::string(spelling);
}

bool is_harmless_pragma(std::string_view word) {
  return word == "once" || word == "unroll" || word == "nounroll" || word.starts_with("nv_diag");
}

bool is_standard_attribute(std::string_view name) { return is_any(name, kStandardAttributes); }

bool is_harmless_attribute_of_compilers(std::string_view name) {
  return is_any(name, kCompilersAttributes);
}

}  // namespace nibble::simt
