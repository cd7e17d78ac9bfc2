// The lists of what an object may call, and the look at its symbols, sections and constructors.
#include "simt/rewriter/object_check.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "simt/rewriter/elf.hpp"

namespace nibble::simt {
namespace {

// clang-format off
constexpr auto kHooks = std::to_array<std::string_view>({
    "__tsan_init", "__tsan_read*", "__tsan_write*", "__tsan_unaligned_*", "__tsan_volatile_*", "__tsan_vptr_*",
    "__tsan_memcpy", "__tsan_memmove", "__tsan_memset", "__ubsan_handle_*",
    "__sanitizer_cov_trace_pc", "nibble_simt_memcpy", "nibble_simt_memset", "nibble_simt_memmove",
    "__gxx_personality_v0", "_Unwind_Resume", "__cxa_begin_catch", "_ZSt9terminatev", "printf", "puts", "putchar", "__assert_fail", "__stack_chk_fail", "_GLOBAL_OFFSET_TABLE_",
    "__popcountdi2"});

/// <cmath>, in double; f stands behind a float's.
constexpr auto kMathematics = std::to_array<std::string_view>({
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos",
    "cosh", "erf", "erfc", "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax",
    "fmin", "fmod", "frexp", "hypot", "ilogb", "ldexp", "lgamma", "llrint", "llround", "log", "log10",
    "log1p", "log2", "logb", "lrint", "lround", "modf", "nearbyint", "nextafter", "pow", "remainder",
    "rint", "round", "roundeven", "scalbn", "sin", "sincos", "sinh", "sqrt", "tan", "tanh", "tgamma",
    "trunc"});

/// session.hpp: for the process around a learner's code.
constexpr auto kSession = std::to_array<std::string_view>({
    "_ZN6nibble4simt5start*", "_ZN6nibble4simt6finish*", "_ZN6nibble4simt8allocate*",
    "_ZN6nibble4simt7release*", "_ZN6nibble4simt14copy_to_device*", "_ZN6nibble4simt6poison*",
    "_ZN6nibble4simt12copy_to_host*", "_ZN6nibble4simt13launch_erased*"});

/// What the templates of runtime.hpp and launch.hpp call.
constexpr auto kRuntime = std::to_array<std::string_view>({
    "_ZN6nibble4simt11take_memory*", "_ZN6nibble4simt22set_function_attribute*",
    "_ZN6nibble4simt14copy_to_symbol*", "_ZN6nibble4simt16copy_from_symbol*",
    "_ZN6nibble4simt14symbol_address*", "_ZN6nibble4simt13launch_queued*",
    "_ZN6nibble4simt14first_argument*"});

/// What host code needs besides CUDA: the C++ library, memory, printing.
constexpr auto kHostLibrary = std::to_array<std::string_view>({
    "_ZSt*", "_ZNSt*", "_ZNKSt*", "_ZNSa*", "_ZTI*", "_ZTV*", "_ZTS*", "_Zn*", "_Zd*", "__cxa_*",
    "_Unwind_*", "memcpy", "memmove", "memset", "memcmp", "memchr", "strlen", "strcmp", "malloc",
    "calloc", "realloc", "free", "abort", "abs", "labs", "fprintf", "fputs", "fputc", "fwrite",
    "fflush", "stdout", "stderr", "snprintf", "vsnprintf", "bcmp", "__errno_location",
    "__libc_single_threaded", "__tsan_atomic32_fetch_add"});

constexpr auto kAllocated = std::to_array<std::string_view>({
    ".text", ".text.*", ".rodata", ".rodata.*", ".data", ".data.*", ".bss", ".bss.*", ".eh_frame",
    ".gcc_except_table*", ".note.*", ".tm_clone_table", "nibble_simt_variables",
    ".init_array.00099", ".init_array.0"});

/// Code that the linker puts before or after main, or that is no code yet.
constexpr auto kBeforeMain = std::to_array<std::string_view>({
    ".init*", ".fini*", ".preinit_array*", ".ctors*", ".dtors*", ".gnu.lto_*", ".deplibs"});

constexpr auto kAllocation = std::to_array<std::string_view>({"_Znw*", "_Zna*", "_Zdl*", "_Zda*"});
/// Placement forms: <new> defines them inline.
constexpr auto kPlacement =
    std::to_array<std::string_view>({"_ZnwmPv", "_ZnamPv", "_ZdlPvS_", "_ZdaPvS_"});
constexpr auto kEngine = std::to_array<std::string_view>({"_ZN6nibble4simt*", "_ZNK6nibble4simt*"});
constexpr auto kStandardLibrary = std::to_array<std::string_view>({
    "_ZSt*", "_ZNSt*", "_ZNKSt*", "_ZTISt*", "_ZTVSt*", "_ZNSa*", "_ZNSs*"});
// clang-format on

bool fits(std::string_view name, std::string_view pattern) {
  if (pattern.empty() || pattern.back() != '*') return name == pattern;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

/// cudaFree(void*) is _Z8cudaFreePv.
bool is_runtime_call(std::string_view name) {
  if (!name.starts_with("_Z")) return name.starts_with("cuda");
  const std::size_t end_of_length = name.find_first_not_of("0123456789", 2);
  return end_of_length != std::string_view::npos && name.substr(end_of_length).starts_with("cuda");
}

template <class Patterns>
bool fits_any(std::string_view name, const Patterns& patterns) {
  return std::ranges::any_of(patterns, [&](const auto& pattern) { return fits(name, pattern); });
}

std::string readable(std::string_view name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), std::free);
  std::string text(1, '`');
  if (demangled != nullptr && status == 0) {
    text += demangled.get();
  } else {
    text += name;
  }
  return text += '`';
}

class Inspection {
 public:
  explicit Inspection(const ObjectRules& rules) : rules_(rules) {
    for (const std::string& name : rules.taken) taken_.push_back(name);
    std::ranges::sort(taken_);
  }

