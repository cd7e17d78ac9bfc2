// Opens the driver's library and finds each function by its name;
// without it there is no GPU here, and a reason.
#include "gpu/driver.hpp"

#include <dlfcn.h>

#include <cstring>
#include <map>
#include <mutex>

namespace nibble::gpu {
namespace {

/// Looks a function up under the name of its member; remembers the first that is missing.
class SymbolLookup {
 public:
  explicit SymbolLookup(void* library) : library_(library) {}

  template <class Function>
  void find(Function*& member, const char* name) {
    void* const symbol = dlsym(library_, name);
    if (symbol == nullptr && missing_ == nullptr) missing_ = name;
    static_assert(sizeof member == sizeof symbol);
    std::memcpy(&member, &symbol, sizeof member);  // POSIX: a function's address fits a void*
  }

  const char* missing() const { return missing_; }

 private:
  void* library_;
  const char* missing_ = nullptr;
};

#define NIBBLE_FIND(name) finder.find(driver.name, #name)
void find_all(SymbolLookup& finder, Driver& driver) {
  NIBBLE_FIND(cuInit);
  NIBBLE_FIND(cuDriverGetVersion);
  NIBBLE_FIND(cuGetErrorName);
  NIBBLE_FIND(cuGetErrorString);
  NIBBLE_FIND(cuDeviceGetCount);
  NIBBLE_FIND(cuDeviceGet);
  NIBBLE_FIND(cuDeviceGetName);
  NIBBLE_FIND(cuDeviceGetAttribute);
  NIBBLE_FIND(cuDeviceTotalMem_v2);
  NIBBLE_FIND(cuDevicePrimaryCtxRetain);
  NIBBLE_FIND(cuDevicePrimaryCtxRelease_v2);
  NIBBLE_FIND(cuDevicePrimaryCtxReset_v2);
  NIBBLE_FIND(cuCtxSetCurrent);
  NIBBLE_FIND(cuCtxSynchronize);
  NIBBLE_FIND(cuCtxSetLimit);
  NIBBLE_FIND(cuCtxResetPersistingL2Cache);
  NIBBLE_FIND(cuModuleLoadData);
  NIBBLE_FIND(cuModuleUnload);
  NIBBLE_FIND(cuModuleGetFunction);
  NIBBLE_FIND(cuModuleGetGlobal_v2);
  NIBBLE_FIND(cuFuncGetAttribute);
  NIBBLE_FIND(cuFuncSetAttribute);
  NIBBLE_FIND(cuMemAlloc_v2);
  NIBBLE_FIND(cuMemFree_v2);
  NIBBLE_FIND(cuMemcpyHtoD_v2);
  NIBBLE_FIND(cuMemcpyDtoH_v2);
  NIBBLE_FIND(cuMemsetD8Async);
  NIBBLE_FIND(cuStreamCreate);
  NIBBLE_FIND(cuStreamDestroy_v2);
  NIBBLE_FIND(cuStreamSynchronize);
  NIBBLE_FIND(cuEventCreate);
  NIBBLE_FIND(cuEventDestroy_v2);
  NIBBLE_FIND(cuEventRecord);
  NIBBLE_FIND(cuEventElapsedTime);
  NIBBLE_FIND(cuLaunchKernel);
}
#undef NIBBLE_FIND

}  // namespace

LoadedDriver load_driver(const char* library) {
  static std::mutex one_at_a_time;
  static std::map<std::string, Driver> loaded;
  const std::lock_guard lock(one_at_a_time);
  if (const auto known = loaded.find(library); known != loaded.end()) return {&known->second, ""};
  // Never closed: the driver has threads of its own, which would lose their code.
  void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {nullptr, "no NVIDIA driver here"};
  Driver driver{};
  SymbolLookup finder(handle);
  find_all(finder, driver);
  if (finder.missing() != nullptr) {
    return {nullptr,
            std::string("the NVIDIA driver here is too old: it has no ") + finder.missing()};
  }
  return {&loaded.emplace(library, driver).first->second, ""};
}

std::string error_text(const Driver& driver, Status status) {
  const char *name = nullptr, *sentence = nullptr;
  if (driver.cuGetErrorName(status, &name) != 0 || name == nullptr) {
    return "CUDA error " + std::to_string(status);
  }
  driver.cuGetErrorString(status, &sentence);
  return sentence == nullptr ? name : std::string(name) + ": " + sentence;
}

void check(const Driver& driver, Status status, const std::string& doing) {
  if (status != 0) throw CudaError(status, doing + ": " + error_text(driver, status));
}

}  // namespace nibble::gpu
