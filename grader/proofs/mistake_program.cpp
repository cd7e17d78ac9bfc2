// One source of many copies, each in a namespace of its own; one object; an executable of each.
#include "proofs/mistake_program.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <span>
#include <stdexcept>

#include "compile/compile.hpp"
#include "files/files.hpp"
#include "simt/rewriter/elf.hpp"
#include "text/lines.hpp"
#include "text/pattern.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;
using protocol::Leg;
using namespace std::chrono_literals;

/// Stands for a copy's own name in its text. As long as "nibble".
constexpr std::string_view kAnyCopy = "n00000";

/// 0 is the right solution.
std::string name_of_copy(std::size_t i) { return fmt::format("n{:05}", i); }

/// A function may be declared again, its default arguments may not: g++ counts them as part of what
/// decltype gives.
constexpr std::string_view kWithoutDefaults = R"(template <class Function>
struct WithoutDefaults;
template <class Result, class... Parameters, bool kThrowsNothing>
struct WithoutDefaults<Result(Parameters...) noexcept(kThrowsNothing)> {
  using Type = Result(Parameters...) noexcept(kThrowsNothing);
};
)";

/// Before a kernel's name. What an object with kernels may export begins so, whoever compiles it.
std::string kernel_prefix(std::string_view copy) { return fmt::format("nibble_launch_{}_", copy); }

std::string demangled(std::string_view symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? std::string(name.get()) : std::string(symbol);
}

/// As it would be called if the copy stood alone.
std::string name_alone(const std::string& name, const std::string& copy) {
  return text::replaced(text::replaced(name, copy + "::", "nibble::"), kernel_prefix(copy), "");
}

bool belongs_to(const std::string& copy, const std::string& name) {
  return name.find(copy + "::") != std::string::npos ||
         name.find(kernel_prefix(copy)) != std::string::npos;
}

/// The symbols of an object; `pick` chooses.
template <class Pick>
std::vector<std::string> symbols_of(const fs::path& file, Pick pick) {
  const std::string bytes = files::read_file(file);
  const auto object = simt::read_object(std::as_bytes(std::span(bytes)));
  if (!object) throw std::runtime_error(file.string() + " is no object for this machine");
  std::vector<std::string> names;
  for (const simt::Symbol& symbol : object->symbols) {
    if (symbol.binding != simt::Symbol::kLocal && pick(symbol)) names.emplace_back(symbol.name);
  }
  return names;
}

/// The word after "#": "include", "define".
std::string directive_of(const std::string& line) {
  static const text::Pattern directive(R"(\s*#\s*([a-z]+).*)");
  const auto found = directive.match(line);
  return found ? (*found)[1] : "";
}

std::vector<Leg> legs_of(const lab::Lab& lab) {
  if (!lab.is_cuda()) return {Leg::kPlain};
  if (lab.has_host_code()) return {Leg::kPlain, Leg::kSanitizers};
  return {Leg::kPlain, Leg::kSanitizers, Leg::kCounters};
}

/// What the compiler would read of a mistake that stands alone; nothing where there may be no
/// copies of it.
std::optional<std::string> compiled_text(const lab::Lab& lab, const std::string& source) {
  if (!lab.is_cuda()) return fmt::format("#line 1 \"{}\"\n{}", lab.file().string(), source);
  simt::Rewritten rewritten = compile::as_cpp(lab, source);
  const bool has_variables =
      rewritten.text.find("NIBBLE_SIMT_VARIABLE(") != std::string::npos ||
      rewritten.text.find("NIBBLE_SIMT_CONSTANT(") != std::string::npos;  // of all copies: one list
  if (!rewritten.complaints.empty() || has_variables) return {};
  return std::move(rewritten.text);
}

}  // namespace

/// A file without the lines that can stand only once, and those that include others. Macros are
/// in `rest` too: to define one again as it was changes nothing.
struct MistakeProgram::Text {
  std::string includes, macros, rest;
};

