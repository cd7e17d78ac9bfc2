#include "cuda_host.hpp"

namespace nibble {

// The kernels are ready. In each, a thread works on one element; threads too many do nothing.

__device__ std::int64_t index_of_thread() {
  return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

__device__ std::int8_t code_of(float x, float scale) {
  return static_cast<std::int8_t>(max(-128, min(127, __float2int_rn(x / scale))));
}

__global__ void quantize_kernel(const float* x, std::int8_t* q, float scale, std::int64_t n) {
  const std::int64_t i = index_of_thread();
  if (i < n) q[i] = code_of(x[i], scale);
}

/// Adds 1 to counts[q[i] + 128].
__global__ void count_kernel(const std::int8_t* q, std::int32_t* counts, std::int64_t n) {
  const std::int64_t i = index_of_thread();
  if (i < n) atomicAdd(&counts[q[i] + 128], 1);
}

/// Raises *absmax_bits to the bits of max |x[i]|: floats that are not negative are ordered as their
/// bits.
__global__ void absmax_kernel(const float* x, unsigned* absmax_bits, std::int64_t n) {
  const std::int64_t i = index_of_thread();
  if (i < n) atomicMax(absmax_bits, __float_as_uint(fabsf(x[i])));
}

/// Quantizes with the scale that belongs to *absmax_bits.
__global__ void quantize_by_absmax_kernel(const float* x, std::int8_t* q,
                                          const unsigned* absmax_bits, std::int64_t n) {
  const std::int64_t i = index_of_thread();
  const float absmax = __uint_as_float(*absmax_bits);
  if (i < n) q[i] = code_of(x[i], absmax > 0.0f ? fmaxf(absmax / 127.0f, FLT_MIN) : 1.0f);
}

/// c[row,column] = sum over p of a[row,p] * b[p,column]: of a [m,k] and b [k,n], row-major. Rows
/// run along y of the grid, columns along x.
__global__ void multiply_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t column = index_of_thread();
  if (row < m && column < n) {
    std::int32_t total = 0;
    for (std::int64_t p = k; p-- > 0;) total += a[row * k + p] * b[p * n + column];
    c[row * n + column] = total;
  }
}

// NIBBLE-BEGIN-SOLUTION
/// Leaves the function with the error of the call, if it has one.
#define RETURN_IF_FAILED(call)                                                \
  do {                                                                        \
    if (const cudaError_t error = (call); error != cudaSuccess) return error; \
  } while (false)

namespace {

// What is taken belongs to an object, and is given back when that ends:
// on every way out of a function.

class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { cudaFree(address_); }  // of a null pointer: nothing happens

  cudaError_t take(std::size_t bytes) { return cudaMalloc(&address_, bytes); }
  template <class T>
  T* as() const {
    return static_cast<T*>(address_);
  }

 private:
  void* address_ = nullptr;
};

class PinnedMemory {
 public:
  PinnedMemory() = default;
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() {
    if (address_ != nullptr) cudaFreeHost(address_);
  }

  cudaError_t take(std::size_t bytes) { return cudaMallocHost(&address_, bytes); }
  template <class T>
  T* as() const {
    return static_cast<T*>(address_);
  }

 private:
  void* address_ = nullptr;
};

struct Stream {
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (handle != nullptr) cudaStreamDestroy(handle);
  }
  cudaStream_t handle = nullptr;
};

struct Event {
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() {
    if (handle != nullptr) cudaEventDestroy(handle);
  }
  cudaEvent_t handle = nullptr;
};

constexpr unsigned kBlock = 256;

/// As many blocks as n elements need.
unsigned blocks_for(std::int64_t n, std::int64_t block_size) {
  return static_cast<unsigned>((n + block_size - 1) / block_size);
}

}  // namespace
// NIBBLE-END

int copy_through_device(std::span<const float> x, std::span<float> y) {
  // NIBBLE-BEGIN-SOLUTION
  if (x.empty()) return cudaSuccess;
  DeviceMemory first, second;
  RETURN_IF_FAILED(first.take(x.size_bytes()));
  RETURN_IF_FAILED(second.take(x.size_bytes()));
  RETURN_IF_FAILED(cudaMemcpy(first.as<float>(), x.data(), x.size_bytes(), cudaMemcpyHostToDevice));
  RETURN_IF_FAILED(
      cudaMemcpy(second.as<float>(), first.as<float>(), x.size_bytes(), cudaMemcpyDeviceToDevice));
  RETURN_IF_FAILED(
      cudaMemcpy(y.data(), second.as<float>(), y.size_bytes(), cudaMemcpyDeviceToHost));
  return cudaSuccess;
  // NIBBLE-STUB: NIBBLE_TODO("there, across and back; what does the third copy read if the first fails?");
  // NIBBLE-END
}

