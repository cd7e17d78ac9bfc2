// cudaMalloc and its family, and copies.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "api_call.hpp"
#include "device_memory.hpp"
#include "finding.hpp"
#include "hot.hpp"
#include "launch_state.hpp"
#include "limits.hpp"
#include "misuse.hpp"
#include "nibble/simt/runtime.hpp"
#include "nibble/simt/types.hpp"
#include "pinned_memory.hpp"
#include "runtime_state.hpp"
#include "shadow.hpp"
#include "stream.hpp"
#include "stream_order.hpp"
#include "variables.hpp"

namespace nibble::simt {
namespace {

const char* name_of(Takes what) {
  static constexpr const char* kNames[] = {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync",
                                           "cudaMallocHost"};
  return kNames[static_cast<int>(what)];
}

unsigned mallocs;  // cudaMalloc gives no names: they are numbered
unsigned shared_asked_for = kMostStaticShared;

cudaError_t take_device(void** p, std::size_t bytes, Takes what, const void* pc) {
  if (bytes == 0) {
    *p = nullptr;
    return cudaSuccess;
  }
  try {
    char name[24];
    std::snprintf(name, sizeof name, "buffer %u", ++mallocs);
    *p = arena_byte(allocate_device(bytes, name, pc, what == Takes::kManaged).offset);
    return cudaSuccess;
  } catch (const std::bad_alloc&) {
    note_refusal(pc, "%s was asked for %zu bytes, and the device has %zu in all", name_of(what),
                 bytes, options.device_bytes);
    return fail(cudaErrorMemoryAllocation);
  }
}

// ---- copies

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
  const void* pc;

  bool fills_device() const { return is_on_device(to); }
  bool reads_device() const { return is_on_device(from); }

  static bool is_on_device(const void* p) {
    return uptr(p) - hot.arena < arena_top || variable_at(uptr(p)) != nullptr;
  }
};

bool is_managed(const void* p) {
  const std::size_t offset = uptr(p) - hot.arena;
  return offset < arena_top && allocation_near(offset)->managed;
}

bool is_whole_on_device(const void* p, std::size_t bytes) {
  return is_device_memory(p, bytes) || variable_at(uptr(p)) != nullptr;
}

/// Both sides lie where the copy's kind says; if not, a finding.
bool sides_fit(const Copy& copy, cudaMemcpyKind kind) {
  const auto fits = [&](const void* p, bool on_device, bool is_write) {
    const bool is_device = Copy::is_on_device(p);
    if (on_device || (kind == cudaMemcpyDefault && is_device)) {
      if (is_whole_on_device(p, copy.bytes)) return true;
      report_bad_device_side(p, copy.bytes, is_write, copy.pc);
      return false;
    }
    if (p != nullptr && (!is_device || is_managed(p))) return true;
    if (is_device) report_bad_host_side(p, copy.bytes, is_write, copy.pc);
    return false;
  };
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return fits(copy.to, to_device, true) && fits(copy.from, from_device, false);
}

void mark_written(const void* p, std::size_t n) {
  if (is_device_memory(p, n)) set_bytes(uptr(p) - hot.arena, n, ByteState::kWritten);
}

/// Device memory may have been given back between the order and now.
bool is_still_there(const Copy& copy) {
  const auto gone = [&](const void* p, bool is_write) {
    if (!Copy::is_on_device(p) || is_whole_on_device(p, copy.bytes)) return false;
    report_bad_device_side(p, copy.bytes, is_write, copy.pc);
    set_sticky_error(kErrorIllegalAddress);
    return true;
  };
  return !gone(copy.to, true) && !gone(copy.from, false);
}

/// Stores are seen where accesses are watched only.
void must_be_written(const Copy& copy) {
  if (!instrumented || !options.uninitialised || !is_device_memory(copy.from, copy.bytes)) return;
  const std::size_t begin = uptr(copy.from) - hot.arena;
  const std::size_t unwritten = first_unwritten(begin, copy.bytes);
  if (unwritten < begin + copy.bytes) report_copies_unwritten(unwritten, copy.bytes, copy.pc);
}

void note_order(Act act, const void* p, std::size_t n) {
  if (is_device_memory(p, n)) note_stream_use(act, uptr(p) - hot.arena, n);
}

void perform(const Copy& copy) {
  if (!is_still_there(copy)) return;
  note_order(Act::kRead, copy.from, copy.bytes);
  note_order(Act::kWrite, copy.to, copy.bytes);
  must_be_written(copy);
  std::memmove(copy.to, copy.from, copy.bytes);
  mark_written(copy.to, copy.bytes);
}

/// Page-locked memory is read or written when the copy's turn comes.
HostRange host_side(const Copy& copy) {
  if (!copy.fills_device() && is_pinned(copy.to, copy.bytes)) {
    return {uptr(copy.to), copy.bytes, true};
  }
  if (!copy.reads_device() && is_pinned(copy.from, copy.bytes)) {
    return {uptr(copy.from), copy.bytes, false};
  }
  return {};
}

/// Other host memory: what is read is taken at once, and what is written is there on return.
Ticket order(const Copy& copy, const char* name, cudaStream_t stream) {
  const HostRange host = host_side(copy);
  if (copy.reads_device() || host.size != 0) {
    const Ticket ticket = enqueue(stream, {[copy] { perform(copy); }, name, copy.pc, host});
    if (!copy.fills_device() && host.size == 0) wait_for(ticket);
    return ticket;
  }
  const auto* const bytes = static_cast<const std::byte*>(copy.from);
  // No make_shared: its tag would be defined here and in host code that uses it, too.
  const std::shared_ptr<std::vector<std::byte>> staged(
      new std::vector<std::byte>(bytes, bytes + copy.bytes));
  const auto land = [copy, staged] { perform({copy.to, staged->data(), copy.bytes, copy.pc}); };
  const Ticket ticket = enqueue(stream, {land, name, copy.pc});
  if (!copy.fills_device()) wait_for(ticket);
  return ticket;
}

enum class Returns { kWhenDone, kAtOnce };

/// Rows of equal length, so many bytes apart on each side. A plain copy is one row.
struct RowCopies {
  Copy first;
  std::size_t count = 1, to_pitch = 0, from_pitch = 0;

