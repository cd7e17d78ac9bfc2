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
#include "simt/rewriter/rewrite.hpp"
#include "text/lines.hpp"
#include "text/pattern.hpp"

namespace nibble::proofs {
namespace {

namespace fs = std::filesystem;
using protocol::Leg;
using namespace std::chrono_literals;

/// Stands for a copy's own name in its text. As long as "nibble".
constexpr std::string_view kAnyCopy = "nXXXXX";
constexpr std::string_view kRight = "n00000";

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

std::vector<Leg> legs_of(const lab::Lab& lab) {
  if (!lab.is_cuda()) return {Leg::kPlain};
  if (lab.has_host_code()) return {Leg::kPlain, Leg::kSanitizers};
  return {Leg::kPlain, Leg::kSanitizers, Leg::kCounters};
}

/// What the compiler would read of a mistake that stands alone; nothing where there may be no
/// copies of it.
std::optional<std::string> compiled_text(const lab::Lab& lab, const std::string& source) {
  if (!lab.is_cuda()) return source;
  using enum simt::Dialect;
  simt::Rewritten rewritten =
      simt::rewrite(source, lab.file().string(), lab.has_host_code() ? kHostAndKernels : kKernels);
  const bool has_variables =
      rewritten.text.find("NIBBLE_SIMT_VARIABLE(") != std::string::npos ||
      rewritten.text.find("NIBBLE_SIMT_CONSTANT(") != std::string::npos;  // of all copies: one list
  if (!rewritten.complaints.empty() || has_variables) return {};
  return std::move(rewritten.text);
}

/// In the namespace of `copy`, in which all of the kit's names are in reach.
std::string within(std::string_view copy, const std::string& text) {
  return fmt::format("#define nibble {}\n{}#undef nibble\n", copy, text);
}

constexpr std::string_view kAllInReach = "namespace nibble {\nusing namespace ::nibble_kit;\n}\n";

std::string text_of(const Definition& definition) {
  return definition.open + definition.line + definition.text + definition.close;
}

}  // namespace

MistakeProgram::MistakeProgram(const lab::Kit& kit, const ProvenLab& lab)
    : kit_(kit),
      lab_(lab.files.lab),
      leaves_out_(kit.cxx_name.starts_with("g++") && !lab_.is_cuda()) {
  const fs::path header = fs::path("contracts") / lab_.name / lab_.contract_name();
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
  contract_ = definitions_of(files::read_file(kit.build / header), header.string(), "");
  solution_ = cut(lab.solution);
  if (contract_ && solution_) right_ = right_solution();
}

std::optional<Definitions> MistakeProgram::cut(const std::string& source) const {
  const auto compiled = compiled_text(lab_, source);
  if (!compiled) return {};
  return definitions_of(*compiled, lab_.file().string(), lab_.contract_name());
}

/// Each name of a kernel and of its descriptor becomes the copy's own, where the copy has it.
std::string MistakeProgram::with_own_kernels(std::string text, const Names& of_copy) const {
  for (const std::string& kernel : kernels_) {
    const text::Pattern name("\\b(" + kernel + ")(?=\\b|_launch\\b)");
    text = name.replaced(text, kernel_prefix(of_copy.contains(kernel) ? kAnyCopy : kRight) + "$1");
  }
  return text;
}

/// Those of the functions that are defined here can be linked; all others need not be compiled.
std::string MistakeProgram::shown_of(const std::vector<std::string>& functions,
                                     const Names& defined) const {
  std::string shown;
  for (const std::string& function : functions) {
    if (!leaves_out_ || !defined.contains(function)) continue;
    shown += fmt::format(
        "extern WithoutDefaults<decltype({0})>::Type {0} [[gnu::externally_visible]];\n", function);
  }
  return shown.empty() ? shown : "namespace nibble {\n" + shown + "}\n";
}

std::string MistakeProgram::right_solution() const {
  std::string text = contract_->includes + solution_->includes +
                     "namespace nibble_kit = ::nibble;\n" + std::string(kWithoutDefaults) +
                     within(kRight, std::string(kAllInReach)) +
                     fmt::format("namespace nibble {{\nusing namespace ::{};\n}}\n", kRight) +
                     contract_->macros + solution_->macros;
  const auto add = [&](const Definition& definition) {
    const std::string one = text_of(definition);
    text += definition.is_type ? one : within(kRight, one);
  };
  std::ranges::for_each(contract_->list, add);
  text += within(kRight, shown_of(called_, {called_.begin(), called_.end()}));
  std::ranges::for_each(solution_->list, add);
  return with_own_kernels(std::move(text), {});
}

std::optional<std::string> MistakeProgram::copy_of(const Mistaken& mistaken) const {
  if (!contract_ || !solution_) return {};
  const auto cut_of_it = cut(mistaken.source);
  if (!cut_of_it || cut_of_it->includes != solution_->includes ||
      cut_of_it->macros != solution_->macros) {
    return {};
  }
  const Changed changed = changed_definitions(contract_->list, solution_->list, cut_of_it->list);
  const bool is_called = std::ranges::find(called_, mistaken.exercise) != called_.end();
  std::string text(kAllInReach), of_file;
  for (const Definition& definition : changed.of_contract) text += text_of(definition);
  text += shown_of(is_called ? std::vector{mistaken.exercise} : called_, changed.names);
  for (const Definition& definition : changed.of_file) text += text_of(definition);
  return within(kAnyCopy, with_own_kernels(std::move(text), changed.names));
}

std::string MistakeProgram::file_of(const std::vector<std::string>& copies) const {
  std::string text = right_;
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
