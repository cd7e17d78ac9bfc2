// Host code with planted bugs. The line of each says in brackets which case must name it.
#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>

#include "case.cuh"

__global__ void add_one(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0f;
}
__device__ int visits;
__global__ void visit() { atomicAdd(&visits, 1); }
__global__ void take_first(const float* from, float* to) { *to = *from; }
__global__ void count(unsigned* n) { atomicAdd(n, 1); }
__global__ void take_count(const unsigned* from, unsigned* to) { *to = *from; }

namespace {

constexpr int kN = 1000;
constexpr std::size_t kBytes = kN * sizeof(float);

bool is_counted_up(const float* x, float by) {
  for (int i = 0; i < kN; i++) {
    if (x[i] != float(i) + by) return false;
  }
  return true;
}

/// Pinned memory that holds 0, 1, 2 ...
float* pinned_ramp() {
  float* p = nullptr;
  cudaMallocHost(&p, kBytes);
  std::iota(p, p + kN, 0.0f);
  return p;
}

struct Streams {
  Streams() {
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
  }
  Streams(const Streams&) = delete;
  ~Streams() {
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
  }
  cudaStream_t a = nullptr, b = nullptr;
};

// ---- right programs

bool round_trip() {
  std::vector<float> x(kN);
  std::iota(x.begin(), x.end(), 0.0f);
  float* device = nullptr;
  cudaMalloc(&device, kBytes);
  cudaMemcpy(device, x.data(), kBytes, cudaMemcpyHostToDevice);
  add_one<<<(kN + 255) / 256, 256>>>(device, kN);
  cudaMemcpy(x.data(), device, kBytes, cudaMemcpyDeviceToHost);
  cudaFree(device);
  return cudaGetLastError() == cudaSuccess && is_counted_up(x.data(), 1);
}

bool pipeline() {
  float* host = pinned_ramp();
  float* device = nullptr;
  cudaMalloc(&device, kBytes);
  bool right = true;
  {
    Streams streams;
    for (int i = 0; i < 4; i++) {
      cudaStream_t stream = i % 2 == 0 ? streams.a : streams.b;
      float *h = host + 250 * i, *d = device + 250 * i;
      cudaMemcpyAsync(d, h, 1000, cudaMemcpyHostToDevice, stream);
      add_one<<<1, 256, 0, stream>>>(d, 250);
      cudaMemcpyAsync(h, d, 1000, cudaMemcpyDeviceToHost, stream);
    }
    cudaStreamSynchronize(streams.a);
    cudaStreamSynchronize(streams.b);
    right = is_counted_up(host, 1);
  }
  cudaFree(device);
  cudaFreeHost(host);
  return right;
}

/// One stream makes what the other needs; an event stands between.
template <bool kIsWaitedFor>
bool event_between() {
  float* host = pinned_ramp();
  float *x = nullptr, *y = nullptr, result = -1;
  cudaMalloc(&x, kBytes);
  cudaMalloc(&y, sizeof(float));
  cudaMemset(y, 0, sizeof(float));
  cudaDeviceSynchronize();
  cudaEvent_t ready;
  cudaEventCreate(&ready);
  {
    Streams streams;
    cudaMemcpyAsync(x, host + 7, 4, cudaMemcpyHostToDevice, streams.a);
    cudaEventRecord(ready, streams.a);
    if (kIsWaitedFor) cudaStreamWaitEvent(streams.b, ready, 0);
    take_first<<<1, 1, 0, streams.b>>>(x, y);
    cudaStreamSynchronize(streams.b);
    cudaStreamSynchronize(streams.a);
  }
  cudaMemcpy(&result, y, sizeof result, cudaMemcpyDeviceToHost);
  cudaEventDestroy(ready);
  cudaFree(x);
  cudaFree(y);
  cudaFreeHost(host);
  return result == 7;
}

/// The default stream waits for the others, and they for it.
bool default_stream() {
  float *x = nullptr, result = 0;
  cudaMalloc(&x, sizeof(float));
  {
    Streams streams;
    cudaMemsetAsync(x, 0, sizeof(float), streams.a);
    add_one<<<1, 1>>>(x, 1);
    add_one<<<1, 1, 0, streams.b>>>(x, 1);
    cudaStreamSynchronize(streams.b);
  }
  cudaMemcpy(&result, x, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(x);
  return result == 2;
}

/// Bytes that lie side by side are each a stream's own.
bool neighbours() {
  std::uint8_t host[7] = {};
  std::uint8_t* bytes = nullptr;
  cudaMalloc(&bytes, sizeof host);
  {
    Streams streams;
    cudaMemsetAsync(bytes, 1, 3, streams.a);
    cudaMemsetAsync(bytes + 3, 2, 4, streams.b);
    cudaMemcpyAsync(host, bytes, 3, cudaMemcpyDeviceToHost, streams.a);
    cudaMemcpyAsync(host + 3, bytes + 3, 4, cudaMemcpyDeviceToHost, streams.b);
  }
  cudaFree(bytes);
  return host[2] == 1 && host[3] == 2;
}

/// Atomic operations of two streams need no order; who reads their sum waits for both. An event
/// may be recorded again.
bool both_count() {
  unsigned *n = nullptr, result[2] = {};
  cudaMalloc(&n, 3 * sizeof *n);
  cudaMemset(n, 0, 3 * sizeof *n);
  cudaEvent_t mark;
  cudaEventCreate(&mark);
  {
    Streams streams;
    count<<<1, 5, 0, streams.a>>>(n);
    cudaEventRecord(mark, streams.a);
    count<<<1, 7, 0, streams.b>>>(n);
    cudaStreamWaitEvent(streams.b, mark, 0);
    take_count<<<1, 1, 0, streams.b>>>(n, n + 1);
    cudaEventRecord(mark, streams.b);
    cudaStreamWaitEvent(streams.a, mark, 0);
    take_count<<<1, 1, 0, streams.a>>>(n, n + 2);
    cudaMemcpyAsync(result, n + 1, sizeof *n, cudaMemcpyDeviceToHost, streams.b);
    cudaMemcpyAsync(result + 1, n + 2, sizeof *n, cudaMemcpyDeviceToHost, streams.a);
  }
  cudaEventDestroy(mark);
  cudaFree(n);
  return result[0] == 12 && result[1] == 12;
}

/// A stream for each piece of work, waited for before the next is made; then many of them at once.
bool a_stream_each() {
  constexpr int kInARow = 1000, kAtOnce = 100;
  float *x = nullptr, result = 0;
  unsigned char *bytes = nullptr, host[kAtOnce] = {};
  cudaMalloc(&x, sizeof(float));
  cudaMalloc(&bytes, kAtOnce);
  cudaMemset(x, 0, sizeof(float));
  for (int i = 0; i < kInARow; ++i) {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    add_one<<<1, 1, 0, stream>>>(x, 1);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaStream_t streams[kAtOnce];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  for (int i = 0; i < kAtOnce; ++i) cudaMemsetAsync(bytes + i, i, 1, streams[i]);
  for (const cudaStream_t stream : streams) cudaStreamSynchronize(stream);
  for (const cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaMemcpy(&result, x, sizeof *x, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, bytes, kAtOnce, cudaMemcpyDeviceToHost);
  cudaFree(bytes);
  cudaFree(x);
  return result == kInARow && host[kAtOnce - 1] == kAtOnce - 1;
}

/// What the host has waited for, or has asked after until it was done, comes before all that it
/// orders then.
bool host_between() {
  float *x = nullptr, result = 0;
  cudaMalloc(&x, sizeof(float));
  cudaEvent_t done;
  cudaEventCreate(&done);
  {
    Streams streams;
    cudaMemsetAsync(x, 0, sizeof(float), streams.a);
    cudaEventRecord(done, streams.a);
    while (cudaEventQuery(done) == cudaErrorNotReady) {
    }
    add_one<<<1, 1, 0, streams.b>>>(x, 1);
    cudaEventRecord(done, streams.b);
    cudaEventSynchronize(done);
    add_one<<<1, 1, 0, streams.a>>>(x, 1);
    cudaStreamSynchronize(streams.a);
    add_one<<<1, 1, 0, streams.b>>>(x, 1);
    cudaDeviceSynchronize();
    cudaMemcpyAsync(&result, x, sizeof *x, cudaMemcpyDeviceToHost, streams.a);
  }
  cudaEventDestroy(done);
  cudaFree(x);
  return result == 3;
}

/// A stream that takes no part in that.
bool no_default_stream() {
  float *x = nullptr, result = -1;
  cudaStream_t stream;
  cudaMalloc(&x, sizeof(float));
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemset(x, 0, sizeof(float));
  cudaStreamSynchronize(nullptr);
  add_one<<<1, 1, 0, stream>>>(x, 1);
  cudaStreamSynchronize(stream);
  cudaMemcpy(&result, x, sizeof result, cudaMemcpyDeviceToHost);
  cudaStreamDestroy(stream);
  cudaFree(x);
  return result == 1;
}

/// A variable of the device's, by its address.
bool sets_a_variable() {
  void* address = nullptr;
  int seen = -1;
  cudaGetSymbolAddress(&address, visits);
  cudaMemset(address, 0, sizeof visits);
  visit<<<3, 64>>>();
  cudaMemcpyFromSymbol(&seen, visits, sizeof seen);
  return cudaGetLastError() == cudaSuccess && seen == 3 * 64;
}

/// Rows with room between them, copied there and back, and launched by a configuration.
bool in_rows() {
  constexpr int kRows = 5, kWide = 60;
  std::vector<float> x(kRows * kWide);
  std::iota(x.begin(), x.end(), 0.0f);
  const auto shared = std::make_shared<std::vector<float>>(x.size());
  const auto also = shared;
  std::vector<float>& y = *also;
  float* device = nullptr;
  std::size_t pitch = 0;
  cudaStream_t stream;
  cudaEvent_t done;
  int least = 0, greatest = 0, grid = 0, block = 0;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest);
  cudaEventCreate(&done, cudaEventBlockingSync | cudaEventDisableTiming);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_one);
  constexpr std::size_t kRow = kWide * sizeof(float);
  cudaMallocPitch(&device, &pitch, kRow, kRows);
  cudaMemset2D(device, pitch, 0, kRow, kRows);
  cudaDeviceSynchronize();
  cudaMemcpy2DAsync(device, pitch, x.data(), kRow, kRow, kRows, cudaMemcpyHostToDevice, stream);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = block;
  config.stream = stream;
  for (int row = 0; row < kRows; row++) {
    float* at = reinterpret_cast<float*>(reinterpret_cast<char*>(device) + row * pitch);
    cudaLaunchKernelEx(&config, add_one, at, kWide);
  }
  cudaEventRecord(done, stream);
  cudaEventSynchronize(done);
  cudaMemcpy2D(y.data(), kRow, device, pitch, kRow, kRows, cudaMemcpyDeviceToHost);
  cudaEventDestroy(done);
  cudaStreamDestroy(stream);
  cudaFree(device);
  bool right = pitch >= kRow && pitch % 512 == 0;
  right = right && cudaMallocPitch(&device, &pitch, 512, SIZE_MAX / 512 + 2) == cudaErrorMemoryAllocation &&
          cudaGetLastError() == cudaErrorMemoryAllocation;
  for (std::size_t i = 0; i < x.size(); i++) right = right && y[i] == x[i] + 1;
  return right && cudaMemcpy2D(y.data(), 4, x.data(), 4, 8, 2, cudaMemcpyHostToHost) != cudaSuccess &&
         cudaGetLastError() == cudaErrorInvalidPitchValue;
}

bool managed() {
  float* x = nullptr;
  cudaMallocManaged(&x, kBytes);
  std::iota(x, x + kN, 0.0f);
  add_one<<<4, 256>>>(x, kN);
  cudaDeviceSynchronize();
  const bool right = is_counted_up(x, 1);
  cudaFree(x);
  return right;
}

/// Who asks again and again will see it done.
bool polls() {
  float* host = pinned_ramp();
  float* x = nullptr;
  cudaStream_t stream;
  cudaMalloc(&x, kBytes);
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(x, host, kBytes, cudaMemcpyHostToDevice, stream);
  add_one<<<4, 256, 0, stream>>>(x, kN);
  cudaMemcpyAsync(host, x, kBytes, cudaMemcpyDeviceToHost, stream);
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
  const bool right = is_counted_up(host, 1);
  cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFreeHost(host);
  return right;
}

/// Memory of a stream's own order, and ordinary host memory, whose copies are over on return.
bool in_stream_order() {
  float *x = nullptr, value = 4, result = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&x, sizeof(float), stream);
  cudaMemcpyAsync(x, &value, sizeof value, cudaMemcpyHostToDevice, stream);
  value = 0;  // its copy has been taken
  add_one<<<1, 1, 0, stream>>>(x, 1);
  cudaMemcpyAsync(&result, x, sizeof result, cudaMemcpyDeviceToHost, stream);
  const bool right = result == 5;
  cudaFreeAsync(x, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  return right;
}

/// Nobody has to wait for memory that a stream gives back.
bool frees_last() {
  float* x = nullptr;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&x, kBytes, stream);
  cudaMemsetAsync(x, 0, kBytes, stream);
  cudaFreeAsync(x, stream);
  return cudaStreamDestroy(stream) == cudaSuccess;
}

/// A function of the host takes its turn behind a copy. It cannot call the runtime.
struct Delivery {
  const float* from;
  float to[kN];
  cudaError_t asked;
};
void CUDART_CB deliver(void* data) {
  auto* const delivery = static_cast<Delivery*>(data);
  std::copy_n(delivery->from, kN, delivery->to);
  delivery->asked = cudaStreamSynchronize(nullptr);
}
void CUDART_CB note(cudaStream_t, cudaError_t status, void* data) {
  *static_cast<cudaError_t*>(data) = status;
}
bool host_function() {
  float* host = pinned_ramp();
  float* x = nullptr;
  cudaStream_t stream;
  cudaMalloc(&x, kBytes);
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(x, host, kBytes, cudaMemcpyHostToDevice, stream);
  add_one<<<4, 256, 0, stream>>>(x, kN);
  cudaMemcpyAsync(host, x, kBytes, cudaMemcpyDeviceToHost, stream);
  Delivery delivery{host, {}, cudaSuccess};
  cudaError_t status = cudaErrorUnknown;
  cudaLaunchHostFunc(stream, deliver, &delivery);
  cudaStreamAddCallback(stream, note, &status, 0);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFreeHost(host);
  return is_counted_up(delivery.to, 1) && delivery.asked == cudaErrorNotPermitted &&
         status == cudaSuccess;
}

/// Nobody makes that stream, and nobody gives it back.
bool in_the_threads_stream() {
  float* host = pinned_ramp();
  float* x = nullptr;
  cudaMalloc(&x, kBytes);
  cudaMemcpyAsync(x, host, kBytes, cudaMemcpyHostToDevice, cudaStreamPerThread);
  add_one<<<4, 256, 0, cudaStreamPerThread>>>(x, kN);
  cudaMemcpyAsync(host, x, kBytes, cudaMemcpyDeviceToHost, cudaStreamPerThread);
  cudaStreamSynchronize(cudaStreamPerThread);
  const bool right = is_counted_up(host, 1);
  cudaFreeHost(host);
  cudaFree(x);
  return right;
}

/// What a pointer is.
bool knows_pointers() {
  float *device = nullptr, *managed = nullptr, *host = pinned_ramp(), own = 0;
  cudaMalloc(&device, kBytes);
  cudaMallocManaged(&managed, kBytes);
  const auto type = [](const float* p) {
    cudaPointerAttributes attributes{};
    cudaPointerGetAttributes(&attributes, p);
    return attributes.type;
  };
  const bool right =
      type(device + 3) == cudaMemoryTypeDevice && type(managed) == cudaMemoryTypeManaged &&
      type(host) == cudaMemoryTypeHost && type(&own) == cudaMemoryTypeUnregistered;
  cudaFree(device);
  cudaFree(managed);
  cudaFreeHost(host);
  return right;
}

/// A launch that is refused, and who asks.
bool asks() {
  float* x = nullptr;
  cudaMalloc(&x, kBytes);
  add_one<<<1, 4096>>>(x, kN);
  const cudaError_t refused = cudaGetLastError();
  cudaFree(x);
  return refused == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess;
}

#define RETURN_IF_FAILED(call)                                              \
  do {                                                                      \
    if (const cudaError_t error = (call); error != cudaSuccess) return error; \
  } while (false)

cudaError_t copy_there_and_back(float* device, std::vector<float>& x) {
  RETURN_IF_FAILED(cudaMemcpy(device, x.data(), kBytes, cudaMemcpyHostToDevice));
  add_one<<<4, 256>>>(device, kN);
  RETURN_IF_FAILED(cudaGetLastError());
  return cudaMemcpy(x.data(), device, kBytes, cudaMemcpyDeviceToHost);
}

/// Whichever call fails: its error comes back, and nothing is left behind.
cudaError_t careful() {
  std::vector<float> x(kN);
  float* device = nullptr;
  RETURN_IF_FAILED(cudaMalloc(&device, kBytes));
  const cudaError_t error = copy_there_and_back(device, x);
  cudaFree(device);
  return error;
}

// ---- host code and device memory

void reads_device(float* device, float*) {
  float sum = 0;
  for (int i = 0; i < 4; i++) sum += device[i];  // [reads_device]
  volatile float keep = sum;
  (void)keep;
}
void writes_device(float* device, float*) { device[5] = 1.0f; }  // [writes_device]
void copies_with_memcpy(float* device, float*) {
  float there[64];
  std::memcpy(there, device, sizeof there);  // [copies_with_memcpy]
  volatile float keep = there[3];
  (void)keep;
}
void fills_device(float* device, float*) {
  std::vector<float> x(kN);
  std::copy(x.begin(), x.end(), device);  // [fills_device]
}
void swaps_sides(float* device, float*) {
  std::vector<float> x(kN);
  cudaMemcpy(x.data(), device, kBytes, cudaMemcpyHostToDevice);  // [swaps_sides]
}
void host_memory_for_device() {
  std::vector<float> x(kN), y(kN);
  cudaMemcpy(y.data(), x.data(), kBytes, cudaMemcpyHostToDevice);  // [host_memory_for_device]
}
void sets_host_memory() {
  std::vector<float> x(kN);
  cudaMemset(x.data(), 0, kBytes);  // [sets_host_memory]
}
void copies_too_much(float* device, float*) {
  std::vector<float> x(2 * kN);
  cudaMemcpy(device, x.data(), 2 * kBytes, cudaMemcpyHostToDevice);  // [copies_too_much]
}

void copies_a_row_too_many(float* device, float*) {
  std::vector<float> x(kN + 8);
  cudaMemcpy2D(device, 400, x.data(), 400, 400, 11, cudaMemcpyHostToDevice);  // [copies_a_row_too_many]
}

// ---- copies of what nobody has written

__global__ void fill(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1.0f;
}
void fetches_unwritten() {
  std::vector<float> x(kN);
  float* device = nullptr;
  cudaMalloc(&device, kBytes);
  cudaMemcpy(device, x.data(), kN, cudaMemcpyHostToDevice);  // elements, not bytes
  cudaMemcpy(x.data(), device, kBytes, cudaMemcpyDeviceToHost);  // [fetches_unwritten]
  cudaFree(device);
}
void too_few_blocks() {
  std::vector<float> x(kN);
  float* device = nullptr;
  cudaMalloc(&device, kBytes);
  fill<<<kN / 256, 256>>>(device, kN);
  cudaMemcpy(x.data(), device, kBytes, cudaMemcpyDeviceToHost);  // [too_few_blocks]
  cudaFree(device);
}
void passes_unwritten_on(float* device, float*) {
  float* other = nullptr;
  cudaMalloc(&other, kBytes);
  cudaMemcpy(device, other, kBytes, cudaMemcpyDeviceToDevice);  // [passes_unwritten_on]
  cudaFree(other);
}

// ---- what is taken and not given back, or given back too often

void leaks_device() {
  float* x = nullptr;
  cudaMalloc(&x, kBytes);  // [leaks_device]
}
void leaks_on_an_early_way_out() {
  float *x = nullptr, *y = nullptr;
  cudaMalloc(&x, kBytes);  // [leaks_on_an_early_way_out]
  cudaMalloc(&y, kBytes);
  cudaFree(y);
  if (x != y) return;
  cudaFree(x);
}
void leaks_pinned() {
  float* x = nullptr;
  cudaMallocHost(&x, kBytes);  // [leaks_pinned]
}
void leaks_stream() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);  // [leaks_stream]
}
void leaks_event() {
  cudaEvent_t event;
  cudaEventCreate(&event);  // [leaks_event]
}
void frees_twice() {
  float* x = nullptr;
  cudaMalloc(&x, kBytes);
  cudaFree(x);  // [frees_twice]
  cudaFree(x);  // [frees_twice]
}
void frees_the_middle(float* device, float*) { cudaFree(device + 64); }  // [frees_the_middle]
void frees_host_memory() {
  std::vector<float> x(kN);
  cudaFree(x.data());  // [frees_host_memory]
}
void frees_pinned_as_device() {
  float* x = nullptr;
  cudaMallocHost(&x, kBytes);
  cudaFree(x);  // [frees_pinned_as_device]
  cudaFreeHost(x);
}
void destroys_twice() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamDestroy(stream);
  cudaStreamDestroy(stream);  // [destroys_twice]
}

