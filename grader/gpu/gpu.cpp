// The driver's calls behind objects that end what they began, each error as a sentence.
#include "gpu/gpu.hpp"

#include <array>
#include <cctype>
#include <fstream>
#include <utility>

namespace nibble::gpu {
namespace {

constexpr std::size_t kPrintfBytes = std::size_t{256} << 10;  ///< of kernels; the rest is lost

int attribute_of(const Driver& driver, Device device, int which) {
  int value = 0;
  return driver.cuDeviceGetAttribute(&value, which, device) == 0 ? value : 0;
}

/// As the kernel module tells it: "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  …".
std::string driver_version(const Driver& driver) {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0 &&
        word.find('.') != std::string::npos) {
      return word;
    }
  }
  int version = 0;
  driver.cuDriverGetVersion(&version);
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Facts facts_of(const Driver& driver, Device device) {
  std::array<char, 256> name{};
  check(driver, driver.cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device),
        "asking for the name of the GPU");
  const auto number = [&](int which) { return attribute_of(driver, device, which); };
  const auto size = [&](int which) { return static_cast<std::size_t>(number(which)); };
  Facts facts;
  facts.name = name.data();
  facts.driver = driver_version(driver);
  facts.sm = 10 * number(attribute::kMajor) + number(attribute::kMinor);
  facts.multiprocessors = number(attribute::kMultiprocessors);
  facts.sm_mhz = number(attribute::kClockRate) / 1000;
  facts.l2_bytes = size(attribute::kL2Bytes);
  facts.shared_optin_bytes = size(attribute::kSharedOptin);
  driver.cuDeviceTotalMem_v2(&facts.memory_bytes, device);
  return facts;
}

void open_context(const Driver& driver, Device device) {
  ContextHandle context = nullptr;
  check(driver, driver.cuDevicePrimaryCtxRetain(&context, device), "opening the GPU");
  check(driver, driver.cuCtxSetCurrent(context), "choosing the GPU");
  driver.cuCtxSetLimit(limit::kPrintfBytes, kPrintfBytes);
}

}  // namespace

FoundGpu Gpu::find(const char* library) {
  const LoadedDriver loaded = load_driver(library);
  if (loaded.driver == nullptr) return {nullptr, loaded.why};
  const Driver& driver = *loaded.driver;
  int count = 0;
  if (const Status status = driver.cuInit(0); status != 0) {
    return {nullptr, "the NVIDIA driver does not start: " + error_text(driver, status)};
  }
  if (driver.cuDeviceGetCount(&count) != 0 || count == 0)
    return {nullptr, "no GPU in this machine"};
  Device device = 0;
  try {
    check(driver, driver.cuDeviceGet(&device, 0), "choosing the GPU");
    return {std::unique_ptr<Gpu>(new Gpu(driver, device)), ""};
  } catch (const CudaError& error) {
    return {nullptr, error.what()};
  }
}

Gpu::Gpu(const Driver& driver, Device device)
    : driver_(driver), device_(device), facts_(facts_of(driver, device)) {
  open_context(driver_, device_);
}

Gpu::~Gpu() { driver_.cuDevicePrimaryCtxRelease_v2(device_); }

void Gpu::synchronize() const { check(driver_, driver_.cuCtxSynchronize(), "waiting for the GPU"); }

void Gpu::reset() {
  driver_.cuDevicePrimaryCtxReset_v2(device_);
  driver_.cuDevicePrimaryCtxRelease_v2(device_);
  open_context(driver_, device_);
}

Memory::Memory(const Gpu& gpu, std::size_t bytes) : driver_(&gpu.driver()), bytes_(bytes) {
  const std::size_t some = bytes == 0 ? 1 : bytes;
  check(*driver_, driver_->cuMemAlloc_v2(&address_, some),
        "taking " + std::to_string(some) + " bytes of the GPU's memory");
}

Memory::~Memory() {
  if (address_ != 0) driver_->cuMemFree_v2(address_);
}

Memory::Memory(Memory&& other) noexcept
    : driver_(other.driver_),
      address_(std::exchange(other.address_, 0)),
      bytes_(std::exchange(other.bytes_, 0)) {}

void Memory::write(std::size_t offset, std::span<const std::byte> from) const {
  if (from.empty()) return;
  check(*driver_, driver_->cuMemcpyHtoD_v2(address_ + offset, from.data(), from.size()),
        "copying to the GPU");
}

void Memory::read(std::size_t offset, std::span<std::byte> into) const {
  if (into.empty()) return;
  check(*driver_, driver_->cuMemcpyDtoH_v2(into.data(), address_ + offset, into.size()),
        "copying from the GPU");
}

Module::Module(const Gpu& gpu, std::span<const std::byte> image) : driver_(&gpu.driver()) {
  check(*driver_, driver_->cuModuleLoadData(&handle_, image.data()), "loading the kernels");
}

Module::~Module() { driver_->cuModuleUnload(handle_); }

FunctionHandle Module::function(const std::string& name) const {
  FunctionHandle found = nullptr;
  check(*driver_, driver_->cuModuleGetFunction(&found, handle_, name.c_str()),
        "looking for the kernel " + name);
  return found;
}

Stream::Stream(const Gpu& gpu) : driver_(&gpu.driver()) {
  check(*driver_, driver_->cuStreamCreate(&handle_, 0), "making a stream");
}

Stream::~Stream() { driver_->cuStreamDestroy_v2(handle_); }

void Stream::synchronize() const {
  check(*driver_, driver_->cuStreamSynchronize(handle_), "waiting for the GPU");
}

Event::Event(const Gpu& gpu) : driver_(&gpu.driver()) {
  check(*driver_, driver_->cuEventCreate(&handle_, 0), "making an event");
}

Event::~Event() {
  if (handle_ != nullptr) driver_->cuEventDestroy_v2(handle_);
}

Event::Event(Event&& other) noexcept
    : driver_(other.driver_), handle_(std::exchange(other.handle_, nullptr)) {}

void Event::record(const Stream& stream) const {
  check(*driver_, driver_->cuEventRecord(handle_, stream.handle()), "recording an event");
}

double Event::microseconds_since(const Event& earlier) const {
  float milliseconds = 0;
  check(*driver_, driver_->cuEventElapsedTime(&milliseconds, earlier.handle_, handle_),
        "reading the GPU's clock");
  return 1e3 * static_cast<double>(milliseconds);
}

void launch(const Gpu& gpu, FunctionHandle function, const Shape& shape, void** arguments,
            StreamHandle stream) {
  const Driver& driver = gpu.driver();
  constexpr unsigned kWithoutAsking = 48u << 10;
  if (shape.shared_bytes > kWithoutAsking) {
    check(driver,
          driver.cuFuncSetAttribute(function, function_attribute::kMaxDynamicShared,
                                    static_cast<int>(shape.shared_bytes)),
          "asking for " + std::to_string(shape.shared_bytes) + " bytes of shared memory");
  }
  check(driver,
        driver.cuLaunchKernel(function, shape.grid_x, shape.grid_y, 1, shape.block_x, shape.block_y,
                              1, shape.shared_bytes, stream, arguments, nullptr),
        "starting the kernel");
}

}  // namespace nibble::gpu