int quantize_on_device(std::span<const float> x, std::span<std::int8_t> q, float scale,
                       int block_size) {
  // NIBBLE-BEGIN-SOLUTION
  if (x.empty()) return cudaSuccess;
  const std::int64_t n = std::ssize(x);
  DeviceMemory device_x, device_q;
  RETURN_IF_FAILED(device_x.take(x.size_bytes()));
  RETURN_IF_FAILED(device_q.take(q.size_bytes()));
  RETURN_IF_FAILED(
      cudaMemcpy(device_x.as<float>(), x.data(), x.size_bytes(), cudaMemcpyHostToDevice));
  quantize_kernel<<<blocks_for(n, block_size), static_cast<unsigned>(block_size)>>>(
      device_x.as<float>(), device_q.as<std::int8_t>(), scale, n);
  RETURN_IF_FAILED(cudaGetLastError());  // a launch returns nothing
  RETURN_IF_FAILED(
      cudaMemcpy(q.data(), device_q.as<std::int8_t>(), q.size_bytes(), cudaMemcpyDeviceToHost));
  return cudaSuccess;
  // NIBBLE-STUB: NIBBLE_TODO("launch a grid that covers x, and ask whether it was launched");
  // NIBBLE-END
}

int count_codes(std::span<const std::int8_t> q, std::span<std::int32_t> counts) {
  // NIBBLE-BEGIN-SOLUTION
  DeviceMemory device_q, device_counts;
  RETURN_IF_FAILED(device_counts.take(counts.size_bytes()));
  RETURN_IF_FAILED(cudaMemset(device_counts.as<std::int32_t>(), 0, counts.size_bytes()));
  if (!q.empty()) {
    RETURN_IF_FAILED(device_q.take(q.size_bytes()));
    RETURN_IF_FAILED(
        cudaMemcpy(device_q.as<std::int8_t>(), q.data(), q.size_bytes(), cudaMemcpyHostToDevice));
    count_kernel<<<blocks_for(std::ssize(q), kBlock), kBlock>>>(
        device_q.as<std::int8_t>(), device_counts.as<std::int32_t>(), std::ssize(q));
    RETURN_IF_FAILED(cudaGetLastError());
  }
  RETURN_IF_FAILED(cudaMemcpy(counts.data(), device_counts.as<std::int32_t>(), counts.size_bytes(),
                              cudaMemcpyDeviceToHost));
  return cudaSuccess;
  // NIBBLE-STUB: NIBBLE_TODO("what do the counters hold before the kernel adds to them?");
  // NIBBLE-END
}

// NIBBLE-BEGIN-SOLUTION
namespace {

/// One of the two streams, with all that its chunks need. Between begin and finish its chunk is on
/// its way, and nobody may touch its pinned memory.
class Lane {
 public:
  cudaError_t take(std::int64_t chunk) {
    const auto count = static_cast<std::size_t>(chunk);
    RETURN_IF_FAILED(pinned_x_.take(count * sizeof(float)));
    RETURN_IF_FAILED(pinned_q_.take(count));
    RETURN_IF_FAILED(device_x_.take(count * sizeof(float)));
    RETURN_IF_FAILED(device_q_.take(count));
    return cudaStreamCreate(&stream_.handle);
  }

  cudaError_t begin(std::span<const float> x, std::span<std::int8_t> q, float scale) {
    std::copy(x.begin(), x.end(), pinned_x_.as<float>());
    q_ = q;
    RETURN_IF_FAILED(cudaMemcpyAsync(device_x_.as<float>(), pinned_x_.as<float>(), x.size_bytes(),
                                     cudaMemcpyHostToDevice, stream_.handle));
    quantize_kernel<<<blocks_for(std::ssize(x), kBlock), kBlock, 0, stream_.handle>>>(
        device_x_.as<float>(), device_q_.as<std::int8_t>(), scale, std::ssize(x));
    RETURN_IF_FAILED(cudaGetLastError());
    return cudaMemcpyAsync(pinned_q_.as<std::int8_t>(), device_q_.as<std::int8_t>(), q.size_bytes(),
                           cudaMemcpyDeviceToHost, stream_.handle);
  }