// ---- errors that nobody asks about

void block_too_large(float* device, float*) {
  add_one<<<1, 2048>>>(device, kN);  // [block_too_large]
}
void grid_of_none(float* device, float*) {
  int n = 0;
  add_one<<<(n + 255) / 256, 256>>>(device, n);  // [grid_of_none]
}
void too_much_shared(float* device, float*) {
  add_one<<<1, 32, 1 << 20>>>(device, kN);  // [too_much_shared]
}
void goes_on_after_malloc() {
  float* x = nullptr;
  cudaMalloc(&x, kBytes);      // [goes_on_after_malloc]
  cudaMemset(x, 0, kBytes);  // [goes_on_after_malloc]
  cudaFree(x);
}
void goes_on_after_copy(float* device, float*) {
  std::vector<float> x(kN);
  cudaMemcpy(device, x.data(), kBytes, cudaMemcpyHostToDevice);  // [goes_on_after_copy]
  add_one<<<4, 256>>>(device, kN);                                  // [goes_on_after_copy]
  cudaDeviceSynchronize();
}
void asks_too_late(float* device, float*) {
  std::vector<float> x(kN);
  add_one<<<4, 256>>>(device, kN);                                  // [asks_too_late]
  cudaMemcpy(x.data(), device, kBytes, cudaMemcpyDeviceToHost);  // [asks_too_late]
  if (cudaGetLastError() != cudaSuccess) return;
}

