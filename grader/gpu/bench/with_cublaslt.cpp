// cuBLASLt beside our kernels: y [m,n] = x [m,k] times w [n,k] transposed, both K-contiguous as a
// Linear layer stores them. A program of its own: what it links and what it allocates cannot touch
// a measurement of ours. Prints rows.
//
// The library offers several algorithms for a problem; the first is what a caller gets, the fastest
// of sixteen is what the GPU can do. Both are told.
#include <cublasLt.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "files/files.hpp"
#include "gpu/bench/bench_row.hpp"
#include "gpu/bench/ceilings.hpp"
#include "gpu/bench/lab_times.hpp"

namespace nibble::gpu {
namespace {

constexpr int kOffers = 16, kSamples = 20, kCalls = 4;
constexpr std::size_t kWorkspace = std::size_t{64} << 20;

void must(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}
void must(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(cublasLtGetStatusName(status));
}

class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes) { must(cudaMalloc(&address_, bytes)); }
  ~DeviceMemory() { cudaFree(address_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  void* get() const { return address_; }

 private:
  void* address_ = nullptr;
};

/// int8 into int32, or half into half with float sums.
enum class Type { kS8, kF16 };

std::size_t input_bytes(Type type) { return type == Type::kS8 ? 1 : 2; }
std::size_t output_bytes(Type type) { return type == Type::kS8 ? 4 : 2; }

/// In cuBLASLt's column-major words: d [n,m] = w^T [n,k] times x [k,m].
class LtProduct {
 public:
  LtProduct(Type type, std::uint64_t n) : type_(type), workspace_(kWorkspace) {
    const bool s8 = type == Type::kS8;
    const cudaDataType_t in = s8 ? CUDA_R_8I : CUDA_R_16F, out = s8 ? CUDA_R_32I : CUDA_R_16F;
    must(cublasLtCreate(&library_));
    must(cublasLtMatmulDescCreate(&operation_, s8 ? CUBLAS_COMPUTE_32I : CUBLAS_COMPUTE_32F,
                                  s8 ? CUDA_R_32I : CUDA_R_32F));
    const cublasOperation_t transposed = CUBLAS_OP_T;
    must(cublasLtMatmulDescSetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                        sizeof transposed));
    const auto ld = static_cast<std::int64_t>(n);
    must(cublasLtMatrixLayoutCreate(&w_, in, n, n, ld));
    must(cublasLtMatrixLayoutCreate(&x_, in, n, n, ld));
    must(cublasLtMatrixLayoutCreate(&y_, out, n, n, ld));
    must(cublasLtMatmulPreferenceCreate(&preference_));
    must(cublasLtMatmulPreferenceSetAttribute(preference_, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                              &kWorkspace, sizeof kWorkspace));
    offers_.resize(kOffers);
    int count = 0;
    must(cublasLtMatmulAlgoGetHeuristic(library_, operation_, w_, x_, y_, y_, preference_, kOffers,
                                        offers_.data(), &count));
    offers_.resize(static_cast<std::size_t>(count));
    if (offers_.empty()) throw std::runtime_error("no algorithm for this problem");
  }
  ~LtProduct() {
    cublasLtMatmulPreferenceDestroy(preference_);
    for (const auto layout : {w_, x_, y_}) cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulDescDestroy(operation_);
    cublasLtDestroy(library_);
  }
  LtProduct(const LtProduct&) = delete;
  LtProduct& operator=(const LtProduct&) = delete;

  std::size_t offers() const { return offers_.size(); }

  /// False when this offer does not run after all.
  bool start(std::size_t offer, const void* x, const void* w, void* y,
             cudaStream_t stream = nullptr) const {
    constexpr std::int32_t kOne = 1, kZero = 0;
    constexpr float kOneF = 1, kZeroF = 0;
    const bool s8 = type_ == Type::kS8;
    const void* const one = s8 ? static_cast<const void*>(&kOne) : &kOneF;
    const void* const zero = s8 ? static_cast<const void*>(&kZero) : &kZeroF;
    return cublasLtMatmul(library_, operation_, one, w, w_, x, x_, zero, y, y_, y, y_,
                          &offers_[offer].algo, workspace_.get(), kWorkspace,
                          stream) == CUBLAS_STATUS_SUCCESS;
  }

 private:
  Type type_;
  cublasLtHandle_t library_ = nullptr;
  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t w_ = nullptr, x_ = nullptr, y_ = nullptr;
  cublasLtMatmulPreference_t preference_ = nullptr;
  std::vector<cublasLtMatmulHeuristicResult_t> offers_;
  DeviceMemory workspace_;
};

/// Random codes, or halves of eighths between -1 and 1, whose products are exact in float.
class DeviceMatrix {
 public:
  DeviceMatrix(Type type, std::size_t n, std::uint64_t seed)
      : codes_(n * n), memory_(n * n * input_bytes(type)) {
    std::mt19937_64 bits(seed);
    const int most = type == Type::kS8 ? 127 : 8;
    for (std::int8_t& code : codes_) {
      code = static_cast<std::int8_t>(static_cast<int>(bits() % (2 * most + 1)) - most);
    }
    if (type == Type::kS8) {
      must(cudaMemcpy(memory_.get(), codes_.data(), codes_.size(), cudaMemcpyHostToDevice));
      return;
    }
    std::vector<__half> halves;
    for (const std::int8_t code : codes_) halves.push_back(__float2half(0.125f * code));
    must(cudaMemcpy(memory_.get(), halves.data(), 2 * halves.size(), cudaMemcpyHostToDevice));
  }
  const std::vector<std::int8_t>& codes() const { return codes_; }
  const void* get() const { return memory_.get(); }