  cudaError_t finish() {
    RETURN_IF_FAILED(cudaStreamSynchronize(stream_.handle));
    std::copy_n(pinned_q_.as<std::int8_t>(), q_.size(), q_.begin());
    q_ = {};
    return cudaSuccess;
  }

 private:
  Stream stream_;  // first, so that it ends last: what frees memory waits for the work in it
  PinnedMemory pinned_x_, pinned_q_;
  DeviceMemory device_x_, device_q_;
  std::span<std::int8_t> q_;
};

}  // namespace
// NIBBLE-END

int quantize_in_chunks(std::span<const float> x, std::span<std::int8_t> q, float scale,
                       std::int64_t chunk) {
  // NIBBLE-BEGIN-SOLUTION
  if (x.empty()) return cudaSuccess;
  chunk = std::min<std::int64_t>(chunk, std::ssize(x));
  Lane lanes[2];
  for (Lane& lane : lanes) RETURN_IF_FAILED(lane.take(chunk));
  int turn = 0;
  for (std::int64_t begin = 0; begin < std::ssize(x); begin += chunk) {
    const auto count = static_cast<std::size_t>(std::min(chunk, std::ssize(x) - begin));
    Lane& lane = lanes[turn++ % 2];
    RETURN_IF_FAILED(lane.finish());  // its chunk before this one
    RETURN_IF_FAILED(lane.begin(x.subspan(static_cast<std::size_t>(begin), count),
                                q.subspan(static_cast<std::size_t>(begin), count), scale));
  }
  for (Lane& lane : lanes) RETURN_IF_FAILED(lane.finish());
  return cudaSuccess;
  // NIBBLE-STUB: NIBBLE_TODO("two streams take turns; when may a stream's memory be used again?");
  // NIBBLE-END
}

// NIBBLE-BEGIN-SOLUTION
namespace {

/// One half of the elements, on the device, in a stream of its own.
struct Half {
  std::span<const float> x;
  std::span<std::int8_t> q;
  Stream stream{};
  Event has_absmax{};
  DeviceMemory device_x{}, device_q{};

  cudaError_t take() {
    RETURN_IF_FAILED(device_x.take(x.size_bytes()));
    RETURN_IF_FAILED(device_q.take(q.size_bytes()));
    RETURN_IF_FAILED(cudaStreamCreate(&stream.handle));
    return cudaEventCreateWithFlags(&has_absmax.handle, cudaEventDisableTiming);
  }

  cudaError_t find_absmax(unsigned* absmax_bits) {
    RETURN_IF_FAILED(cudaMemcpyAsync(device_x.as<float>(), x.data(), x.size_bytes(),
                                     cudaMemcpyHostToDevice, stream.handle));
    absmax_kernel<<<blocks_for(std::ssize(x), kBlock), kBlock, 0, stream.handle>>>(
        device_x.as<float>(), absmax_bits, std::ssize(x));
    RETURN_IF_FAILED(cudaGetLastError());
    return cudaEventRecord(has_absmax.handle, stream.handle);
  }

  cudaError_t quantize(const unsigned* absmax_bits, const Half& other) {
    RETURN_IF_FAILED(cudaStreamWaitEvent(stream.handle, other.has_absmax.handle, 0));
    quantize_by_absmax_kernel<<<blocks_for(std::ssize(x), kBlock), kBlock, 0, stream.handle>>>(
        device_x.as<float>(), device_q.as<std::int8_t>(), absmax_bits, std::ssize(x));
    return cudaGetLastError();
  }

  cudaError_t fetch() {
    RETURN_IF_FAILED(cudaMemcpyAsync(q.data(), device_q.as<std::int8_t>(), q.size_bytes(),
                                     cudaMemcpyDeviceToHost, stream.handle));
    return cudaStreamSynchronize(stream.handle);
  }
};

}  // namespace
// NIBBLE-END

