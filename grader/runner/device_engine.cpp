// Kernels on the SIMT engine: device memory is the engine's, a launch is a call. What the engine
// finds goes straight into the outputs, where the judge reads it, whatever becomes of this process.
#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "nibble/simt/launch.hpp"
#include "nibble/simt/session.hpp"
#include "protocol/arena.hpp"
#include "protocol/message.hpp"
#include "runner/device.hpp"
#include "runner/kernel_session.hpp"

namespace nibble {

static_assert(sizeof(simt::Report) <= protocol::kReportBytes);

namespace {
protocol::Far far;  ///< of the call that is running
}

namespace runner {

void begin_kernels(const protocol::Request& request, std::byte* outputs) {
  const protocol::KernelMode asked = protocol::KernelMode::unpack(request.mode);
  far = request.far;
  simt::SessionOptions options;
  options.counters = asked.counters;
  options.lockstep = asked.counters;
  options.races = options.uninitialised = !asked.counters;
  options.schedule = static_cast<simt::Schedule>(asked.schedule);
  options.seed = asked.seed;
  options.host_code = true;  // where there is none, nobody else can ask for a launch
  options.failing_call = asked.failing_call;
  options.report = reinterpret_cast<simt::Report*>(outputs + protocol::kReportOffset);
  simt::start(options);
}

void end_kernels() { simt::finish(); }

}  // namespace runner

namespace device {
namespace {

std::int64_t blocks_of(std::int64_t outputs, std::uint32_t tile) {
  return (outputs + tile - 1) / std::int64_t{tile};
}

dim3 grid_of(const Launch& launch, const Work& work) {
  const auto blocks = [](std::int64_t outputs, std::uint32_t tile) {
    return static_cast<unsigned>(std::min<std::int64_t>(blocks_of(outputs, tile), UINT32_MAX));
  };
  return {blocks(work.n, launch.tile_n), blocks(work.m, launch.tile_m), 1};
}

/// So many blocks come before that the index of some array passes 2^32, also one of 32 elements at
/// a time, where the grid has room for them. What is more than one element apart does not pass 2^31
/// itself: a row, or a column. Arrays begin at multiples of 256 bytes then, too.
std::int64_t blocks_before(std::int64_t outputs, std::uint32_t tile, std::int64_t most) {
  constexpr std::int64_t kGrain = 256, kFar = std::int64_t{5} << 35;
  constexpr std::int64_t kMostRows = INT32_MAX - (1 << 20);  // and a block behind the last of them
  const std::int64_t apart = std::max<std::int64_t>(1, *std::ranges::max_element(far.step));
  const std::int64_t wanted = std::min(kFar / apart, apart > 1 ? kMostRows : kFar);
  const std::int64_t room = most - blocks_of(outputs, tile);
  return std::max<std::int64_t>(std::min(wanted / tile + kGrain, room), 0) / kGrain * kGrain;
}

/// What the judge has mapped read-only, and where the kernel sees it.
struct LiveInput {
  const void* device;
  const void* host;
  std::size_t bytes;
};
std::vector<LiveInput> live_inputs;

void must_be_usable(const Kernel& kernel) {
  const std::string name = kernel.name;
  if (kernel.launch == nullptr) {
    throw runner::LaunchRefused("no launch descriptor: write NIBBLE_LAUNCH(" + name +
                                ", .block_x = ...) before the kernel");
  }
  if (kernel.launch->tile_m == 0 || kernel.launch->tile_n == 0) {
    throw runner::LaunchRefused(
        "the launch descriptor of " + name +
        " says that a block makes no outputs: tile_m and tile_n are at least 1");
  }
}

}  // namespace

Shift::Shift(const Launch* launch, const Work& work) {
  if (launch == nullptr || launch->tile_m == 0 || launch->tile_n == 0) return;
  if (far.along == protocol::Far::kRows) {
    before_.m = blocks_before(work.m, launch->tile_m, 65535) * launch->tile_m;
  } else if (far.along == protocol::Far::kColumns) {
    before_.n = blocks_before(work.n, launch->tile_n, INT32_MAX) * launch->tile_n;
  }
}

std::int64_t Shift::of(std::size_t argument) const {
  return argument < far.step.size() ? (before_.m + before_.n) * far.step[argument] : 0;
}

Buffer::Buffer(std::string_view name, const void* host, std::size_t bytes, bool is_output,
               std::int64_t before)
    : device_(simt::allocate(bytes, std::string(name).c_str(), before)),
      bytes_(bytes),
      before_(before) {
  if (is_output) {
    simt::poison(device_, host, bytes);
  } else {
    simt::copy_to_device(device_, host, bytes);
    live_inputs.push_back({device_, host, bytes});
  }
}

Buffer::~Buffer() {
  std::erase_if(live_inputs, [this](const LiveInput& input) { return input.device == device_; });
  simt::release(device_);
}

void Buffer::begin(const void* host) { simt::copy_to_device(device_, host, bytes_); }

void Buffer::copy_back(void* host) const {
  if (far.along != protocol::Far::kNothing) simt::check_written(device_, bytes_);
  simt::copy_to_host(host, device_, bytes_);
}

void launch(const Kernel& kernel, const Work& work, const Work& before) {
  must_be_usable(kernel);
  const Launch& asked = *kernel.launch;
  simt::LaunchConfig config(grid_of(asked, {work.m + before.m, work.n + before.n}),
                            dim3(asked.block_x, asked.block_y), asked.shared_bytes);
  config.first = {static_cast<unsigned>(before.n / asked.tile_n),
                  static_cast<unsigned>(before.m / asked.tile_m), 0};
  if (far.ends != 0) config.first.x = config.grid.x - 1;
  simt::launch_erased(config, kernel.name, kernel.call, kernel.closure);
  for (const LiveInput& input : live_inputs) {
    simt::check_input(input.device, input.host, input.bytes);
  }
}

}  // namespace device
}  // namespace nibble