// ---- waits that are missing

void reads_too_early(float* device, float* pinned) {
  cudaMemcpyAsync(pinned, device, kBytes, cudaMemcpyDeviceToHost);  // [reads_too_early]
  volatile float first = pinned[0];                                     // [reads_too_early]
  (void)first;
  cudaDeviceSynchronize();
}
void writes_too_early(float* device, float* pinned) {
  cudaMemcpyAsync(device, pinned, kBytes, cudaMemcpyHostToDevice);  // [writes_too_early]
  pinned[3] = 0;                                                        // [writes_too_early]
  cudaDeviceSynchronize();
}
void fills_too_early(float* device, float* pinned) {
  const std::vector<float> more(kN);
  const std::span<const float> x(more);
  cudaMemcpyAsync(device, pinned, kBytes, cudaMemcpyHostToDevice);  // [fills_too_early]
  std::copy(x.begin(), x.end(), pinned);                                // [fills_too_early]
  cudaDeviceSynchronize();
}
void takes_too_early(float* device, float* pinned) {
  std::vector<float> more(kN);
  const std::span<float> x(more);
  cudaMemcpyAsync(pinned, device, kBytes, cudaMemcpyDeviceToHost);  // [takes_too_early]
  std::copy_n(pinned, x.size(), x.begin());                             // [takes_too_early]
  cudaDeviceSynchronize();
}
void copies_too_early(float* device, float* pinned) {
  std::vector<float> x(kN);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(pinned, device, kBytes, cudaMemcpyDeviceToHost, stream);  // [copies_too_early]
  std::memcpy(x.data(), pinned, kBytes);                                        // [copies_too_early]
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
/// A copy in one stream, and what needs it in another, which waits for no event.
template <class Need>
void needs_a_copy(const Need& need) {
  float *x = nullptr, *y = nullptr, value = 7;
  cudaMalloc(&x, sizeof(float));
  cudaMalloc(&y, sizeof(float));
  {
    Streams streams;
    cudaMemcpyAsync(x, &value, sizeof value, cudaMemcpyHostToDevice, streams.a);  // [computes_too_early][copies_on_too_early]
    need(x, y, streams.b);
    cudaDeviceSynchronize();
  }
  cudaFree(x);
  cudaFree(y);
}
void computes_too_early() {
  needs_a_copy([](const float* x, float* y, cudaStream_t stream) {
    take_first<<<1, 1, 0, stream>>>(x, y);  // [computes_too_early]
    cudaStreamSynchronize(stream);
  });
}
void copies_on_too_early() {
  needs_a_copy([](const float* x, float* y, cudaStream_t stream) {
    cudaMemcpyAsync(y, x, sizeof *x, cudaMemcpyDeviceToDevice, stream);  // [copies_on_too_early]
    cudaStreamSynchronize(stream);
  });
}
/// Two kernels beside each other, and what each stream orders behind it.
template <class Behind>
void both_in_turn(const Behind& behind) {
  unsigned *n = nullptr, *seen = nullptr;
  cudaMalloc(&n, sizeof *n);
  cudaMalloc(&seen, 2 * sizeof *seen);
  cudaMemset(n, 0, sizeof *n);
  cudaEvent_t counted;
  cudaEventCreate(&counted);
  {
    Streams streams;
    behind(streams, n, seen, counted);
    cudaDeviceSynchronize();
  }
  cudaEventDestroy(counted);
  cudaFree(n);
  cudaFree(seen);
}
void computes_while_it_is_set(float* device, float*) {
  Streams streams;
  cudaMemsetAsync(device, 0, kBytes, streams.a);    // [computes_while_it_is_set]
  add_one<<<4, 256, 0, streams.b>>>(device, kN);  // [computes_while_it_is_set]
  cudaDeviceSynchronize();
}
void marks_too_early() {
  both_in_turn([](const Streams& streams, unsigned* n, unsigned* seen, cudaEvent_t counted) {
    cudaEventRecord(counted, streams.a);
    count<<<1, 1, 0, streams.a>>>(n);  // [marks_too_early]
    cudaStreamWaitEvent(streams.b, counted, 0);
    take_count<<<1, 1, 0, streams.b>>>(n, seen);  // [marks_too_early]
  });
}
/// The second atomic operation does not hide the first.
void waits_for_one_of_two() {
  both_in_turn([](const Streams& streams, unsigned* n, unsigned* seen, cudaEvent_t) {
    count<<<1, 9, 0, streams.a>>>(n);  // [waits_for_one_of_two]
    count<<<1, 9, 0, streams.b>>>(n);
    take_count<<<1, 1, 0, streams.b>>>(n, seen);  // [waits_for_one_of_two]
  });
}
/// Nor do the atomic operations behind a write hide it from those beside it.
void sets_what_another_counts() {
  both_in_turn([](const Streams& streams, unsigned* n, unsigned*, cudaEvent_t) {
    cudaMemsetAsync(n, 0, sizeof *n, streams.a);  // [sets_what_another_counts]
    count<<<1, 9, 0, streams.a>>>(n);
    count<<<1, 9, 0, streams.b>>>(n);  // [sets_what_another_counts]
  });
}
void trusts_the_default_stream(float* device, float*) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemset(device, 0, kBytes);                  // [trusts_the_default_stream]
  add_one<<<4, 256, 0, stream>>>(device, kN);  // [trusts_the_default_stream]
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
}
void clears_what_another_reads() {
  both_in_turn([](const Streams& streams, unsigned* n, unsigned* seen, cudaEvent_t) {
    take_count<<<1, 1, 0, streams.a>>>(n, seen);      // [clears_what_another_reads]
    take_count<<<1, 1, 0, streams.b>>>(n, seen + 1);  // two may read
    cudaMemsetAsync(n, 0, sizeof *n, streams.b);      // [clears_what_another_reads]
  });
}
void leaves_a_copy(float* device, float* pinned) {
  cudaMemcpyAsync(pinned, device, kBytes, cudaMemcpyDeviceToHost);  // [leaves_a_copy]
}
void leaves_a_kernel(float* device, float*) {
  add_one<<<4, 256>>>(device, kN);  // [leaves_a_kernel]
}
void leaves_a_memset(float* device, float*) {
  cudaMemset(device, 0, kBytes);  // [leaves_a_memset]
}