 private:
  std::vector<std::int8_t> codes_;
  DeviceMemory memory_;
};

/// Freivalds: y r is x (w^T r), for a random r and all rows at once, in integers modulo 2^64.
std::string check_s8(const DeviceMatrix& x, const DeviceMatrix& w,
                     const std::vector<std::int32_t>& y, std::size_t n) {
  std::mt19937_64 bits(99);
  std::vector<std::uint64_t> r(n), w_r(n);
  for (std::uint64_t& one : r) one = bits();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < n; ++k) {
      w_r[k] += static_cast<std::uint64_t>(w.codes()[j * n + k]) * r[j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t got = 0, want = 0;
    for (std::size_t j = 0; j < n; ++j) {
      got += static_cast<std::uint64_t>(y[i * n + j]) * r[j];
      want += static_cast<std::uint64_t>(x.codes()[i * n + j]) * w_r[j];
    }
    if (got != want) return "FAIL: row " + std::to_string(i);
  }
  return "exact";
}

/// Some elements: their sums are exact, so only the last rounding to half may differ.
std::string check_f16(const DeviceMatrix& x, const DeviceMatrix& w, const std::vector<__half>& y,
                      std::size_t n) {
  std::mt19937_64 bits(98);
  for (int element = 0; element < 1000; ++element) {
    const std::size_t i = bits() % n, j = bits() % n;
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      sum += std::int64_t{x.codes()[i * n + k]} * w.codes()[j * n + k];
    }
    const float want = static_cast<float>(sum) / 64, got = __half2float(y[i * n + j]);
    const float step = 0x1p-10f * std::max(1.0f, std::abs(want));
    if (!(std::abs(got - want) <= step)) return "FAIL: element " + std::to_string(i * n + j);
  }
  return "1000 elements";
}

template <class Element>
std::vector<Element> copied(const DeviceMemory& memory, std::size_t count) {
  std::vector<Element> host(count);
  must(cudaMemcpy(host.data(), memory.get(), count * sizeof(Element), cudaMemcpyDeviceToHost));
  return host;
}

/// Microseconds of a call; each sample is several calls between two events.
template <class Start>
Times timed(const Start& start, int samples) {
  cudaEvent_t begin = nullptr, end = nullptr;
  must(cudaEventCreate(&begin));
  must(cudaEventCreate(&end));
  std::vector<double> times;
  int call = 0;
  for (int i = 0; i < 3; ++i) start(call++);
  for (int i = 0; i < samples; ++i) {
    must(cudaEventRecord(begin, nullptr));
    for (int k = 0; k < kCalls; ++k) start(call++);
    must(cudaEventRecord(end, nullptr));
    must(cudaEventSynchronize(end));
    float milliseconds = 0;
    must(cudaEventElapsedTime(&milliseconds, begin, end));
    times.push_back(1e3 * static_cast<double>(milliseconds) / kCalls);
  }
  must(cudaEventDestroy(begin));
  must(cudaEventDestroy(end));
  return times_of(times);
}

/// The fastest offer, each timed for a moment.
std::size_t best_offer(const LtProduct& product, const DeviceMatrix& x, const DeviceMatrix& w,
                       const DeviceMemory& y) {
  std::size_t best = 0;
  double best_us = std::numeric_limits<double>::infinity();
  for (std::size_t offer = 0; offer < product.offers(); ++offer) {
    if (!product.start(offer, x.get(), w.get(), y.get())) continue;
    const auto again = [&](int) { product.start(offer, x.get(), w.get(), y.get()); };
    const double us = timed(again, 5).median_us;
    if (us < best_us) {
      best_us = us;
      best = offer;
    }
  }
  return best;
}

