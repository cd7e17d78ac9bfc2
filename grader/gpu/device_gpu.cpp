// Kernels on a GPU: device memory is the GPU's, a launch goes through its driver. Linked into
// a runner that holds no line of the learner's: their kernels lie in it as a cubin,
// a file for the GPU alone.
//
//     call       memory with fences   a fresh copy of the module   launch   wait
//     then       fences as they were?   inputs as they were?   outputs back to the judge
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

#include "gpu/cubin.hpp"
#include "gpu/fenced_memory.hpp"
#include "gpu/launch_limits.hpp"
#include "nibble/simt/report.hpp"
#include "protocol/arena.hpp"
#include "protocol/message.hpp"
#include "runner/device.hpp"
#include "runner/kernel_session.hpp"

#ifndef NIBBLE_CUDA_DRIVER
#define NIBBLE_CUDA_DRIVER "libcuda.so.1"
#endif

// Where the linker put the cubin.
extern "C" {
extern const std::byte nibble_cubin_begin[];
extern const std::byte nibble_cubin_end[];
}

namespace nibble {
namespace {

using gpu::FencedMemory;

std::uint64_t any_number() {
  std::random_device bits;
  return (std::uint64_t{bits()} << 32) | bits();
}

/// Set by the wrapper that runs this process under compute-sanitizer.
bool is_under_a_tool() { return std::getenv("NIBBLE_NO_FENCES") != nullptr; }

FencedMemory::Fences wanted_fences() {
  return is_under_a_tool() ? FencedMemory::Fences::kNo : FencedMemory::Fences::kYes;
}

/// The tool is what the judge has started, and is ended with it; whom the tool has started would
/// go on, for as long as its kernel takes.
void end_with_the_judge() {
  if (!is_under_a_tool()) return;
  std::thread([] {
    pollfd judge{protocol::kSocketFd, POLLRDHUP, 0};
    while (poll(&judge, 1, -1) < 0 || (judge.revents & (POLLRDHUP | POLLHUP)) == 0) {
    }
    _exit(EXIT_FAILURE);
  }).detach();
}

class GpuSession {
 public:
  GpuSession() { end_with_the_judge(); }

  static GpuSession& get() {
    static GpuSession session;
    return session;
  }

  gpu::Gpu& device() {
    if (found_.gpu == nullptr) throw std::runtime_error("not run on a GPU: " + found_.why);
    if (broken_) {
      found_.gpu->reset();
      broken_ = false;
    }
    return *found_.gpu;
  }

  static std::span<const std::byte> image() { return {nibble_cubin_begin, nibble_cubin_end}; }

  const gpu::CubinKernel& kernel(const std::string& name) {
    if (!cubin_) cubin_ = gpu::read_cubin(image());
    const gpu::CubinKernel* const found = cubin_->find(name);
    if (found == nullptr) {
      throw std::runtime_error("the file has no kernel " + name +
                               ": its name and its parameters are the contract's");
    }
    return *found;
  }

  void* add(std::string_view name, const void* host, std::size_t bytes, bool is_output) {
    auto memory = std::make_unique<FencedMemory>(
        device(), std::string(name), std::span(static_cast<const std::byte*>(host), bytes),
        is_output, any_number(), wanted_fences());
    const gpu::Address address = memory->address();
    buffers_[address] = std::move(memory);
    return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr): the driver's own
  }

  std::unique_ptr<FencedMemory>& buffer(void* address) {
    return buffers_.at(reinterpret_cast<gpu::Address>(address));
  }
  void remove(void* address) { buffers_.erase(reinterpret_cast<gpu::Address>(address)); }
  const auto& buffers() const { return buffers_; }

  void begin(simt::Report* report) {
    report_ = report;
    *report_ = {};
    report_->magic = simt::Report::kMagic;
  }

  /// Adds a finding, while there is room.
  void note(const simt::EngineFinding& finding) {
    if (report_ == nullptr) return;
    if (report_->findings == simt::Report::kFindings) {
      ++report_->more_findings;
    } else {
      report_->finding[report_->findings++] = finding;
    }
  }

  void count_launch(gpu::Grid grid, const Launch& launch) {
    if (report_ == nullptr) return;
    const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y;
    report_->totals.launches += 1;
    report_->totals.blocks += blocks;
    report_->totals.threads += blocks * launch.block_x * launch.block_y;
  }

  void break_down() { broken_ = true; }

