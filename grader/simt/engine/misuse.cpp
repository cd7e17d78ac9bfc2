#include "misuse.hpp"

#include <cstdio>

#include "device_memory.hpp"
#include "finding.hpp"
#include "hot.hpp"
#include "shadow.hpp"

namespace nibble::simt {
namespace {

Allocation* allocation_of(const void* p) {
  const std::size_t offset = uptr(p) - hot.arena;
  return offset < arena_top ? allocation_near(offset) : nullptr;
}

void name(EngineFinding& finding, const Allocation& a, const void* p) {
  finding.offset =
      static_cast<std::int64_t>(uptr(p) - hot.arena) - static_cast<std::int64_t>(a.offset);
  finding.size = a.size;
  std::snprintf(finding.subject, sizeof finding.subject, "%s", a.name.c_str());
}

}  // namespace

void report_bad_free(const char* what, const char* why, const void* pc) {
  EngineFinding* const finding = new_finding(Kind::kBadFree, pc);
  if (finding == nullptr) return;
  std::snprintf(finding->subject, sizeof finding->subject, "%s", what);
  set_detail(*finding, "%s", why);
  publish(finding);
}

void report_bad_free(const void* p, const void* pc) {
  const Allocation* const a = allocation_of(p);
  if (a == nullptr) return report_bad_free("a pointer", "that is no device memory", pc);
  EngineFinding* const finding = new_finding(Kind::kBadFree, pc);
  if (finding == nullptr) return;
  name(*finding, *a, p);
  if (a->freed_at != 0) finding->other = {a->freed_at, 0, 0};
  set_detail(*finding, a->live ? "in the middle, not where it begins" : "a second time");
  publish(finding);
}

void report_bad_device_side(const void* p, std::size_t bytes, bool is_write, const void* pc) {
  const Allocation* const a = allocation_of(p);
  const Kind kind = a == nullptr ? Kind::kHostPointer
                    : !a->live   ? Kind::kUseAfterFree
                                 : Kind::kGlobalOob;
  EngineFinding* const finding = new_finding(kind, pc);
  if (finding == nullptr) return;
  finding->is_write = is_write ? 1 : 0;
  finding->bytes = static_cast<std::uint32_t>(bytes);
  if (a != nullptr) {
    name(*finding, *a, p);
    if (a->freed_at != 0) finding->other = {a->freed_at, 0, 0};
    set_detail(*finding, "%zu bytes from byte %lld of %zu", bytes,
               static_cast<long long>(finding->offset), a->size);
  } else {
    set_detail(*finding, p == nullptr ? "a null pointer" : "memory of the host, or a wild address");
  }
  publish(finding);
}

void report_copies_unwritten(std::size_t offset, std::size_t bytes, const void* pc) {
  EngineFinding* const finding = new_finding(Kind::kGlobalUninitialised, pc);
  if (finding == nullptr) return;
  finding->bytes = static_cast<std::uint32_t>(bytes);
  const Allocation& a = *allocation_near(offset);
  finding->offset = static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(a.offset);
  finding->size = a.size;
  std::snprintf(finding->subject, sizeof finding->subject, "byte %lld of %s",
                static_cast<long long>(finding->offset), a.name.c_str());
  publish(finding);
}

void report_bad_host_side(const void* p, std::size_t bytes, bool is_write, const void* pc) {
  EngineFinding* const finding = new_finding(Kind::kHostDereference, pc);
  if (finding == nullptr) return;
  finding->is_write = is_write ? 1 : 0;
  finding->bytes = static_cast<std::uint32_t>(bytes);
  if (const Allocation* const a = allocation_of(p)) name(*finding, *a, p);
  set_detail(*finding, "the copy's kind says that this is memory of the host");
  publish(finding);
}

}  // namespace nibble::simt