MistakeProgram::MistakeProgram(const lab::Kit& kit, const ProvenLab& lab)
    : kit_(kit),
      lab_(lab.files.lab),
      leaves_out_(kit.cxx_name.starts_with("g++") && !lab_.is_cuda()) {
  const fs::path header = fs::path(lab_.name) / lab_.contract_name();
  const fs::path runner = kit.build / "runner" / (lab_.name + ".o");
  for (std::string& symbol :
       symbols_of(runner, [](const simt::Symbol& one) { return one.is_undefined(); })) {
    constexpr std::string_view kLaunch = "nibble_launch_";
    if (symbol.starts_with(kLaunch)) kernels_.push_back(symbol.substr(kLaunch.size()));
    std::string name = demangled(symbol);
    static const text::Pattern function(R"(nibble::(\w+)\(.*)");
    if (const auto found = function.match(name)) called_.push_back((*found)[1]);
    wanted_.emplace(std::move(name), std::move(symbol));
  }
  const auto contract = part_of(files::read_file(kit.build / "contracts" / header));
  const auto compiled = compiled_text(lab_, lab.solution);
  const auto right = compiled ? part_of(*compiled) : std::nullopt;
  if (!contract || !right) return;
  contract_ = fmt::format("#line 1 \"{}\"\n{}", ("contracts" / header).string(), contract->rest);
  contract_includes_ = contract->includes;
  own_includes_ = right->includes;
  own_macros_ = right->macros;
  if (leaves_out_) right_ = copy_of(lab.solution, called_).value();
}

std::optional<MistakeProgram::Text> MistakeProgram::part_of(std::string_view text) const {
  const std::string own = "\"" + lab_.contract_name() + "\"";
  Text part;
  int conditions = 0;                                                    // that are open
  bool is_rewriters = text.starts_with("#include \"nibble/simt.hpp\"");  // the same in all copies
  for (const std::string& line : text::lines_of(text)) {
    const std::string directive = directive_of(line);
    if (directive == "line") is_rewriters = false;
    if (is_rewriters) {
      part.includes += line + '\n';
      continue;
    }
    const bool is_include = directive == "include";
    const bool is_once = is_include || text::squeeze(line) == "#pragma once";
    if (directive == "undef") return {};
    if (directive == "define") part.macros += line + '\n';
    if (directive.starts_with("if")) ++conditions;
    if (directive == "endif") --conditions;
    if (is_include && (conditions > 0 || !part.macros.empty())) return {};
    if (is_include && line.find(own) == line.npos) part.includes += line + '\n';
    part.rest += (is_once ? "" : line) + '\n';
  }
  return part;
}

/// Each name of a kernel and of its descriptor becomes the copy's own.
std::string MistakeProgram::with_own_kernels(std::string text) const {
  for (const std::string& kernel : kernels_) {
    const text::Pattern name("\\b(" + kernel + ")(?=\\b|_launch\\b)");
    text = name.replaced(text, kernel_prefix(kAnyCopy) + "$1");
  }
  return text;
}

std::optional<std::string> MistakeProgram::copy_of(const Mistaken& mistaken) const {
  const bool is_called = std::ranges::find(called_, mistaken.exercise) != called_.end();
  return copy_of(mistaken.source, is_called ? std::vector{mistaken.exercise} : called_);
}

std::optional<std::string> MistakeProgram::copy_of(const std::string& source,
                                                   const std::vector<std::string>& shown) const {
  if (contract_.empty()) return {};
  const auto compiled = compiled_text(lab_, source);
  const auto part = compiled ? part_of(*compiled) : std::nullopt;
  if (!part || part->includes != own_includes_ || part->macros != own_macros_) return {};
  std::string visible;
  for (const std::string& function : shown) {
    if (!leaves_out_) break;
    visible += fmt::format(
        "extern WithoutDefaults<decltype({0})>::Type {0} [[gnu::externally_visible]];\n", function);
  }
  return fmt::format(
      "#define nibble {}\nnamespace nibble {{\nusing namespace ::nibble_kit;\n}}\n{}"
      "namespace nibble {{\n{}}}\n{}#undef nibble\n",
      kAnyCopy, with_own_kernels(contract_), visible, with_own_kernels(part->rest));
}

