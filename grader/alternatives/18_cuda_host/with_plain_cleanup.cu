// The same lab as C programs do it: one error that everything asks for,
// and one place where all is given back.
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

constexpr std::int64_t kBlock = 128;

unsigned blocks_for(std::int64_t n, std::int64_t block_size) {
  return static_cast<unsigned>(n / block_size + (n % block_size != 0 ? 1 : 0));
}

}  // namespace

int copy_through_device(std::span<const float> x, std::span<float> y) {
  const std::size_t bytes = x.size_bytes();
  if (bytes == 0) return 0;
  void *first = nullptr, *second = nullptr;
  cudaError_t error = cudaMalloc(&first, bytes);
  if (!error) error = cudaMalloc(&second, bytes);
  if (!error) error = cudaMemcpy(first, x.data(), bytes, cudaMemcpyHostToDevice);
  if (!error) error = cudaMemcpy(second, first, bytes, cudaMemcpyDefault);
  if (!error) error = cudaMemcpy(y.data(), second, bytes, cudaMemcpyDefault);
  cudaFree(second);
  cudaFree(first);
  return error;
}

int quantize_on_device(std::span<const float> x, std::span<std::int8_t> q, float scale,
                       int block_size) {
  if (x.empty()) return 0;
  const std::int64_t n = std::ssize(x);
  float* device_x = nullptr;
  std::int8_t* device_q = nullptr;
  cudaError_t error = cudaMalloc(&device_x, x.size_bytes());
  if (!error) error = cudaMalloc(&device_q, q.size_bytes());
  if (!error) error = cudaMemcpy(device_x, x.data(), x.size_bytes(), cudaMemcpyHostToDevice);
  if (!error) {
    quantize_kernel<<<dim3(blocks_for(n, block_size)), dim3(static_cast<unsigned>(block_size))>>>(
        device_x, device_q, scale, n);
    error = cudaGetLastError();
  }
  if (!error) error = cudaDeviceSynchronize();
  if (!error) error = cudaMemcpy(q.data(), device_q, q.size_bytes(), cudaMemcpyDeviceToHost);
  cudaFree(device_q);
  cudaFree(device_x);
  return error;
}

int count_codes(std::span<const std::int8_t> q, std::span<std::int32_t> counts) {
  std::int8_t* device_q = nullptr;
  std::int32_t* device_counts = nullptr;
  std::fill(counts.begin(), counts.end(), 0);
  cudaError_t error = cudaMalloc(&device_counts, counts.size_bytes());
  if (!error) error = cudaMalloc(&device_q, q.size_bytes());
  if (!error) {
    error = cudaMemcpy(device_counts, counts.data(), counts.size_bytes(), cudaMemcpyHostToDevice);
  }
  if (!error) error = cudaMemcpy(device_q, q.data(), q.size_bytes(), cudaMemcpyHostToDevice);
  if (!error && !q.empty()) {
    count_kernel<<<blocks_for(std::ssize(q), kBlock), kBlock>>>(device_q, device_counts,
                                                                std::ssize(q));
    error = cudaGetLastError();
  }
  if (!error) {
    error = cudaMemcpy(counts.data(), device_counts, counts.size_bytes(), cudaMemcpyDeviceToHost);
  }
  cudaFree(device_q);
  cudaFree(device_counts);
  return error;
}