struct Right {
  const char* name;
  bool (*run)();
};
const Right kRight[] = {
    {"round_trip", round_trip},
    {"pipeline", pipeline},
    {"event_between", event_between<true>},
    {"no_event_between", event_between<false>},
    {"default_stream", default_stream},
    {"neighbours", neighbours},
    {"both_count", both_count},
    {"host_between", host_between},
    {"a_stream_each", a_stream_each},
    {"no_default_stream", no_default_stream},
    {"in_rows", in_rows}, {"sets_a_variable", sets_a_variable}, {"managed", managed},
    {"polls", polls},
    {"in_stream_order", in_stream_order},
    {"frees_last", frees_last},
    {"host_function", host_function},
    {"in_the_threads_stream", in_the_threads_stream},
    {"knows_pointers", knows_pointers},
    {"asks", asks},
    {"careful", [] { return careful() == cudaSuccess; }},
};

struct Alone {
  const char* name;
  void (*run)();
};
const Alone kAlone[] = {
    {"leaks_device", leaks_device},
    {"leaks_on_an_early_way_out", leaks_on_an_early_way_out},
    {"leaks_pinned", leaks_pinned},
    {"leaks_stream", leaks_stream},
    {"leaks_event", leaks_event},
    {"frees_twice", frees_twice},
    {"frees_host_memory", frees_host_memory},
    {"frees_pinned_as_device", frees_pinned_as_device},
    {"destroys_twice", destroys_twice},
    {"host_memory_for_device", host_memory_for_device},
    {"sets_host_memory", sets_host_memory},
    {"fetches_unwritten", fetches_unwritten},
    {"too_few_blocks", too_few_blocks},
    {"goes_on_after_malloc", goes_on_after_malloc},
    {"computes_too_early", computes_too_early},
    {"copies_on_too_early", copies_on_too_early},
    {"marks_too_early", marks_too_early},
    {"waits_for_one_of_two", waits_for_one_of_two},
    {"sets_what_another_counts", sets_what_another_counts},
    {"clears_what_another_reads", clears_what_another_reads},
};

