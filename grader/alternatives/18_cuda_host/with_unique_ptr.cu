// The same lab with exceptions inside: what fails is thrown, what was taken sits in unique_ptrs,
// and each function of the contract catches the one and lets the others go.
#include <memory>
#include <type_traits>

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

/// c[i,j] = sum over p of a[i,p] * b[p,j]: of a [m,k] and b [k,n], row-major. i runs along y of the
/// grid, j along x.
__global__ void multiply_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t i = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t j = index_of_thread();
  if (i >= m || j >= n) return;
  std::int32_t sum = 0;
  for (std::int64_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
  c[i * n + j] = sum;
}

namespace {

struct Failure {
  cudaError_t error;
};

void must_work(cudaError_t error) {
  if (error != cudaSuccess) throw Failure{error};
}

struct FreesDevice {
  void operator()(void* p) const { cudaFree(p); }
};
struct FreesPinned {
  void operator()(void* p) const { cudaFreeHost(p); }
};
template <class T>
using Device = std::unique_ptr<T[], FreesDevice>;
template <class T>
using Pinned = std::unique_ptr<T[], FreesPinned>;

template <class T>
Device<T> device_array(std::size_t count) {
  T* p = nullptr;
  must_work(cudaMalloc(&p, count * sizeof(T)));
  return Device<T>(p);
}

template <class T>
Pinned<T> pinned_array(std::size_t count) {
  T* p = nullptr;
  must_work(cudaMallocHost(&p, count * sizeof(T)));
  return Pinned<T>(p);
}

template <class T>
Device<T> on_device(std::span<const T> values) {
  auto array = device_array<T>(values.size());
  must_work(cudaMemcpy(array.get(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
  return array;
}

template <class T>
void fetch(std::span<T> values, const Device<T>& from) {
  must_work(cudaMemcpy(values.data(), from.get(), values.size_bytes(), cudaMemcpyDeviceToHost));
}

struct EndsStream {
  void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};
struct EndsEvent {
  void operator()(cudaEvent_t e) const { cudaEventDestroy(e); }
};
using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, EndsStream>;
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EndsEvent>;

Stream new_stream() {
  cudaStream_t s = nullptr;
  must_work(cudaStreamCreate(&s));
  return Stream(s);
}

/// A mark behind all that the stream has been given.
Event mark_in(const Stream& stream) {
  cudaEvent_t e = nullptr;
  must_work(cudaEventCreate(&e));
  Event event(e);
  must_work(cudaEventRecord(e, stream.get()));
  return event;
}

dim3 grid_for(std::size_t n, int block_size) {
  return dim3(static_cast<unsigned>((n - 1) / static_cast<std::size_t>(block_size) + 1));
}

constexpr int kBlock = 64;

template <class Body>
int error_of(const Body& body) {
  try {
    body();
    return cudaSuccess;
  } catch (const Failure& failure) {
    return failure.error;
  }
}

}  // namespace

int copy_through_device(std::span<const float> x, std::span<float> y) {
  if (x.empty()) return cudaSuccess;
  return error_of([&] {
    const auto first = on_device(x);
    const auto second = device_array<float>(x.size());
    must_work(cudaMemcpy(second.get(), first.get(), x.size_bytes(), cudaMemcpyDeviceToDevice));
    fetch(y, second);
  });
}

int quantize_on_device(std::span<const float> x, std::span<std::int8_t> q, float scale,
                       int block_size) {
  if (x.empty()) return cudaSuccess;
  return error_of([&] {
    const auto device_q = device_array<std::int8_t>(q.size());
    const auto device_x = on_device(x);
    quantize_kernel<<<grid_for(x.size(), block_size), static_cast<unsigned>(block_size)>>>(
        device_x.get(), device_q.get(), scale, std::ssize(x));
    must_work(cudaPeekAtLastError());
    fetch(q, device_q);
  });
}

int count_codes(std::span<const std::int8_t> q, std::span<std::int32_t> counts) {
  return error_of([&] {
    const auto device_counts = device_array<std::int32_t>(counts.size());
    must_work(cudaMemsetAsync(device_counts.get(), 0, counts.size_bytes()));
    Device<std::int8_t> device_q;
    if (!q.empty()) {
      device_q = on_device(q);
      count_kernel<<<grid_for(q.size(), kBlock), kBlock>>>(device_q.get(), device_counts.get(),
                                                           std::ssize(q));
      must_work(cudaGetLastError());
    }
    fetch(counts, device_counts);
  });
}

int quantize_in_chunks(std::span<const float> x, std::span<std::int8_t> q, float scale,
                       std::int64_t chunk) {
  if (x.empty()) return cudaSuccess;
  return error_of([&] {
    const std::size_t room = std::min(x.size(), static_cast<std::size_t>(chunk));
    struct Lane {
      Device<float> x;
      Device<std::int8_t> q;
      Pinned<float> pinned_x;
      Pinned<std::int8_t> pinned_q;
      Stream stream;
      std::size_t begin = 0, count = 0;
    } lanes[2];
    for (Lane& lane : lanes) {
      lane.x = device_array<float>(room);
      lane.q = device_array<std::int8_t>(room);
      lane.pinned_x = pinned_array<float>(room);
      lane.pinned_q = pinned_array<std::int8_t>(room);
      lane.stream = new_stream();
    }
    const auto finish = [&](Lane& lane) {
      if (lane.count == 0) return;
      must_work(cudaStreamSynchronize(lane.stream.get()));
      for (std::size_t i = 0; i < lane.count; ++i) q[lane.begin + i] = lane.pinned_q[i];
      lane.count = 0;
    };
    for (std::size_t begin = 0; begin < x.size(); begin += room) {
      Lane& lane = lanes[begin / room % 2];
      finish(lane);
      lane.begin = begin;
      const std::size_t count = std::min(room, x.size() - begin);
      for (std::size_t i = 0; i < count; ++i) lane.pinned_x[i] = x[begin + i];
      must_work(cudaMemcpyAsync(lane.x.get(), lane.pinned_x.get(), count * sizeof(float),
                                cudaMemcpyHostToDevice, lane.stream.get()));
      quantize_kernel<<<grid_for(count, kBlock), kBlock, 0, lane.stream.get()>>>(
          lane.x.get(), lane.q.get(), scale, static_cast<std::int64_t>(count));
      must_work(cudaGetLastError());
      must_work(cudaMemcpyAsync(lane.pinned_q.get(), lane.q.get(), count, cudaMemcpyDeviceToHost,
                                lane.stream.get()));
      lane.count = count;
    }
    for (Lane& lane : lanes) finish(lane);
  });
}

int quantize_with_own_scale(std::span<const float> x, std::span<std::int8_t> q,
                            std::span<float> scale) {
  return error_of([&] {
    const std::size_t half = x.size() / 2;
    const auto device_x = device_array<float>(x.size());
    const auto device_q = device_array<std::int8_t>(q.size());
    const auto absmax_bits = device_array<unsigned>(1);
    const Stream first = new_stream(), second = new_stream();
    const auto in_both = [&](const auto& order) {
      order(first, std::size_t{0}, half);
      order(second, half, x.size() - half);
    };
    must_work(cudaMemset(absmax_bits.get(), 0, sizeof(unsigned)));
    in_both([&](const Stream& stream, std::size_t begin, std::size_t count) {
      must_work(cudaMemcpyAsync(device_x.get() + begin, x.data() + begin, count * sizeof(float),
                                cudaMemcpyHostToDevice, stream.get()));
      absmax_kernel<<<grid_for(count, kBlock), kBlock, 0, stream.get()>>>(
          device_x.get() + begin, absmax_bits.get(), static_cast<std::int64_t>(count));
      must_work(cudaGetLastError());
    });
    const Event first_has = mark_in(first), second_has = mark_in(second);
    must_work(cudaStreamWaitEvent(first.get(), second_has.get(), 0));
    must_work(cudaStreamWaitEvent(second.get(), first_has.get(), 0));
    in_both([&](const Stream& stream, std::size_t begin, std::size_t count) {
      quantize_by_absmax_kernel<<<grid_for(count, kBlock), kBlock, 0, stream.get()>>>(
          device_x.get() + begin, device_q.get() + begin, absmax_bits.get(),
          static_cast<std::int64_t>(count));
      must_work(cudaGetLastError());
    });
    // The default stream waits for both.
    unsigned bits = 0;
    fetch(q, device_q);
    must_work(cudaMemcpy(&bits, absmax_bits.get(), sizeof bits, cudaMemcpyDeviceToHost));
    const float absmax = std::bit_cast<float>(bits);
    scale[0] = absmax > 0.0f ? std::max(absmax / 127.0f, FLT_MIN) : 1.0f;
  });
}

int multiply_on_device(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                       std::span<std::int32_t> c, MatmulShape shape) {
  if (c.empty()) return cudaSuccess;
  return error_of([&] {
    const auto device_a = device_array<std::int8_t>(a.size());
    const auto device_b = device_array<std::int8_t>(b.size());
    const auto device_c = device_array<std::int32_t>(c.size());
    const Stream first = new_stream(), second = new_stream();
    const std::int64_t n = shape.n, k = shape.k, half = shape.m / 2;
    const auto multiply = [&](const Stream& stream, std::int64_t begin, std::int64_t rows) {
      if (rows == 0) return;
      must_work(cudaMemcpyAsync(device_a.get() + begin * k, a.data() + begin * k,
                                static_cast<std::size_t>(rows * k), cudaMemcpyHostToDevice,
                                stream.get()));
      multiply_kernel<<<dim3(static_cast<unsigned>((n + kBlock - 1) / kBlock),
                             static_cast<unsigned>(rows)),
                        kBlock, 0, stream.get()>>>(device_a.get() + begin * k, device_b.get(),
                                                   device_c.get() + begin * n, rows, n, k);
      must_work(cudaGetLastError());
    };
    // b goes with the second half, which may be all there is.
    must_work(cudaMemcpyAsync(device_b.get(), b.data(), b.size_bytes(), cudaMemcpyHostToDevice,
                              second.get()));
    const Event has_b = mark_in(second);
    multiply(second, half, shape.m - half);
    must_work(cudaStreamWaitEvent(first.get(), has_b.get(), 0));
    multiply(first, 0, half);
    // The default stream waits for both.
    fetch(c, device_c);
  });
}

}  // namespace nibble