  Copy row(std::size_t i) const {
    return {static_cast<std::byte*>(first.to) + i * to_pitch,
            static_cast<const std::byte*>(first.from) + i * from_pitch, first.bytes, first.pc};
  }
  bool overlap() const { return count > 1 && (to_pitch < first.bytes || from_pitch < first.bytes); }
};

cudaError_t copy_memory(const RowCopies& rows, cudaMemcpyKind kind, cudaStream_t stream,
                        const char* name, Returns returns) {
  const Copy& copy = rows.first;
  const ApiCall call(Does::kOrders, name, copy.pc);
  if (call.error() != cudaSuccess) return call.error();
  if (!is_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return fail(cudaErrorInvalidMemcpyDirection);
  }
  if (rows.overlap()) return fail(cudaErrorInvalidPitchValue);
  if (copy.bytes == 0 || rows.count == 0) return cudaSuccess;
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (!sides_fit(rows.row(i), kind)) return fail(cudaErrorInvalidValue);
  }
  const bool has_host_side = !copy.fills_device() || !copy.reads_device();
  if (returns == Returns::kAtOnce && has_host_side && host_side(copy).size == 0) {
    ++report->unpinned_copies;
  }
  Ticket ticket{};
  for (std::size_t i = 0; i < rows.count; ++i) ticket = order(rows.row(i), name, stream);
  if (returns == Returns::kWhenDone) {
    wait_for(ticket);
    note_heard(nullptr);
  }
  return cudaError_t(sticky_error());
}