void measure(Type type, std::size_t n) {
  const LtProduct product(type, n);
  const DeviceMatrix x[2] = {{type, n, 1}, {type, n, 2}}, w[2] = {{type, n, 3}, {type, n, 4}};
  const DeviceMemory y(n * n * output_bytes(type));
  const auto starter = [&](std::size_t offer) {
    return [&, offer](int call) {
      const std::size_t set = static_cast<std::size_t>(call) % 2;
      if (!product.start(offer, x[set].get(), w[set].get(), y.get())) {
        throw std::runtime_error("an algorithm that was offered does not run");
      }
    };
  };
  const std::size_t best = best_offer(product, x[0], w[0], y);
  BenchRow row;
  row.section = "lt";
  const std::string size = std::to_string(n);
  row.name = size + "x" + size + "x" + size + (type == Type::kS8 ? " s8->s32" : " f16->f16");
  const double operations = 2.0 * static_cast<double>(n) * static_cast<double>(n * n);
  row.times = timed(starter(best), kSamples);
  const double first_us = timed(starter(0), kSamples).median_us;
  row.figures = {{"tops", operations / row.times.median_us * 1e-6},
                 {"first_us", first_us},
                 {"first_tops", operations / first_us * 1e-6},
                 {"offers", static_cast<double>(product.offers())}};
  must(cudaMemset(y.get(), 0xA5, n * n * output_bytes(type)));
  starter(best)(0);
  must(cudaDeviceSynchronize());
  row.check = type == Type::kS8 ? check_s8(x[0], w[0], copied<std::int32_t>(y, n * n), n)
                                : check_f16(x[0], w[0], copied<__half>(y, n * n), n);
  std::puts(json_line(row).c_str());
  std::fflush(stdout);
}

// --- In turn with our kernels --------------------------------------------------------------------

std::span<const std::byte> bytes(const std::string& image) {
  return std::as_bytes(std::span(image));
}

/// cuBLASLt on the operands of a problem: a, b_t and c come first.
Start cublaslt_start(const LtProduct& product, std::size_t offer) {
  return [&product, offer](const std::vector<void*>& arguments, const Stream& stream) {
    const auto at = [&](std::size_t i) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's own
      return reinterpret_cast<void*>(*static_cast<Address*>(arguments[i]));
    };
    if (!product.start(offer, at(0), at(1), at(2), stream.handle())) {
      throw std::runtime_error("the algorithm does not run");
    }
  };
}

/// The lab's last kernel, its fastest: the same operands, fresh each time, and the same sums.
BenchRow beside_cublaslt(const Gpu& gpu, const LabProblem& lab, const std::string& kit,
                         const std::string& candidate, const GpuCeilings& limits) {
  const auto n = static_cast<std::size_t>(lab.problem.work.n);
  const LtProduct product(Type::kS8, n);
  std::size_t best = 0;
  {
    const DeviceMatrix x(Type::kS8, n, 1), w(Type::kS8, n, 2);
    best = best_offer(product, x, w, DeviceMemory(n * n * sizeof(std::int32_t)));
  }
  PairedOptions options;
  options.pairs = 24;
  options.warm_up_us = 5e5;
  options.seed = std::random_device()();
  BenchRow row = time_problem(gpu, lab, bytes(kit), {"vs_lt", cublaslt_start(product, best)},
                              bytes(candidate), limits, options);
  row.section = "lt";
  return row;
}

/// Each of `labs` is "22_cuda_dp4a=solution.cubin".
void compare(const std::string& kit_file, const std::string& ceilings_file,
             const std::vector<std::string>& labs) {
  const FoundGpu found = Gpu::find();  // its context is the runtime library's, too
  if (found.gpu == nullptr) throw std::runtime_error(found.why);
  const std::string kit = files::read_file(kit_file), ceilings = files::read_file(ceilings_file);
  GpuCeilings limits;
  measure_ceilings(*found.gpu, bytes(kit), bytes(ceilings),
                   [&](const BenchRow& row) { limits.add(row); });
  for (const std::string& word : labs) {
    const std::size_t equals = word.find('=');
    const std::vector<LabProblem> problems = problems_of(word.substr(0, equals));
    if (problems.empty() || equals == std::string::npos) {
      throw std::runtime_error("no lab with kernels that are timed: " + word);
    }
    if (found.gpu->facts().sm < problems.back().least_sm) continue;
    const std::string candidate = files::read_file(word.substr(equals + 1));
    std::puts(
        json_line(beside_cublaslt(*found.gpu, problems.back(), kit, candidate, limits)).c_str());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace nibble::gpu

int main(int count, char** arguments) {
  using nibble::gpu::Type;
  CLI::App app("cuBLASLt on the GPU of this machine, alone and in turn with kernels of the labs");
  std::string kit, ceilings;
  std::vector<std::string> labs;
  app.add_option("--kit", kit, "kit_kernels.cu, as a cubin")->required();
  app.add_option("--ceilings", ceilings, "ceilings.cu, as a cubin")->required();
  app.add_option("--lab", labs, "22_cuda_dp4a=solution.cubin");
  CLI11_PARSE(app, count, arguments);
  const auto guarded = [](const std::function<void()>& measure) {
    try {
      measure();
    } catch (const std::exception& error) {
      std::puts(nibble::gpu::json_error_line("lt", error.what()).c_str());
    }
  };
  for (const Type type : {Type::kS8, Type::kF16}) {
    for (const std::size_t n : {1024, 2048, 4096, 8192}) {
      guarded([&] { nibble::gpu::measure(type, n); });
    }
  }
  guarded([&] { nibble::gpu::compare(kit, ceilings, labs); });
  return EXIT_SUCCESS;
}
