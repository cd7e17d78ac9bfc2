// The driver's functions under their own names, as the kit's Finder looks for them.
#include "fake_driver.hpp"

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>

namespace {

using nibble::fake::Kernel;
using nibble::fake::State;

State state;

struct Function {
  std::string name;
  Kernel kernel;
};
struct Module {
  const void* image;
  std::map<std::string, std::unique_ptr<Function>> functions;
};
struct Event {
  double clock_us = 0.0;
};

using Address = std::uint64_t;
constexpr int kNotFound = 500, kOutOfMemory = 2, kInvalid = 1;

}  // namespace

extern "C" {

State* fake_cuda_state() { return &state; }

int cuInit(unsigned) { return state.init_status; }
int cuDriverGetVersion(int* version) { return *version = 13010, 0; }
int cuGetErrorName(int status, const char** name) {
  *name = status == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OF_THE_TEST";
  return status == 4242 ? kInvalid : 0;
}
int cuGetErrorString(int, const char** text) { return *text = "as planned", 0; }
int cuDeviceGetCount(int* count) { return *count = state.devices, 0; }
int cuDeviceGet(int* device, int) { return *device = 0, 0; }
int cuDeviceGetName(char* name, int length, int) {
  return std::strncpy(name, "Imagined GPU", static_cast<std::size_t>(length)), 0;
}
int cuDeviceGetAttribute(int* value, int which, int) {
  const std::map<int, int> values = {
      {75, state.sm / 10}, {76, state.sm % 10}, {16, state.multiprocessors},
      {13, 1980000},       {38, 50 << 20},      {97, 227 << 10},
      {108, 32 << 20}};
  const auto at = values.find(which);
  if (at == values.end()) return kInvalid;
  *value = at->second;
  return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = state.memory_bytes, 0; }
int cuDevicePrimaryCtxRetain(void** context, int) { return *context = &state, 0; }
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuDevicePrimaryCtxReset_v2(int) {
  state.sticky = 0;
  ++state.resets;
  return 0;
}
int cuCtxSetCurrent(void*) { return state.sticky; }
int cuCtxSynchronize() { return state.sticky; }
int cuCtxSetLimit(int, std::size_t) { return 0; }
int cuCtxResetPersistingL2Cache() { return state.sticky; }

int cuModuleLoadData(void** module, const void* image) {
  if (state.sticky != 0) return state.sticky;
  *module = new Module{image, {}};
  ++state.modules;
  ++state.loads;
  return 0;
}
int cuModuleUnload(void* module) {
  delete static_cast<Module*>(module);
  --state.modules;
  return state.sticky;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  auto& from = *static_cast<Module*>(module);
  Kernel kernel = state.kernel_of ? state.kernel_of(name, from.image) : Kernel();
  if (!kernel) return kNotFound;
  auto& slot = from.functions[name];
  slot = std::make_unique<Function>(Function{name, std::move(kernel)});
  *function = slot.get();
  return 0;
}
int cuModuleGetGlobal_v2(Address*, std::size_t*, void*, const char*) { return kNotFound; }
int cuFuncGetAttribute(int* value, int which, void*) {
  *value = which == 0 ? state.most_threads : 40;
  return 0;
}
int cuFuncSetAttribute(void*, int, int) { return state.sticky; }

int cuMemAlloc_v2(Address* address, std::size_t bytes) {
  if (state.sticky != 0) return state.sticky;
  void* const memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (memory == nullptr) return kOutOfMemory;
  *address = reinterpret_cast<Address>(memory);
  ++state.allocations;
  return 0;
}
int cuMemFree_v2(Address address) {
  std::free(reinterpret_cast<void*>(address));
  --state.allocations;
  return state.sticky;
}
int cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
  if (state.sticky == 0) std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return state.sticky;
}
int cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
  if (state.sticky == 0) std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return state.sticky;
}
int cuMemsetD8Async(Address to, unsigned char value, std::size_t bytes, void*) {
  if (state.sticky == 0) std::memset(reinterpret_cast<void*>(to), value, bytes);
  return state.sticky;
}

int cuStreamCreate(void** stream, unsigned) { return ++state.streams, *stream = &state, 0; }
int cuStreamDestroy_v2(void*) { return --state.streams, 0; }
int cuStreamSynchronize(void*) { return state.sticky; }
int cuEventCreate(void** event, unsigned) { return ++state.events, *event = new Event, 0; }
int cuEventDestroy_v2(void* event) {
  delete static_cast<Event*>(event);
  return --state.events, 0;
}
int cuEventRecord(void* event, void*) {
  static_cast<Event*>(event)->clock_us = state.clock_us;
  state.clock_us += 0.5;  // an event takes its time, too
  return state.sticky;
}
int cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  const double us = static_cast<Event*>(to)->clock_us - static_cast<Event*>(from)->clock_us;
  *milliseconds = static_cast<float>(1e-3 * us);
  return state.sticky;
}

int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned, unsigned block_x,
                   unsigned block_y, unsigned, unsigned shared_bytes, void*, void** arguments,
                   void**) {
  if (state.sticky != 0) return state.sticky;
  ++state.launches;
  const auto ran = static_cast<Function*>(function)->kernel(
      {grid_x, grid_y, block_x, block_y, shared_bytes, arguments});
  state.clock_us += ran.microseconds;
  state.sticky = ran.status;
  return 0;
}
}