cudaError_t order_memset(void* p, int value, std::size_t bytes, cudaStream_t stream,
                         const char* name, const void* pc) {
  if (!is_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (bytes == 0) return cudaSuccess;
  if (!is_whole_on_device(p, bytes)) {
    report_bad_device_side(p, bytes, true, pc);
    return fail(cudaErrorInvalidValue);
  }
  const auto set = [=] {
    if (!is_still_there({p, p, bytes, pc})) return;
    note_order(Act::kWrite, p, bytes);
    std::memset(p, value, bytes);
    mark_written(p, bytes);
  };
  enqueue(stream, {set, name, pc});
  return cudaError_t(sticky_error());
}

cudaError_t set_memory(void* p, int value, std::size_t bytes, cudaStream_t stream, const char* name,
                       const void* pc) {
  const ApiCall call(Does::kOrders, name, pc);
  if (call.error() != cudaSuccess) return call.error();
  return order_memset(p, value, bytes, stream, name, pc);
}

// ---- giving back

/// Null where there is nothing to be given back; then `error` says what the call returns.
Allocation* to_be_freed(void* p, const void* pc, cudaError_t& error) {
  error = cudaSuccess;
  if (p == nullptr) return nullptr;
  Allocation* const a = allocation_at(p);
  if (a != nullptr && a->live) return a;
  report_bad_free(p, pc);
  error = fail(cudaErrorInvalidValue);
  return nullptr;
}

}  // namespace

void begin_numbering() {
  mallocs = 0;
  shared_asked_for = kMostStaticShared;
}
unsigned most_shared_asked_for() { return shared_asked_for; }