int quantize_with_own_scale(std::span<const float> x, std::span<std::int8_t> q,
                            std::span<float> scale) {
  // NIBBLE-BEGIN-SOLUTION
  const std::size_t middle = x.size() / 2;
  Half halves[2] = {{x.first(middle), q.first(middle)}, {x.subspan(middle), q.subspan(middle)}};
  DeviceMemory absmax;
  RETURN_IF_FAILED(absmax.take(sizeof(float)));
  for (Half& half : halves) RETURN_IF_FAILED(half.take());
  // In the default stream: what both streams are given later waits for it.
  RETURN_IF_FAILED(cudaMemset(absmax.as<unsigned>(), 0, sizeof(float)));
  for (Half& half : halves) RETURN_IF_FAILED(half.find_absmax(absmax.as<unsigned>()));
  for (int i = 0; i < 2; ++i) {
    RETURN_IF_FAILED(halves[i].quantize(absmax.as<unsigned>(), halves[1 - i]));
  }
  for (Half& half : halves) RETURN_IF_FAILED(half.fetch());
  float largest = 0.0f;
  RETURN_IF_FAILED(
      cudaMemcpy(&largest, absmax.as<float>(), sizeof largest, cudaMemcpyDeviceToHost));
  scale[0] = largest > 0.0f ? std::max(largest / 127.0f, FLT_MIN) : 1.0f;
  return cudaSuccess;
  // NIBBLE-STUB: NIBBLE_TODO("who has to wait for whom before anything is quantized?");
  // NIBBLE-END
}

// NIBBLE-BEGIN-SOLUTION
namespace {

/// Some rows of a and of c, on the device, in a stream of their own.
struct RowsOfProduct {
  std::span<const std::int8_t> a;  // [rows,k]
  std::span<std::int32_t> c;       // [rows,n]
  std::int64_t rows, n, k;
  Stream stream{};
  DeviceMemory device_a{}, device_c{};

  cudaError_t take() {
    RETURN_IF_FAILED(device_a.take(a.size_bytes()));
    RETURN_IF_FAILED(device_c.take(c.size_bytes()));
    return cudaStreamCreate(&stream.handle);
  }

  cudaError_t multiply(const std::int8_t* b, const Event& has_b) {
    if (rows == 0) return cudaSuccess;
    RETURN_IF_FAILED(cudaMemcpyAsync(device_a.as<std::int8_t>(), a.data(), a.size_bytes(),
                                     cudaMemcpyHostToDevice, stream.handle));
    RETURN_IF_FAILED(cudaStreamWaitEvent(stream.handle, has_b.handle, 0));
    const dim3 block(32, 8);
    const dim3 grid(blocks_for(n, block.x), blocks_for(rows, block.y));
    multiply_kernel<<<grid, block, 0, stream.handle>>>(device_a.as<std::int8_t>(), b,
                                                       device_c.as<std::int32_t>(), rows, n, k);
    return cudaGetLastError();
  }

  cudaError_t fetch() {
    RETURN_IF_FAILED(cudaMemcpyAsync(c.data(), device_c.as<std::int32_t>(), c.size_bytes(),
                                     cudaMemcpyDeviceToHost, stream.handle));
    return cudaStreamSynchronize(stream.handle);
  }
};

}  // namespace
// NIBBLE-END

int multiply_on_device(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                       std::span<std::int32_t> c, MatmulShape shape) {
  // NIBBLE-BEGIN-SOLUTION
  if (c.empty()) return cudaSuccess;
  const std::int64_t n = shape.n, k = shape.k, middle = shape.m / 2;
  const auto first_a = static_cast<std::size_t>(middle * k);
  const auto first_c = static_cast<std::size_t>(middle * n);
  RowsOfProduct halves[2] = {{a.first(first_a), c.first(first_c), middle, n, k},
                             {a.subspan(first_a), c.subspan(first_c), shape.m - middle, n, k}};
  Event has_b;
  DeviceMemory device_b;
  RETURN_IF_FAILED(cudaEventCreateWithFlags(&has_b.handle, cudaEventDisableTiming));
  RETURN_IF_FAILED(device_b.take(b.size_bytes()));
  for (RowsOfProduct& half : halves) RETURN_IF_FAILED(half.take());
  // Once for both: the other stream waits for the mark behind it.
  const cudaStream_t first = halves[0].stream.handle;
  RETURN_IF_FAILED(cudaMemcpyAsync(device_b.as<std::int8_t>(), b.data(), b.size_bytes(),
                                   cudaMemcpyHostToDevice, first));
  RETURN_IF_FAILED(cudaEventRecord(has_b.handle, first));
  for (RowsOfProduct& half : halves) {
    RETURN_IF_FAILED(half.multiply(device_b.as<std::int8_t>(), has_b));
  }
  for (RowsOfProduct& half : halves) RETURN_IF_FAILED(half.fetch());
  return cudaSuccess;
  // NIBBLE-STUB: NIBBLE_TODO("which stream brings b, and how does the other one know that it is there?");
  // NIBBLE-END
}

}  // namespace nibble
