// The table of instructions, and what is said instead of those that are in no row of it.
#include "simt/rewriter/ptx_instructions.hpp"

#include <algorithm>
#include <array>

namespace nibble::simt {
namespace {

/// `a|b` is either word, `a|b?` may be missing. The function is called like the instruction,
/// without what may be missing and what stands behind a `::`.
struct PtxRow {
  std::string_view opcode;
  std::string_view slots;  ///< results : sources
};

// clang-format off
#define HINTS ".L1::no_allocate|L1::evict_normal|L1::evict_first|L1::evict_last?.L2::64B|L2::128B|L2::256B?"
#define LOADS(SPACE, ADDRESS)                                 \
  {SPACE ".b8|u8|s8|b16|u16|s16", "s:" ADDRESS},              \
  {SPACE ".b32|u32|s32|f32", "b:" ADDRESS},                   \
  {SPACE ".b64|u64|s64", "l:" ADDRESS},                       \
  {SPACE ".f64", "d:" ADDRESS},                               \
  {SPACE ".v2.b32|u32|s32|f32", "{bb}:" ADDRESS},             \
  {SPACE ".v4.b32|u32|s32|f32", "{bbbb}:" ADDRESS},           \
  {SPACE ".v2.b64|u64|s64", "{ll}:" ADDRESS}
#define STORES(SPACE, ADDRESS)                                \
  {SPACE ".b8|u8|s8|b16|u16|s16", ":" ADDRESS "s"},           \
  {SPACE ".b32|u32|s32|f32", ":" ADDRESS "b"},                \
  {SPACE ".b64|u64|s64", ":" ADDRESS "l"},                    \
  {SPACE ".f64", ":" ADDRESS "d"},                            \
  {SPACE ".v2.b32|u32|s32|f32", ":" ADDRESS "{bb}"},          \
  {SPACE ".v4.b32|u32|s32|f32", ":" ADDRESS "{bbbb}"},        \
  {SPACE ".v2.b64|u64|s64", ":" ADDRESS "{ll}"}

constexpr auto kPtxRows = std::to_array<PtxRow>({
    // a warp together
    {"redux.sync.add|min|max.s32|u32", "r:rr"},
    {"redux.sync.and|or|xor.b32", "r:rr"},
    {"shfl.sync.idx|up|down|bfly.b32", "b:brrr"},
    {"vote.sync.ballot.b32", "r:pr"},
    {"vote.sync.any|all.pred", "p:pr"},
    {"match.any.sync.b32", "r:br"},
    {"activemask.b32", "r:"},
    {"bar.warp.sync", ":r"},
    // a block together
    {"bar.cta?.sync", ":r"},
    {"bar.cta?.sync", ":rr"},
    {"bar.cta?.arrive", ":rr"},
    {"barrier.cta?.sync.aligned?", ":r"},
    {"barrier.cta?.sync.aligned?", ":rr"},
    {"barrier.cta?.arrive.aligned?", ":rr"},
    {"membar.cta|gl|sys", ":"},
    {"fence.acq_rel|sc.cta|gpu|sys", ":"},
    // addresses
    {"cvta.to.shared.u64", "l:l"},
    {"cvta.to.global.u64", "l:l"},
    {"cvta.shared.u64", "l:l"},
    {"cvta.global.u64", "l:l"},
    // memory
    LOADS("ld.shared|shared::cta", "a"),
    LOADS("ld.volatile.shared|shared::cta", "a"),
    LOADS("ld.global.ca|cs|lu?.nc?" HINTS, "g"),
    LOADS("ld.global.cg|cv", "g"),
    LOADS("ld.volatile.global", "g"),
    STORES("st.volatile?.shared|shared::cta", "a"),
    STORES("st.volatile?.global.wb|cg|cs|wt?" HINTS, "g"),
    {"cp.async.ca|cg.shared|shared::cta.global.L2::64B|L2::128B|L2::256B?", ":agn"},
    {"cp.async.ca|cg.shared|shared::cta.global.L2::64B|L2::128B|L2::256B?", ":agnr"},
    {"cp.async.commit_group", ":"},
    {"cp.async.wait_group", ":n"},
    {"cp.async.wait_all", ":"},
    // tensor cores
    {"ldmatrix.sync.aligned.m8n8.x1.shared|shared::cta.b16", "{r}:a"},
    {"ldmatrix.sync.aligned.m8n8.x2.shared|shared::cta.b16", "{rr}:a"},
    {"ldmatrix.sync.aligned.m8n8.x4.shared|shared::cta.b16", "{rrrr}:a"},
    {"ldmatrix.sync.aligned.m8n8.x1.trans.shared|shared::cta.b16", "{r}:a"},
    {"ldmatrix.sync.aligned.m8n8.x2.trans.shared|shared::cta.b16", "{rr}:a"},
    {"ldmatrix.sync.aligned.m8n8.x4.trans.shared|shared::cta.b16", "{rrrr}:a"},
    {"mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32", "{rrrr}:{rr}{r}{rrrr}"},
    {"mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32", "{rrrr}:{rr}{r}{rrrr}"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "{rrrr}:{rrrr}{rr}{rrrr}"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32", "{rrrr}:{rrrr}{rr}{rrrr}"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "{ffff}:{rrrr}{rr}{ffff}"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "{ffff}:{rrrr}{rr}{ffff}"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "{ffff}:{rrrr}{rr}{ffff}"},
    {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", "{rrrr}:{rrrr}{rr}{rrrr}"},
    // conversions
    {"cvt.rni|rzi|rmi|rpi.sat?.s8|u8|s16|u16.f32", "s:f"},
    {"cvt.rni|rzi|rmi|rpi.sat?.s32|u32.f32", "r:f"},
    {"cvt.rn|rz|rm|rp.f32.s32|u32", "f:r"},
    {"cvt.rni|rzi|rmi|rpi.f32.f32", "f:f"},
    {"cvt.sat.f32.f32", "f:f"},
    {"cvt.rn.f16|bf16.f32", "h:f"},
    {"cvt.f32.f16", "f:h"},
    {"cvt.rn.f16x2|bf16x2.f32", "r:ff"},
    {"cvt.rn.satfinite.e4m3x2|e5m2x2.f32", "h:ff"},
    {"cvt.u32|s32.u64|s64", "r:l"},
    {"cvt.u64|s64.u32|s32", "l:r"},
    {"cvt.u32|s32.u8|s8|u16|s16", "r:s"},
    {"cvt.sat.s8|u8|s16|u16.s32|u32", "s:r"},
    // integers
    {"dp4a.s32|u32.s32|u32", "r:rrr"},
    {"add|sub|min|max.s32|u32", "r:rr"},
    {"mul.lo|hi.s32|u32", "r:rr"},
    {"mad.lo|hi.s32|u32", "r:rrr"},
    {"abs|neg.s32", "r:r"},
    {"and|or|xor.b32", "r:rr"},
    {"not.b32", "r:r"},
    {"shl.b32", "r:rr"},
    {"shr.b32|u32|s32", "r:rr"},
    {"popc|brev|clz.b32", "r:r"},
    {"bfe.s32|u32", "r:rrr"},
    {"bfi.b32", "r:rrrr"},
    {"prmt.b32", "r:rrr"},
    {"lop3.b32", "r:rrrn"},
    // floats
    {"add|sub|mul.rn?.f32", "f:ff"},
    {"min|max.f32", "f:ff"},
    {"fma.rn.f32", "f:fff"},
    {"abs|neg.f32", "f:f"},
    {"ex2|lg2|rcp|rsqrt|sqrt.approx.ftz?.f32", "f:f"},
    // registers and predicates
    {"mov.b32|u32|s32|f32", "b:b"},
    {"mov.b32", "r:{hh}"},
    {"mov.b32", "{hh}:r"},
    {"mov.b64|u64|s64", "l:l"},
    {"mov.b64", "l:{rr}"},
    {"mov.b64", "{rr}:l"},
    {"setp.eq|ne.b32", "p:rr"},
    {"setp.eq|ne|lt|le|gt|ge.s32|u32", "p:rr"},
    {"setp.eq|ne|lt|le|gt|ge.f32", "p:ff"},
    {"selp.b32|u32|s32|f32", "b:bbp"},
});
#undef HINTS
#undef LOADS
#undef STORES
// clang-format on

constexpr auto kSpecial = std::to_array<std::string_view>({
    "laneid",  "lanemask_lt", "lanemask_le", "lanemask_eq", "lanemask_ge", "lanemask_gt", "warpid",
    "tid.x",   "tid.y",       "tid.z",       "ntid.x",      "ntid.y",      "ntid.z",      "ctaid.x",
    "ctaid.y", "ctaid.z",     "nctaid.x",    "nctaid.y",    "nctaid.z",
});

struct Instead {
  std::string_view prefix, advice;
};
// The first that fits.
constexpr auto kInstead = std::to_array<Instead>({
    {"wgmma", "the tensor cores here have mma.sync, which the kit's mma wrappers are, too"},
    {"tcgen05", "the tensor cores here have mma.sync, which the kit's mma wrappers are, too"},
    {"wmma", "nvcuda::wmma of <mma.h> is the same"},
    {"mma",
     "mma.sync runs with m16n8k16 of s8, u8, f16 and bf16, m16n8k32 of s8, u8 and e4m3, "
     "m16n8k256 of b1 with and.popc, with sums in s32 or f32"},
    {"ldmatrix", "ldmatrix runs as .sync.aligned.m8n8 with .x1, .x2 or .x4, .shared and .b16"},
    {"stmatrix", "store the registers to shared memory one by one"},
    {"cp.async.bulk", "cp.async copies 4, 8 or 16 bytes for each thread"},
    {"cp.async",
     "cp.async runs as .ca or .cg, .shared.global, with commit_group, wait_group and "
     "wait_all"},
    {"mbarrier", "__syncthreads() is the barrier that a block has here"},
    {"bar", "__syncthreads() is the barrier that a block has here"},
    {"atom", "atomicAdd() and its kin do the same"},
    {"red.", "atomicAdd() and its kin do the same"},
    {"ld", "read through a pointer, or with __ldg() and its kin"},
    {"st", "write through a pointer, or with __stcg() and its kin"},
    {"bra", "write the branch or the loop in C++"},
    {"ret", "write the return in C++"},
    {"exit", "write the return in C++"},
    {"cvt", "a cast or CUDA's conversion function does the same"},
    {"ex2", "exp2f() does the same"},
});

std::vector<std::string_view> split_at(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The function of the row, if the opcode is one of its; a mismatch: nothing.
std::optional<std::string> ptx_function_of(const PtxRow& row,
                                           const std::vector<std::string_view>& parts) {
  std::string name;
  std::size_t at = 0;
  for (std::string_view choice : split_at(row.opcode, '.')) {
    const bool may_be_missing = choice.ends_with('?');
    if (may_be_missing) choice.remove_suffix(1);
    const std::vector<std::string_view> words = split_at(choice, '|');
    const bool is_there = at < parts.size() && std::ranges::count(words, parts[at]) > 0;
    if (!is_there && !may_be_missing) return std::nullopt;
    if (!is_there) continue;
    if (!may_be_missing) {
      if (!name.empty()) name += '_';
      name += parts[at].substr(0, parts[at].find("::"));
    }
    at++;
  }
  if (at != parts.size()) return std::nullopt;
  return name;
}

std::vector<PtxSlot> slots_of(std::string_view text) {
  std::vector<PtxSlot> slots;
  for (std::size_t i = 0; i < text.size(); i++) {
    if (text[i] != '{') {
      slots.push_back({text[i], 0});
      continue;
    }
    const std::size_t end = text.find('}', i);
    slots.push_back({text[i + 1], static_cast<int>(end - i - 1)});
    i = end;
  }
  return slots;
}

}  // namespace

std::vector<PtxForm> forms_of_ptx(std::string_view opcode) {
  std::vector<PtxForm> forms;
  const std::vector<std::string_view> parts = split_at(opcode, '.');
  for (const PtxRow& row : kPtxRows) {
    if (std::optional<std::string> function = ptx_function_of(row, parts)) {
      const std::size_t colon = row.slots.find(':');
      forms.push_back({*std::move(function), slots_of(row.slots.substr(0, colon)),
                       slots_of(row.slots.substr(colon + 1))});
    }
  }
  return forms;
}

std::optional<std::string> special_register_of_ptx(std::string_view name) {
  if (std::ranges::count(kSpecial, name) == 0) return std::nullopt;
  std::string function(name);
  std::ranges::replace(function, '.', '_');
  return function;
}

std::string why_no_ptx(std::string_view opcode) {
  std::string sentence =
      "`" + std::string(opcode.substr(0, 64)) + "` of inline PTX does not run here: ";
  for (const Instead& instead : kInstead) {
    if (opcode.starts_with(instead.prefix)) return sentence.append(instead.advice);
  }
  return sentence + "use the CUDA function of the same effect, or the kit's wrapper";
}

}  // namespace nibble::simt
