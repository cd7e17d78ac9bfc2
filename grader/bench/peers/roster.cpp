#include "roster.hpp"

#include <sstream>
#include <string>

#include "nibble/cpu.hpp"

namespace nibble::peers {
namespace {

/// What our vector kernels are made of, on the CPU that this is built for.
#if defined(__x86_64__)
constexpr const char* kVectors[] = {"avx2", "avx_vnni", "avx512_vnni"};
#else
constexpr const char* kVectors[] = {"neon_dot"};
#endif

/// How oneDNN calls what our kernels are made of, to be held at it.
struct Cap {
  const char* cap;
  const char* family;
};
constexpr Cap kCaps[] = {
    {"AVX2", "avx2"}, {"AVX2_VNNI", "avx_vnni"}, {"AVX512_CORE_VNNI", "avx512_vnni"}};

/// The best that oneDNN can choose here when nothing holds it.
std::string best_family() {
  std::string best = "avx2";
  for (const Isa isa : {Isa::kAvxVnni, Isa::kAvx512Vnni, Isa::kAmxInt8}) {
    if (cpu_has(isa)) best = name_of(isa);
  }
  return best;
}

void add_onednn(std::vector<Contender>& all, const std::string& name, const std::string& plugin) {
  for (const auto& [cap, family] : kCaps) {
    all.push_back({name + " <= " + cap, plugin, "", family, cap});
  }
  all.push_back({name, plugin, "", best_family(), ""});
}

/// One plugin for each oneDNN that the build found: "oneDNN 2.6.3|oneDNN 3.2.0".
void add_every_onednn(std::vector<Contender>& all) {
  std::istringstream names(NIBBLE_ONEDNN_NAMES);
  int number = 1;
  for (std::string name; std::getline(names, name, '|'); ++number) {
    add_onednn(all, name, "peer_onednn_" + std::to_string(number) + ".so");
  }
}

}  // namespace

std::vector<Contender> roster() {
  std::vector<Contender> all = {{"lab 14", "peer_lab_14.so", "", "avx2", "", true}};
  for (const char* const isa : kVectors) {
    all.push_back({std::string("lab 15 ") + isa, "peer_lab_15.so", isa, isa, "", true});
  }
  all.push_back({"lab 15 conversions", "peer_lab_15.so", "convert", "", "", true});
  for (const char* const isa : kVectors) {
    all.push_back({std::string("lab 16 ") + isa, "peer_lab_16.so", isa, isa, "", true});
  }
  all.push_back({"lab 17 tiles", "peer_lab_17.so", "", "amx_int8", "", true});
  add_every_onednn(all);
  const bool wide = cpu_has(Isa::kAvx512Vnni);
  const std::string eigen = wide ? "peer_eigen_v4.so" : "peer_eigen.so";
  all.push_back({"OpenBLAS float32", "peer_openblas.so", "", "fp32", ""});
  all.push_back({"Eigen float32", eigen, "float32", "fp32", ""});
  all.push_back({"Eigen int32", eigen, "int32", "", ""});
  all.push_back({"memory alone", "peer_memory.so", "", "", ""});
  return all;
}

}  // namespace nibble::peers
