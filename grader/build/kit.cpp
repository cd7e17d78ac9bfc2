#include "build/kit.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace nibble::build {

namespace fs = std::filesystem;

fs::path Kit::judge(const std::string& lab) const { return build / "bin" / ("judge." + lab); }

fs::path Kit::scheme(const std::string& lab) const { return build / ("judge." + lab + ".json"); }

fs::path Kit::count_book(const std::string& lab) const {
  return source / "grader" / "counts" / (lab + ".json");
}

fs::path Kit::contract(const std::string& lab) const { return source / "labs" / lab; }

bool Kit::is_kernel_lab(const std::string& lab) const {
  return std::ranges::find(kernel_labs, lab) != kernel_labs.end();
}

const Kind& Kit::kind(const std::string& lab) const {
  if (is_cuda_lab(lab)) return cuda;
  return is_kernel_lab(lab) ? kernels : ordinary;
}

fs::path Kit::compiled_ahead(const std::string& lab, Leg leg) const {
  const char* const kind = is_cuda_lab(lab) ? "cuda" : is_kernel_lab(lab) ? "kernels" : "ordinary";
  return build / "pch" / kind / name_of(leg);
}

std::vector<fs::path> Kit::folders(const std::string& lab) const {
  std::vector<fs::path> all{contract(lab), source / "common"};
  if (is_cuda_lab(lab)) {
    const fs::path simt = source / "common" / "simt";
    all.insert(all.end(), {simt / "include", simt / "cuda"});
  }
  return all;
}

std::vector<std::string> Kit::flags(const std::string& lab, Leg leg) const {
  std::vector<std::string> all = common_flags;
  const Kind& own = kind(lab);
  const auto& more = leg == Leg::kPlain        ? own.plain_flags
                     : leg == Leg::kSanitizers ? own.sanitizer_flags
                                               : own.counter_flags;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Kit open_kit(const fs::path& build) {
  std::ifstream file(build / "kit.json");
  if (!file) {
    throw std::runtime_error("the kit is not built in " + build.string() +
                             ": run ./nibble in the project's folder, which builds it");
  }
  const auto json = nlohmann::json::parse(file);
  Kit kit;
  kit.build = json.value("build", fs::absolute(build).string());
  kit.source = json.at("source").get<std::string>();
  const char* const root = std::getenv("NIBBLE_ROOT");
  kit.root = root != nullptr ? fs::path(root) : kit.source;
  json.at("version").get_to(kit.version);
  json.at("cxx").get_to(kit.cxx);
  json.at("cxx_name").get_to(kit.cxx_name);
  json.at("common_flags").get_to(kit.common_flags);
  for (const auto& [name, kind] :
       {std::pair("ordinary", &kit.ordinary), std::pair("kernels", &kit.kernels),
        std::pair("cuda", &kit.cuda)}) {
    const auto& entry = json.at("kinds").at(name);
    entry.at("prelude").get_to(kind->prelude);
    entry.at("plain_flags").get_to(kind->plain_flags);
    entry.at("sanitizer_flags").get_to(kind->sanitizer_flags);
    entry.at("counter_flags").get_to(kind->counter_flags);
  }
  json.at("kernel_labs").get_to(kit.kernel_labs);
  json.at("link_flags").get_to(kit.link_flags);
  kit.eigen_include = json.value("eigen_include", "");
  kit.nvcc = json.value("nvcc", "");
  kit.links_statically = json.value("links_statically", false);
  for (const std::string folder : json.at("system_includes"))
    kit.system_includes.emplace_back(folder);
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

std::vector<std::string> all_labs(const Kit& kit) {
  std::vector<std::string> labs;
  for (const auto& entry : fs::directory_iterator(kit.build)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("judge.") || !name.ends_with(".json")) continue;
    labs.push_back(name.substr(6, name.size() - 6 - 5));
  }
  std::ranges::sort(labs);
  return labs;
}

std::string base_name(const std::string& lab) { return lab.substr(lab.find('_') + 1); }

bool is_cuda_lab(const std::string& lab) { return base_name(lab).starts_with("cuda_"); }

}  // namespace nibble::build
