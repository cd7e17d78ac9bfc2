#include "subject.hpp"

#include <cstdint>
#include <cstdio>

#include "shadow.hpp"
#include "shared_memory.hpp"
#include "variables.hpp"

namespace nibble::simt {
namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// "As[9][9]": the first index may lie outside, the others never do.
void write_indices(EngineFinding& finding, const SharedDecl& d, std::int64_t offset) {
  char* at = finding.subject;
  char* const end = finding.subject + sizeof finding.subject;
  at += std::snprintf(at, sizeof finding.subject, "%.24s", d.name);
  auto stride = static_cast<std::int64_t>(d.element);
  for (unsigned i = 1; i < d.rank && i < 3; ++i) stride *= d.extent[i];
  for (unsigned i = 0; i < d.rank && i < 3 && at < end; ++i) {
    const std::int64_t index = floor_div(offset, stride);
    at += std::snprintf(at, static_cast<std::size_t>(end - at), "[%lld]",
                        static_cast<long long>(index));
    offset -= index * stride;
    if (i + 1 < 3 && i + 1 < d.rank) stride /= d.extent[i + 1];
  }
}

void write_index(EngineFinding& finding, const Subject& named, std::int64_t offset,
                 unsigned bytes) {
  if (named.size <= bytes && offset >= 0 && offset < static_cast<std::int64_t>(named.size)) {
    std::snprintf(finding.subject, sizeof finding.subject, "%.30s", named.name);
    return;
  }
  std::snprintf(finding.subject, sizeof finding.subject, "%.24s[%lld]", named.name,
                static_cast<long long>(floor_div(offset, bytes == 0 ? 1 : bytes)));
}

}  // namespace

Subject subject_at(std::size_t offset) {
  if (is_shared(offset)) {
    const Placed* const p = shared_near(offset);
    return p != nullptr ? Subject{p->declaration->name, p->offset, p->size} : Subject{"", 0, 0};
  }
  if (const PlacedVariable* v = variable_of_shadow(offset)) {
    return {v->variable->name, v->offset, v->variable->size};
  }
  const Allocation* const a = allocation_near(offset);
  if (a == nullptr) return {"", 0, 0};
  const auto before = static_cast<std::size_t>(a->before);
  return {a->name.c_str(), a->offset - before, a->size + before};
}

void name_subject(EngineFinding& finding, std::size_t offset, unsigned bytes) {
  const Subject named = subject_at(offset);
  finding.offset = static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(named.begin);
  finding.size = named.size;
  const Placed* const shared = is_shared(offset) ? shared_near(offset) : nullptr;
  if (shared != nullptr) {
    write_indices(finding, *shared->declaration, finding.offset);
  } else if (named.name[0] != 0) {
    write_index(finding, named, finding.offset, bytes);
  }
}

void name_element(EngineFinding& finding, const Allocation& a, std::int64_t at, unsigned bytes) {
  finding.offset = at;
  finding.size = a.size + static_cast<std::size_t>(a.before);
  write_index(finding, {a.name.c_str(), a.offset, finding.size}, at, bytes);
}

void name_variable(EngineFinding& finding, const PlacedVariable& v, std::int64_t at,
                   unsigned bytes) {
  finding.offset = at;
  finding.size = v.variable->size;
  write_index(finding, {v.variable->name, v.offset, v.variable->size}, at, bytes);
}

}  // namespace nibble::simt
