// One GPU, opened: what it is, its memory, its modules, its clock. Everything here frees itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "gpu/driver.hpp"

namespace nibble::gpu {

struct Facts {
  std::string name;    ///< "NVIDIA H200"
  std::string driver;  ///< "580.159.04", or "CUDA 13.0" where only that is known
  int sm = 0;          ///< compute capability: 90
  int multiprocessors = 0;
  int sm_mhz = 0;  ///< the highest that the chip reaches
  std::size_t memory_bytes = 0, l2_bytes = 0, shared_optin_bytes = 0;
};

struct FoundGpu;

/// The first GPU of the machine, with its primary context made current for this thread.
class Gpu {
 public:
  /// Finds it or says why there is none. `library` is for the kit's own tests.
  static FoundGpu find(const char* library = "libcuda.so.1");

  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  ~Gpu();

  const Facts& facts() const { return facts_; }
  const Driver& driver() const { return driver_; }

  void synchronize() const;  ///< throws CudaError when something queued before did not work

  /// After an error of a kernel a context is of no more use: this makes a new one. All memory and
  /// all modules of the old one are gone.
  void reset();

 private:
  Gpu(const Driver& driver, Device device);

  const Driver& driver_;
  Device device_;
  Facts facts_;
};

struct FoundGpu {
  std::unique_ptr<Gpu> gpu;
  std::string why;  ///< when there is none: a sentence
};

/// Memory of the GPU, 256-byte aligned.
class Memory {
 public:
  Memory(const Gpu& gpu, std::size_t bytes);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  Memory(Memory&& other) noexcept;

  Address address() const { return address_; }
  std::size_t bytes() const { return bytes_; }
  void write(std::size_t offset, std::span<const std::byte> from) const;
  void read(std::size_t offset, std::span<std::byte> into) const;

 private:
  const Driver* driver_;
  Address address_ = 0;
  std::size_t bytes_ = 0;
};

/// The code of one cubin, with a copy of its own of every __device__ variable.
class Module {
 public:
  Module(const Gpu& gpu, std::span<const std::byte> image);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  /// Throws CudaError when there is no kernel of that name.
  FunctionHandle function(const std::string& name) const;

 private:
  const Driver* driver_;
  ModuleHandle handle_ = nullptr;
};

class Stream {
 public:
  explicit Stream(const Gpu& gpu);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  StreamHandle handle() const { return handle_; }
  void synchronize() const;

 private:
  const Driver* driver_;
  StreamHandle handle_ = nullptr;
};

/// A moment on a stream.
class Event {
 public:
  explicit Event(const Gpu& gpu);
  ~Event();
  Event(Event&& other) noexcept;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record(const Stream& stream) const;
  double microseconds_since(const Event& earlier) const;

 private:
  const Driver* driver_;
  EventHandle handle_ = nullptr;
};

struct Shape {
  unsigned grid_x = 1, grid_y = 1, block_x = 1, block_y = 1, shared_bytes = 0;
};

/// Queues one launch; `arguments` holds the address of each argument.
void launch(const Gpu& gpu, FunctionHandle function, const Shape& shape, void** arguments,
            StreamHandle stream);

}  // namespace nibble::gpu