  std::vector<std::string> run(const ObjectFile& object) {
    for (const Section& section : object.sections) look_at(section);
    for (const Symbol& symbol : object.symbols) look_at(symbol);
    std::ranges::sort(complaints_);
    complaints_.erase(std::unique(complaints_.begin(), complaints_.end()), complaints_.end());
    return std::move(complaints_);
  }

 private:
  void complain(std::string message) { complaints_.push_back(std::move(message)); }

  void look_at(const Section& section) {
    const std::string name(section.name);
    if (is_stack_note(section)) {
      if ((section.flags & Section::kExecute) != 0)
        complain("the object wants a stack that runs code");
      return;
    }
    if (runs_before_main(section)) {
      return complain("code would run before main (" + name +
                      "): a variable outside functions has to be initialised by a constant");
    }
    if ((section.flags & Section::kAlloc) == 0) return;
    if ((section.flags & Section::kThreadLocal) != 0) return complain("a GPU has no thread_local");
    const bool is_code = (section.flags & Section::kExecute) != 0;
    const bool is_text = fits(name, ".text") || fits(name, ".text.*");
    const bool is_both = is_code && (section.flags & Section::kWrite) != 0;
    if (is_both || (is_code && !is_text) || !fits_any(name, kAllocated)) {
      complain("the object has a section of its own, " + name);
    }
  }

  static bool is_stack_note(const Section& section) { return section.name == ".note.GNU-stack"; }

  /// Each compiler has one constructor of its own, that tells the checker it is there.
  bool runs_before_main(const Section& section) {
    constexpr std::uint32_t kInitArray = 14, kPreinitArray = 16;
    constexpr std::uint64_t kPointerSize = 8;
    const bool is_the_compilers =
        (section.name == ".init_array.00099" || section.name == ".init_array.0") &&
        section.size == kPointerSize;
    if (is_the_compilers && !has_constructor_) {
      has_constructor_ = true;
      return false;
    }
    if (section.name.starts_with(".rela")) return false;
    return fits_any(section.name, kBeforeMain) ||
           (kInitArray <= section.type && section.type <= kPreinitArray);
  }