 private:
  gpu::FoundGpu found_ = gpu::Gpu::find(NIBBLE_CUDA_DRIVER);
  std::optional<gpu::Cubin> cubin_;
  std::map<gpu::Address, std::unique_ptr<FencedMemory>> buffers_;
  simt::Report* report_ = nullptr;
  bool broken_ = false;
};

template <std::size_t Size>
void set_text(char (&field)[Size], const std::string& text) {
  std::strncpy(field, text.c_str(), Size - 1);
  field[Size - 1] = 0;
}

simt::EngineFinding finding_of(simt::Kind kind, const std::string& kernel) {
  simt::EngineFinding finding{};
  finding.kind = kind;
  finding.in_kernel = 1;
  finding.times = 1;
  set_text(finding.kernel, kernel);
  return finding;
}

struct Stop {
  gpu::Status status;
  simt::Kind kind;
  const char* sentence;
};

/// What a GPU says when it stops a kernel. It tells the kind, neither the thread nor the line.
constexpr std::array kStops{
    Stop{700, simt::Kind::kGlobalOob, "read or wrote memory that is not its own"},
    Stop{716, simt::Kind::kMisaligned, "made an access off its own size"},
    Stop{717, simt::Kind::kHostPointer, "used an address of another kind of memory"},
    Stop{718, simt::Kind::kHostPointer, "jumped to where no code is"},
    Stop{710, simt::Kind::kNone, "failed an assert of its own"},
    Stop{715, simt::Kind::kNone, "stopped itself"},
    Stop{702, simt::Kind::kBudget, "ran longer than this GPU allows"},
    Stop{701, simt::Kind::kBadLaunch, "asks for more registers or memory than a block has"},
};

[[noreturn]] void stopped(const std::string& kernel, const gpu::CudaError& error) {
  const auto at = std::ranges::find(kStops, error.status, &Stop::status);
  const bool known = at != kStops.end();
  const std::string sentence = known ? at->sentence : "was stopped";
  if (known && at->kind != simt::Kind::kNone) {
    simt::EngineFinding finding = finding_of(at->kind, kernel);
    set_text(finding.detail, sentence + " (the GPU does not say where)");
    GpuSession::get().note(finding);
  }
  GpuSession::get().break_down();
  throw std::runtime_error(kernel + " " + sentence + ": " + error.what());
}

/// Fences and inputs, once the kernel has ended.
void inspect(const std::string& kernel) {
  for (const auto& [address, buffer] : GpuSession::get().buffers()) {
    if (const auto damage = buffer->damage()) {
      simt::EngineFinding finding = finding_of(simt::Kind::kGlobalOob, kernel);
      finding.is_write = 1;
      finding.bytes = static_cast<std::uint32_t>(damage->bytes);
      finding.offset = damage->offset;
      finding.size = buffer->bytes();
      set_text(finding.subject, buffer->name());
      GpuSession::get().note(finding);
    }
    if (const auto changed = buffer->changed_byte()) {
      throw std::runtime_error(kernel + " changed its input " + buffer->name() + ", at byte " +
                               std::to_string(*changed));
    }
  }
}

void must_fit(const gpu::Gpu& device, gpu::FunctionHandle function, const std::string& kernel,
              const Launch& launch) {
  int most = 0, registers = 0;
  device.driver().cuFuncGetAttribute(&most, gpu::function_attribute::kMaxThreadsPerBlock, function);
  device.driver().cuFuncGetAttribute(&registers, gpu::function_attribute::kRegisters, function);
  const std::uint32_t threads = launch.block_x * launch.block_y;
  if (most > 0 && threads > static_cast<std::uint32_t>(most)) {
    throw std::runtime_error(kernel + " takes " + std::to_string(registers) +
                             " registers a thread: a block has room for " + std::to_string(most) +
                             " threads, and " + std::to_string(threads) + " are asked for");
  }
}

}  // namespace

namespace runner {

void begin_kernels(const protocol::Request&, std::byte* outputs) {
  static_assert(sizeof(simt::Report) <= protocol::kReportBytes);
  GpuSession::get().begin(reinterpret_cast<simt::Report*>(outputs + protocol::kReportOffset));
}

void end_kernels() {}

}  // namespace runner

namespace device {

Shift::Shift(const Launch*, const Work&) {}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): the engine's is none
std::int64_t Shift::of(std::size_t) const { return 0; }

Buffer::Buffer(std::string_view name, const void* host, std::size_t bytes, bool is_output,
               std::int64_t)
    : device_(GpuSession::get().add(name, host, bytes, is_output)), bytes_(bytes), before_(0) {}

Buffer::~Buffer() { GpuSession::get().remove(device_); }

void Buffer::begin(const void*) {}  // it was copied, as every output is

void Buffer::copy_back(void* host) const {
  GpuSession::get().buffer(device_)->copy_back({static_cast<std::byte*>(host), bytes_});
}

void launch(const Kernel& kernel, const Work& work, const Work&) {
  GpuSession& session = GpuSession::get();
  const std::string name = kernel.name;
  const gpu::Gpu& device = session.device();
  const gpu::CubinKernel& found = session.kernel(name);
  if (!found.launch) {
    throw runner::LaunchRefused("no launch descriptor: write NIBBLE_LAUNCH(" + name +
                                ", .block_x = ...) before the kernel");
  }
  const Launch& asked = *found.launch;
  if (const std::string trouble = gpu::launch_trouble(name, asked, device.facts().sm);
      !trouble.empty()) {
    throw runner::LaunchRefused(trouble);
  }
  const gpu::Grid grid = gpu::grid_of(name, asked, work);
  try {
    const gpu::Module module(device, GpuSession::image());  // __device__ variables as they were
    const gpu::FunctionHandle function = module.function(name);
    must_fit(device, function, name, asked);
    gpu::launch(device, function,
                {grid.x, grid.y, asked.block_x, asked.block_y, asked.shared_bytes},
                kernel.arguments, nullptr);
    session.count_launch(grid, asked);
    device.synchronize();
  } catch (const gpu::CudaError& error) {
    stopped(name, error);
  }
  inspect(name);
}

}  // namespace device
}  // namespace nibble