std::string MistakeProgram::file_of(const std::vector<std::string>& copies) const {
  std::string text = contract_includes_ + own_includes_ + "namespace nibble_kit = ::nibble;\n";
  text.append(kWithoutDefaults) += right_;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    text += text::replaced(copies[i], kAnyCopy, name_of_copy(i + 1));
  }
  return text;
}

/// Nothing when the object defines something that belongs to no copy: all executables would have
/// it.
std::optional<std::vector<MistakeProgram::Words>> MistakeProgram::words_of(
    std::size_t copies, const fs::path& object) const {
  std::vector<std::map<std::string, std::string>> defined(copies + 1);  // the solution's first
  const auto is_defined = [](const simt::Symbol& symbol) {
    return !symbol.is_undefined() && symbol.binding == simt::Symbol::kGlobal;
  };
  for (const std::string& symbol : symbols_of(object, is_defined)) {
    const std::string name = demangled(symbol);
    std::size_t i = 0;
    while (i <= copies && !belongs_to(name_of_copy(i), name)) ++i;
    if (i > copies) return {};
    defined[i].emplace(name_alone(name, name_of_copy(i)), symbol);
  }
  std::vector<Words> words(copies);
  for (std::size_t i = 0; i < copies; ++i) {
    defined[i + 1].merge(std::map(defined.front()));  // what the copy itself does not show
    for (const auto& [name, symbol] : defined[i + 1]) {
      const auto wanted = wanted_.find(name);
      if (wanted == wanted_.end()) continue;
      words[i].push_back(fmt::format("-Wl,--defsym={}={}", wanted->second, symbol));
    }
  }
  return words;
}

/// One leg; true when there is an object. Those that could not be linked have no executable in
/// the end.
bool MistakeProgram::build_leg(const std::vector<std::string>& copies, Leg leg,
                               const fs::path& folder, std::vector<fs::path>& executables) const {
  compile::Job job{lab_, "", leg, folder};
  job.cpu_limit = 300s;
  job.ready = file_of(copies);
  // Two copies of a function are nearly always the same: each is to keep its own lines.
  if (kit_.cxx_name.starts_with("g++")) job.more_flags = {"-fno-ipa-icf"};
  if (leaves_out_) job.more_flags.emplace_back("-fwhole-program");
  const compile::Built object = compile_object(kit_, job);
  if (!object.ok) return false;
  const auto words = words_of(copies.size(), object.executable);
  if (!words) return false;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const compile::Built child = link_object(kit_, job, object, name_of_copy(i + 1), (*words)[i]);
    executables.push_back(child.ok ? child.executable : fs::path());
  }
  return true;
}

bool MistakeProgram::build_all(const std::vector<std::string>& copies, const fs::path& folder,
                               std::vector<fs::path>& executables) const {
  std::vector<std::vector<fs::path>> of_leg;
  for (const Leg leg : legs_of(lab_)) {
    if (!build_leg(copies, leg, folder / name_of(leg), of_leg.emplace_back())) return false;
  }
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const bool all = std::ranges::none_of(of_leg, [&](const auto& leg) { return leg[i].empty(); });
    if (!all) continue;
    executables[i] = of_leg.front()[i];
    for (std::size_t leg = 1; leg < of_leg.size(); ++leg) {
      fs::rename(of_leg[leg][i], compile::companions(executables[i])[leg - 1]);
    }
  }
  return true;
}

std::vector<fs::path> MistakeProgram::build(const std::vector<std::string>& copies,
                                            const fs::path& folder) const {
  std::vector<fs::path> executables(copies.size());
  if (copies.size() < 2 || build_all(copies, folder, executables)) return executables;
  // One of them spoils it for the others: it is in one of the halves.
  const auto middle = copies.begin() + static_cast<std::ptrdiff_t>(copies.size() / 2);
  executables = build({copies.begin(), middle}, folder / "0");
  const std::vector<fs::path> rest = build({middle, copies.end()}, folder / "1");
  executables.insert(executables.end(), rest.begin(), rest.end());
  return executables;
}

}  // namespace nibble::proofs
