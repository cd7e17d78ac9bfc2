// What the .cu files of the tests share: device buffers, data, and a plain matmul.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

bool run_case(const std::string& name);

template <class T>
struct Buffer {
  explicit Buffer(std::size_t n) : count(n) { cudaMalloc(&data, n * sizeof(T)); }
  explicit Buffer(const std::vector<T>& host) : Buffer(host.size()) {
    cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  Buffer(const Buffer&) = delete;
  ~Buffer() { cudaFree(data); }
  std::vector<T> host() const {
    std::vector<T> h(count);
    cudaMemcpy(h.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
    return h;
  }
  T* data = nullptr;
  std::size_t count;
};

inline std::vector<int8_t> random_int8(std::size_t n, unsigned seed) {
  std::vector<int8_t> v(n);
  for (auto& x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = int8_t(seed >> 24);
  }
  return v;
}

inline std::vector<float> ramp(int n) {
  std::vector<float> v(n);
  for (int i = 0; i < n; i++) v[i] = float((i * 37) % 255 - 127) / 10.f;
  return v;
}

inline std::vector<int32_t> matmul(const std::vector<int8_t>& a, const std::vector<int8_t>& b,
                                   int m, int n, int k) {
  std::vector<int32_t> c(std::size_t(m) * n);
  for (int i = 0; i < m; i++)
    for (int x = 0; x < k; x++)
      for (int j = 0; j < n; j++) c[i * n + j] += a[i * k + x] * b[x * n + j];
  return c;
}