int quantize_in_chunks(std::span<const float> x, std::span<std::int8_t> q, float scale,
                       std::int64_t chunk) {
  if (x.empty()) return 0;
  const std::int64_t n = std::ssize(x), room = std::min(n, chunk);
  cudaStream_t streams[2] = {};
  cudaEvent_t done[2] = {};
  float *device_x[2] = {}, *pinned_x[2] = {};
  std::int8_t *device_q = nullptr, *pinned_q = nullptr;  // for both: the second half is stream 1's
  cudaError_t error = cudaMalloc(&device_q, static_cast<std::size_t>(2 * room));
  if (!error) error = cudaMallocHost(&pinned_q, static_cast<std::size_t>(2 * room));
  for (int i = 0; i < 2; ++i) {
    if (!error) error = cudaMalloc(&device_x[i], static_cast<std::size_t>(room) * sizeof(float));
    if (!error)
      error = cudaMallocHost(&pinned_x[i], static_cast<std::size_t>(room) * sizeof(float));
    if (!error) error = cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    if (!error) error = cudaEventCreate(&done[i]);
  }
  // Chunk i is ordered in turn i, and fetched two turns later.
  const std::int64_t chunks = (n + room - 1) / room;
  for (std::int64_t i = 0; !error && i < chunks + 2; ++i) {
    const std::int64_t lane = i % 2, fetched = i - 2;
    if (fetched >= 0 && fetched < chunks) {
      error = cudaEventSynchronize(done[lane]);
      const std::int64_t count = std::min(room, n - fetched * room);
      if (!error) {
        std::copy_n(pinned_q + lane * room, count, q.begin() + fetched * room);
      }
    }
    if (error || i >= chunks) continue;
    const std::int64_t count = std::min(room, n - i * room);
    std::copy_n(x.begin() + i * room, count, pinned_x[lane]);
    error = cudaMemcpyAsync(device_x[lane], pinned_x[lane],
                            static_cast<std::size_t>(count) * sizeof(float), cudaMemcpyHostToDevice,
                            streams[lane]);
    if (!error) {
      quantize_kernel<<<blocks_for(count, kBlock), kBlock, 0, streams[lane]>>>(
          device_x[lane], device_q + lane * room, scale, count);
      error = cudaGetLastError();
    }
    if (!error) {
      error =
          cudaMemcpyAsync(pinned_q + lane * room, device_q + lane * room,
                          static_cast<std::size_t>(count), cudaMemcpyDeviceToHost, streams[lane]);
    }
    if (!error) error = cudaEventRecord(done[lane], streams[lane]);
  }
  for (int i = 0; i < 2; ++i) {
    if (streams[i]) cudaStreamDestroy(streams[i]);
    if (done[i]) cudaEventDestroy(done[i]);
    cudaFree(device_x[i]);  // waits for what is still on its way
    if (pinned_x[i]) cudaFreeHost(pinned_x[i]);
  }
  cudaFree(device_q);
  if (pinned_q) cudaFreeHost(pinned_q);
  return error;
}

int quantize_with_own_scale(std::span<const float> x, std::span<std::int8_t> q,
                            std::span<float> scale) {
  const std::int64_t n = std::ssize(x), begin[2] = {0, n / 2}, count[2] = {n / 2, n - n / 2};
  cudaStream_t streams[2] = {};
  cudaEvent_t cleared = nullptr, found[2] = {};
  float* device_x = nullptr;
  std::int8_t* device_q = nullptr;
  unsigned* absmax_bits = nullptr;
  cudaError_t error = cudaMalloc(&device_x, x.size_bytes());
  if (!error) error = cudaMalloc(&device_q, q.size_bytes());
  if (!error) error = cudaMalloc(&absmax_bits, sizeof *absmax_bits);
  if (!error) error = cudaEventCreate(&cleared);
  for (int i = 0; i < 2; ++i) {
    if (!error) error = cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    if (!error) error = cudaEventCreate(&found[i]);
  }
  // Stream 0 clears the word; stream 1 waits for that.
  if (!error) error = cudaMemsetAsync(absmax_bits, 0, sizeof *absmax_bits, streams[0]);
  if (!error) error = cudaEventRecord(cleared, streams[0]);
  if (!error) error = cudaStreamWaitEvent(streams[1], cleared, 0);
  for (int i = 0; i < 2; ++i) {
    if (!error) {
      error = cudaMemcpyAsync(device_x + begin[i], x.data() + begin[i],
                              static_cast<std::size_t>(count[i]) * sizeof(float),
                              cudaMemcpyHostToDevice, streams[i]);
    }
    if (!error) {
      absmax_kernel<<<blocks_for(count[i], kBlock), kBlock, 0, streams[i]>>>(device_x + begin[i],
                                                                             absmax_bits, count[i]);
      error = cudaGetLastError();
    }
    if (!error) error = cudaEventRecord(found[i], streams[i]);
  }
  for (int i = 0; i < 2; ++i) {
    if (!error) error = cudaStreamWaitEvent(streams[i], found[1 - i], 0);
    if (!error) {
      quantize_by_absmax_kernel<<<blocks_for(count[i], kBlock), kBlock, 0, streams[i]>>>(
          device_x + begin[i], device_q + begin[i], absmax_bits, count[i]);
      error = cudaGetLastError();
    }
  }
  if (!error) error = cudaDeviceSynchronize();
  float absmax = 0.0f;
  if (!error) error = cudaMemcpy(q.data(), device_q, q.size_bytes(), cudaMemcpyDeviceToHost);
  if (!error) error = cudaMemcpy(&absmax, absmax_bits, sizeof absmax, cudaMemcpyDeviceToHost);
  scale[0] = absmax > 0.0f ? std::max(absmax / 127.0f, FLT_MIN) : 1.0f;
  for (int i = 0; i < 2; ++i) {
    if (found[i]) cudaEventDestroy(found[i]);
    if (streams[i]) cudaStreamDestroy(streams[i]);
  }
  if (cleared) cudaEventDestroy(cleared);
  cudaFree(absmax_bits);
  cudaFree(device_q);
  cudaFree(device_x);
  return error;
}