/// Given memory of both kinds, which is taken back afterwards where `waits`.
struct WithMemory {
  const char* name;
  void (*run)(float* device, float* pinned);
  bool waits = true;
};
const WithMemory kWithMemory[] = {
    {"reads_device", reads_device},
    {"writes_device", writes_device},
    {"copies_with_memcpy", copies_with_memcpy},
    {"fills_device", fills_device},
    {"swaps_sides", swaps_sides},
    {"copies_too_much", copies_too_much},
    {"copies_a_row_too_many", copies_a_row_too_many},
    {"passes_unwritten_on", passes_unwritten_on},
    {"frees_the_middle", frees_the_middle},
    {"block_too_large", block_too_large},
    {"grid_of_none", grid_of_none},
    {"too_much_shared", too_much_shared},
    {"goes_on_after_copy", goes_on_after_copy},
    {"asks_too_late", asks_too_late},
    {"reads_too_early", reads_too_early},
    {"writes_too_early", writes_too_early},
    {"fills_too_early", fills_too_early},
    {"takes_too_early", takes_too_early},
    {"copies_too_early", copies_too_early},
    {"computes_while_it_is_set", computes_while_it_is_set},
    {"trusts_the_default_stream", trusts_the_default_stream},
    {"leaves_a_copy", leaves_a_copy, false},
    {"leaves_a_kernel", leaves_a_kernel, false},
    {"leaves_a_memset", leaves_a_memset, false},
};

void run_with_memory(const WithMemory& one) {
  float *device = nullptr, *pinned = nullptr;
  cudaMalloc(&device, kBytes);
  cudaMemset(device, 0, kBytes);
  cudaMallocHost(&pinned, kBytes);
  std::memset(pinned, 0, kBytes);
  cudaDeviceSynchronize();
  one.run(device, pinned);
  if (!one.waits) return;
  cudaFree(device);
  cudaFreeHost(pinned);
}

}  // namespace

bool run_case(const std::string& name) {
  for (const Right& one : kRight) {
    if (name == one.name) return one.run();
  }
  for (const Alone& one : kAlone) {
    if (name == one.name) one.run();
  }
  for (const WithMemory& one : kWithMemory) {
    if (name == one.name) run_with_memory(one);
  }
  return true;
}
