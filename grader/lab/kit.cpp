// Reads kit.json, the build's own note, and knows where in its folders everything of a lab lies.
#include "lab/kit.hpp"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "files/files.hpp"
#include "text/json_text.hpp"
#include "text/lines.hpp"

namespace nibble::lab {

namespace fs = std::filesystem;

fs::path Kit::notes() const { return own_notes.empty() ? root / ".nibble" : own_notes; }

fs::path Kit::judge(const std::string& lab) const { return build / "bin" / ("judge." + lab); }

fs::path Kit::scheme(const std::string& lab) const { return build / "marks" / (lab + ".json"); }

fs::path Kit::count_book(const std::string& lab) const {
  return source / "grader" / "counts" / (lab + ".json");
}

fs::path Kit::speed_book(const std::string& lab) const {
  return source / "grader" / "speeds" / (lab + ".json");
}

std::string Kit::handout() const {
  const fs::path file = source / kHandoutId;
  return fs::exists(file) ? text::trim(files::read_file(file)) : "";
}

fs::path Kit::contract(const std::string& lab) const { return build / "contracts" / lab; }

fs::path Kit::pages(const std::string& lab) const { return source / "labs" / lab; }

fs::path Kit::catalogs() const { return source / "grader" / "language"; }

const Recipe& Kit::recipe(LabKind kind) const {
  if (kind == LabKind::kOrdinary) return ordinary;
  return kind == LabKind::kKernels ? kernels : cuda;
}

fs::path Kit::compiled_ahead(LabKind kind, protocol::Leg leg) const {
  const Recipe* const own = &recipe(kind);
  const char* const name = own == &ordinary ? "ordinary" : own == &kernels ? "kernels" : "cuda";
  return build / "pch" / name / protocol::name_of(leg);
}

std::vector<fs::path> Kit::folders(const Lab& lab) const {
  if (!lab.is_cuda()) return {contract(lab.name), headers / "common"};
  std::vector<fs::path> all = folders_for_nvcc(lab);
  all.push_back(headers / "common" / "simt" / "cuda");
  return all;
}

std::vector<fs::path> Kit::folders_for_nvcc(const Lab& lab) const {
  const fs::path common = headers / "common";
  return {contract(lab.name), common, common / "simt" / "include"};
}

std::vector<std::string> Kit::flags(LabKind kind, protocol::Leg leg) const {
  std::vector<std::string> all = common_flags;
  const Recipe& own = recipe(kind);
  const auto& more = leg == protocol::Leg::kPlain        ? own.plain_flags
                     : leg == protocol::Leg::kSanitizers ? own.sanitizer_flags
                                                         : own.counter_flags;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const Lab* Kit::find(std::string_view word) const {
  const auto found =
      std::ranges::find_if(labs, [&](const Lab& lab) { return lab.is_called(word); });
  return found == labs.end() ? nullptr : &*found;
}

const Lab& Kit::lab(std::string_view word) const {
  if (const Lab* const found = find(word)) return *found;
  throw std::invalid_argument("no lab is called " + std::string(word));
}

std::vector<Lab> Kit::choose(const std::vector<std::string>& wanted) const {
  if (wanted.empty()) return labs;
  std::set<const Lab*> chosen;
  for (const std::string& word : wanted) chosen.insert(&lab(word));
  std::vector<Lab> all;
  for (const Lab* const one : chosen) all.push_back(*one);
  return all;
}

Kit open_kit(const fs::path& build) {
  if (!fs::exists(build / "kit.json")) {
    throw std::runtime_error("the kit is not built in " + build.string() +
                             ": run ./nibble in the project's folder, which builds it");
  }
  const auto json = text::json_of(files::read_file(build / "kit.json"));
  if (!json.is_object()) {
    throw std::runtime_error((build / "kit.json").string() +
                             " is damaged: remove that folder, and ./nibble builds the kit again");
  }
  Kit kit;
  kit.build = json.value("build", fs::absolute(build).string());
  kit.source = json.at("source").get<std::string>();
  kit.headers = json.at("headers").get<std::string>();
  const char* const root = std::getenv("NIBBLE_ROOT");
  kit.root = root != nullptr ? fs::path(root) : kit.source;
  json.at("version").get_to(kit.version);
  json.at("cxx").get_to(kit.cxx);
  json.at("cxx_name").get_to(kit.cxx_name);
  for (const std::string part : json.at("compiler_parts")) kit.compiler_parts.emplace_back(part);
  for (const auto& folder : json.value("compiler_folders", std::vector<std::string>{}))
    kit.compiler_folders.emplace_back(folder);
  json.at("common_flags").get_to(kit.common_flags);
  json.at("analyzer_flags").get_to(kit.analyzer_flags);
  for (const auto& [name, kind] :
       {std::pair("ordinary", &kit.ordinary), std::pair("kernels", &kit.kernels),
        std::pair("cuda", &kit.cuda)}) {
    const auto& entry = json.at("kinds").at(name);
    entry.at("prelude").get_to(kind->prelude);
    entry.at("plain_flags").get_to(kind->plain_flags);
    entry.at("sanitizer_flags").get_to(kind->sanitizer_flags);
    entry.at("counter_flags").get_to(kind->counter_flags);
  }
  for (const auto& [name, kind] : json.at("labs").items()) {
    const auto* const found = std::ranges::find(kKindNames, kind.get<std::string_view>());
    kit.labs.push_back({name, static_cast<LabKind>(found - kKindNames.begin())});
  }
  json.at("linkers").get_to(kit.linkers);
  kit.link_flags = kit.linkers.at(0);
  kit.eigen_include = json.value("eigen_include", "");
  kit.nvcc = json.value("nvcc", "");
  kit.budget = std::chrono::seconds(json.value("budget_seconds", 300));
  kit.links_statically = json.value("links_statically", false);
  for (const std::string folder : json.at("system_includes"))
    kit.system_includes.emplace_back(folder);
  for (const auto& folder : json.value("nvcc_includes", std::vector<std::string>{}))
    kit.nvcc_includes.emplace_back(folder);
  return kit;
}

Kit this_kit() {
  if (const char* const build = std::getenv("NIBBLE_BUILD")) return open_kit(build);
#ifdef __linux__
  return open_kit(fs::read_symlink("/proc/self/exe").parent_path().parent_path());
#else
  throw std::runtime_error("start ./nibble, which says where the kit is built (NIBBLE_BUILD)");
#endif
}

std::string linker_name(const std::vector<std::string>& flags) {
  constexpr std::string_view kChoice = "-fuse-ld=";
  for (const std::string& flag : flags) {
    if (flag.starts_with(kChoice)) return flag.substr(kChoice.size());
  }
  return "the compiler's own";
}

}  // namespace nibble::lab