int multiply_on_device(std::span<const std::int8_t> a, std::span<const std::int8_t> b,
                       std::span<std::int32_t> c, MatmulShape shape) {
  if (c.empty()) return 0;
  if (shape.k == 0) return std::fill(c.begin(), c.end(), 0), 0;
  const std::int64_t n = shape.n, k = shape.k, begin[3] = {0, shape.m / 2, shape.m};
  cudaStream_t streams[2] = {};
  cudaEvent_t has_b = nullptr;
  std::int8_t *device_a = nullptr, *device_b = nullptr;
  std::int32_t* device_c = nullptr;
  cudaError_t error = cudaMalloc(&device_a, a.size_bytes());
  if (!error) error = cudaMalloc(&device_b, b.size_bytes());
  if (!error) error = cudaMalloc(&device_c, c.size_bytes());
  if (!error) error = cudaEventCreate(&has_b);
  for (cudaStream_t& stream : streams) {
    if (!error) error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  }
  // The rows of both halves go first: stream 1's are on their way beside b.
  for (int i = 0; i < 2; ++i) {
    const std::int64_t codes = (begin[i + 1] - begin[i]) * k;
    if (error || codes == 0) continue;
    error = cudaMemcpyAsync(device_a + begin[i] * k, a.data() + begin[i] * k,
                            static_cast<std::size_t>(codes), cudaMemcpyHostToDevice, streams[i]);
  }
  if (!error) {
    error = cudaMemcpyAsync(device_b, b.data(), b.size_bytes(), cudaMemcpyHostToDevice, streams[0]);
  }
  if (!error) error = cudaEventRecord(has_b, streams[0]);
  if (!error) error = cudaStreamWaitEvent(streams[1], has_b, 0);
  for (int i = 0; i < 2; ++i) {
    const std::int64_t rows = begin[i + 1] - begin[i];
    if (error || rows == 0) continue;
    multiply_kernel<<<dim3(blocks_for(n, 16), blocks_for(rows, 16)), dim3(16, 16), 0, streams[i]>>>(
        device_a + begin[i] * k, device_b, device_c + begin[i] * n, rows, n, k);
    error = cudaGetLastError();
  }
  for (cudaStream_t stream : streams) {
    if (!error) error = cudaStreamSynchronize(stream);
  }
  if (!error) error = cudaMemcpy(c.data(), device_c, c.size_bytes(), cudaMemcpyDeviceToHost);
  if (has_b) cudaEventDestroy(has_b);
  for (cudaStream_t stream : streams) {
    if (stream) cudaStreamDestroy(stream);
  }
  cudaFree(device_c);
  cudaFree(device_b);
  cudaFree(device_a);
  return error;
}

}  // namespace nibble