cudaError_t take_memory(void** p, std::size_t bytes, Takes what, cudaStream_t stream,
                        const void* pc) {
  const ApiCall call(Does::kTakes, name_of(what), pc);
  if (call.error() != cudaSuccess) return call.error();
  if (p == nullptr) return fail(cudaErrorInvalidValue);
  if (!is_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  report->taken_bytes += bytes;
  if (what != Takes::kPinned) return take_device(p, bytes, what, pc);
  void* const taken = take_pinned(bytes, pc);
  if (taken == nullptr) {
    note_refusal(pc, "%s was asked for %zu bytes, more than this process may have", name_of(what),
                 bytes);
    return fail(cudaErrorMemoryAllocation);
  }
  *p = taken;
  return cudaSuccess;
}

cudaError_t set_function_attribute(cudaFuncAttribute attribute, int value) {
  const bool is_shared = attribute == cudaFuncAttributeMaxDynamicSharedMemorySize;
  if (is_shared && (value < 0 || static_cast<unsigned>(value) > most_shared(options.sm))) {
    return fail(cudaErrorInvalidValue);
  }
  if (is_shared) shared_asked_for = std::max(shared_asked_for, static_cast<unsigned>(value));
  return cudaSuccess;
}

cudaError_t copy_to_symbol(const void* symbol, std::size_t size, const void* from, std::size_t n,
                           std::size_t offset) {
  const ApiCall call(Does::kOrders, "cudaMemcpyToSymbol", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  if (variable_at(uptr(symbol)) == nullptr) return fail(cudaErrorInvalidSymbol);
  if (offset > size || n > size - offset) return fail(cudaErrorInvalidValue);
  wait_for_stream(nullptr, NIBBLE_SIMT_PC);
  std::memcpy(static_cast<char*>(const_cast<void*>(symbol)) + offset, from, n);
  return cudaError_t(sticky_error());
}

cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t size, std::size_t n,
                             std::size_t offset) {
  const ApiCall call(Does::kOrders, "cudaMemcpyFromSymbol", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  if (variable_at(uptr(symbol)) == nullptr) return fail(cudaErrorInvalidSymbol);
  if (offset > size || n > size - offset) return fail(cudaErrorInvalidValue);
  wait_for_stream(nullptr, NIBBLE_SIMT_PC);
  std::memcpy(to, static_cast<const char*>(symbol) + offset, n);
  return cudaError_t(sticky_error());
}

cudaError_t symbol_address(void** p, const void* symbol) {
  if (variable_at(uptr(symbol)) == nullptr) return fail(cudaErrorInvalidSymbol);
  *p = const_cast<void*>(symbol);
  return cudaSuccess;
}

}  // namespace nibble::simt

using namespace nibble::simt;

/// Waits for all work of the device, as CUDA's does.
cudaError_t cudaFree(void* p) {
  const ApiCall call(Does::kGivesBack, "cudaFree", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  cudaError_t error;
  Allocation* const a = to_be_freed(p, NIBBLE_SIMT_PC, error);
  if (a == nullptr) return error;
  wait_for_all();
  release_device(*a, NIBBLE_SIMT_PC);
  return cudaError_t(sticky_error());
}

cudaError_t cudaFreeAsync(void* p, cudaStream_t stream) {
  const ApiCall call(Does::kGivesBack, "cudaFreeAsync", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  if (!is_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  cudaError_t error;
  Allocation* const a = to_be_freed(p, NIBBLE_SIMT_PC, error);
  if (a == nullptr) return error;
  const void* const pc = NIBBLE_SIMT_PC;
  a->free_is_ordered = true;
  QueuedWork work{[a, pc] { release_device(*a, pc); }, "cudaFreeAsync", pc};
  work.gives_back = true;
  enqueue(stream, std::move(work));
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void* p) {
  const ApiCall call(Does::kGivesBack, "cudaFreeHost", NIBBLE_SIMT_PC);
  if (p == nullptr) return call.error();
  wait_for_all();
  if (give_back_pinned(p)) return call.error();
  report_bad_free("a pointer", "that is no pinned memory, or was given back before",
                  NIBBLE_SIMT_PC);
  return fail(cudaErrorInvalidValue);
}

cudaError_t cudaHostRegister(void* p, std::size_t bytes, unsigned) {
  const ApiCall call(Does::kTakes, "cudaHostRegister", NIBBLE_SIMT_PC);
  if (call.error() != cudaSuccess) return call.error();
  if (p == nullptr || bytes == 0) return fail(cudaErrorInvalidValue);
  if (!pin(p, bytes, NIBBLE_SIMT_PC)) return fail(cudaErrorHostMemoryAlreadyRegistered);
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* p) {
  const ApiCall call(Does::kGivesBack, "cudaHostUnregister", NIBBLE_SIMT_PC);
  wait_for_all();
  if (unpin(p)) return call.error();
  report_bad_free("a pointer", "that was not registered", NIBBLE_SIMT_PC);
  return fail(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t n, cudaMemcpyKind kind) {
  return copy_memory({{to, from, n, NIBBLE_SIMT_PC}}, kind, nullptr, "cudaMemcpy",
                     Returns::kWhenDone);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t n, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_memory({{to, from, n, NIBBLE_SIMT_PC}}, kind, stream, "cudaMemcpyAsync",
                     Returns::kAtOnce);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy_memory({{to, from, width, NIBBLE_SIMT_PC}, height, to_pitch, from_pitch}, kind,
                     nullptr, "cudaMemcpy2D", Returns::kWhenDone);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_memory({{to, from, width, NIBBLE_SIMT_PC}, height, to_pitch, from_pitch}, kind,
                     stream, "cudaMemcpy2DAsync", Returns::kAtOnce);
}

cudaError_t cudaMemset(void* p, int value, std::size_t n) {
  return set_memory(p, value, n, nullptr, "cudaMemset", NIBBLE_SIMT_PC);
}

/// A row at a time; the call fails as one.
cudaError_t cudaMemset2D(void* p, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  const void* const pc = NIBBLE_SIMT_PC;
  const ApiCall call(Does::kOrders, "cudaMemset2D", pc);
  if (call.error() != cudaSuccess) return call.error();
  if (height > 1 && pitch < width) return fail(cudaErrorInvalidPitchValue);
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t error = order_memset(static_cast<std::byte*>(p) + row * pitch, value, width,
                                           nullptr, "cudaMemset2D", pc);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* p, int value, std::size_t n, cudaStream_t stream) {
  return set_memory(p, value, n, stream, "cudaMemsetAsync", NIBBLE_SIMT_PC);
}