  void look_at(const Symbol& symbol) {
    if (symbol.type == Symbol::kTypeIndirect) {
      return complain(readable(symbol.name) + " would be chosen while the program is loaded");
    }
    if (symbol.binding == Symbol::kLocal) return;
    if (symbol.is_undefined()) {
      if (symbol.name == "__dso_handle") {
        complain(
            "something outside functions would be constructed before main, as <iostream> does it: "
            "print with std::printf, and make variables local");
      } else if (!fits_any(symbol.name, rules_.imports)) {
        complain(readable(symbol.name) + " is used, which " + rules_.nobody);
      }
      return;
    }
    if (symbol.section == Symbol::kAbsolute) {
      return complain(readable(symbol.name) + " is an address, not a function or a variable");
    }
    look_at_definition(symbol);
  }

  void look_at_definition(const Symbol& symbol) {
    if (fits_any(symbol.name, rules_.exports)) return;
    const bool is_shared = symbol.binding == Symbol::kWeak || symbol.binding == Symbol::kUnique;
    if (is_shared && fits_any(symbol.name, kPlacement)) return;
    const bool is_taken = std::ranges::binary_search(taken_, symbol.name) ||
                          fits_any(symbol.name, kEngine) || fits_any(symbol.name, kStandardLibrary);
    const bool is_cpp = symbol.name.starts_with("_Z") || symbol.name.starts_with("DW.ref.") ||
                        symbol.name == "__clang_call_terminate";
    if (fits_any(symbol.name, kAllocation) || (is_taken && !is_shared)) {
      complain(readable(symbol.name) + " is defined here, and belongs to somebody else");
    } else if (!is_cpp) {
      complain(readable(symbol.name) +
               " is defined here, and is no kernel of this lab: a function "
               "of your own has neither NIBBLE_KERNEL nor extern \"C\"");
    }
  }

  const ObjectRules& rules_;
  std::vector<std::string_view> taken_;
  std::vector<std::string> complaints_;
  bool has_constructor_ = false;
};

}  // namespace

namespace {

enum class Side { kDevice, kHost };

ObjectRules rules_for(Side side, std::span<const std::string> engine_symbols) {
  ObjectRules rules;
  rules.imports.assign(kHooks.begin(), kHooks.end());
  for (const std::string_view name : kMathematics) {
    rules.imports.emplace_back(name);
    rules.imports.emplace_back(name).append(1, 'f');
  }
  for (const std::string& name : engine_symbols) {
    rules.taken.push_back(name);
    const bool is_hosts = is_runtime_call(name) || fits_any(name, kRuntime);
    if (fits_any(name, kSession) || (is_hosts && side == Side::kDevice)) continue;
    rules.imports.push_back(name);
  }
  return rules;
}

}  // namespace

ObjectRules rules_for_kernels(std::span<const std::string> engine_symbols,
                              std::span<const std::string> kernels) {
  ObjectRules rules = rules_for(Side::kDevice, engine_symbols);
  for (const std::string& name : kernels) {
    rules.exports.push_back(name);
    rules.exports.push_back("nibble_launch_" + name);
  }
  return rules;
}

ObjectRules rules_for_host_code(std::span<const std::string> engine_symbols,
                                std::span<const std::string> functions) {
  ObjectRules rules = rules_for(Side::kHost, engine_symbols);
  rules.imports.insert(rules.imports.end(), kHostLibrary.begin(), kHostLibrary.end());
  rules.exports.assign(functions.begin(), functions.end());
  rules.nobody = "no lab needs";
  return rules;
}

std::span<const std::string_view> functions_of_engine(bool watched) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"printf", "frexp", "frexpf", "modf", "modff", "sincos", "sincosf", "lrint", "lrintf",
       "llrint", "llrintf", "lround", "lroundf", "llround", "llroundf", "memcpy", "memmove",
       "memset"});
  constexpr std::size_t kThatCopy = 3;
  return std::span(kNames).first(kNames.size() - (watched ? 0 : kThatCopy));
}

std::vector<std::string> check_object(std::span<const std::byte> object, const ObjectRules& rules) {
  const auto file = read_object(object);
  if (!file) return {"this is no object file for this machine"};
  return Inspection(rules).run(*file);
}

std::vector<std::string> defined_symbols(std::span<const std::byte> object) {
  std::vector<std::string> names;
  const auto file = read_object(object);
  if (!file) return names;
  for (const Symbol& symbol : file->symbols) {
    if (symbol.binding != Symbol::kLocal && !symbol.is_undefined()) names.emplace_back(symbol.name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace nibble::simt
