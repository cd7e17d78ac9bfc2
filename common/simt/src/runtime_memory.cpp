// cudaMalloc and its family, and copies.
#include <cstdio>
#include <cstring>
#include <new>

#include "device_memory.hpp"
#include "hot.hpp"
#include "launch_state.hpp"
#include "nibble/simt/runtime.hpp"
#include "nibble/simt/types.hpp"
#include "runtime_state.hpp"
#include "shadow.hpp"
#include "variables.hpp"

namespace nibble::simt {
namespace {

unsigned mallocs;  // cudaMalloc gives no names: they are numbered

cudaError_t fail(cudaError_t error) {
  set_last_error(error);
  return error;
}

/// Without a runner a program begins its session with its first call.
void begin_at_need() {
  if (arena_limit == 0) start(Options{});
}

enum class Side { kHost, kDevice, kEither };

bool lies_on(Side side, const void* p, std::size_t n) {
  const bool device = is_device_memory(p, n);
  return side == Side::kEither || device == (side == Side::kDevice) ||
         (side == Side::kHost && allocation_near(uptr(p) - hot.arena)->managed);
}

bool sides_fit(const void* to, const void* from, std::size_t n, cudaMemcpyKind kind) {
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind == cudaMemcpyDefault) return true;
  return lies_on(to_device ? Side::kDevice : Side::kHost, to, n) &&
         lies_on(from_device ? Side::kDevice : Side::kHost, from, n);
}

void mark_written(const void* p, std::size_t n) {
  if (is_device_memory(p, n)) set_bytes(uptr(p) - hot.arena, n, Bytes::kWritten);
}

}  // namespace

cudaError_t device_malloc(void** p, std::size_t bytes, bool managed, const void* pc) {
  begin_at_need();
  if (sticky_error() != 0) return fail(cudaError_t(sticky_error()));
  if (p == nullptr) return fail(cudaErrorInvalidValue);
  try {
    char name[24];
    std::snprintf(name, sizeof name, "buffer %u", ++mallocs);
    Allocation& a = allocate_device(bytes, name, pc);
    a.managed = managed;
    *p = arena_byte(a.offset);
    return cudaSuccess;
  } catch (const std::bad_alloc&) {
    return fail(cudaErrorMemoryAllocation);
  }
}

cudaError_t host_malloc(void** p, std::size_t bytes) {
  if (p == nullptr) return fail(cudaErrorInvalidValue);
  *p = std::malloc(bytes);
  return *p != nullptr ? cudaSuccess : fail(cudaErrorMemoryAllocation);
}

cudaError_t copy_to_symbol(const void* symbol, std::size_t size, const void* from, std::size_t n,
                           std::size_t offset) {
  if (variable_at(uptr(symbol)) == nullptr) return fail(cudaErrorInvalidSymbol);
  if (offset > size || n > size - offset) return fail(cudaErrorInvalidValue);
  std::memcpy(static_cast<char*>(const_cast<void*>(symbol)) + offset, from, n);
  return cudaSuccess;
}

cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t size, std::size_t n,
                             std::size_t offset) {
  if (variable_at(uptr(symbol)) == nullptr) return fail(cudaErrorInvalidSymbol);
  if (offset > size || n > size - offset) return fail(cudaErrorInvalidValue);
  std::memcpy(to, static_cast<const char*>(symbol) + offset, n);
  return cudaSuccess;
}

cudaError_t symbol_address(void** p, const void* symbol) {
  if (variable_at(uptr(symbol)) == nullptr) return fail(cudaErrorInvalidSymbol);
  *p = const_cast<void*>(symbol);
  return cudaSuccess;
}

}  // namespace nibble::simt

using namespace nibble::simt;

cudaError_t cudaFree(void* p) {
  if (sticky_error() != 0) return fail(cudaError_t(sticky_error()));
  if (p == nullptr) return cudaSuccess;
  Allocation* const a = allocation_at(p);
  if (a == nullptr || !a->live) return fail(cudaErrorInvalidValue);
  release_device(*a, NIBBLE_SIMT_PC);
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void* p) {
  std::free(p);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t n, cudaMemcpyKind kind) {
  if (sticky_error() != 0) return fail(cudaError_t(sticky_error()));
  if (n == 0) return cudaSuccess;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return fail(cudaErrorInvalidMemcpyDirection);
  }
  if (!sides_fit(to, from, n, kind)) return fail(cudaErrorInvalidValue);
  std::memmove(to, from, n);
  mark_written(to, n);
  return cudaSuccess;
}

cudaError_t cudaMemset(void* p, int value, std::size_t n) {
  if (sticky_error() != 0) return fail(cudaError_t(sticky_error()));
  if (n == 0) return cudaSuccess;
  if (!is_device_memory(p, n)) return fail(cudaErrorInvalidValue);
  std::memset(p, value, n);
  mark_written(p, n);
  return cudaSuccess;
}
