// What is known of the registers and of the function's own frame, from one instruction to the next.
//
//     movq -24(%rbp), %rax       rax = p, since -24(%rbp) = p
//     movslq %ebx, %rdx          rdx = s, the same s wherever ebx is what it is here
//     leaq 4(%rax,%rdx,8), %rdi  rdi = p + 8 s + 4
//     call __tsan_read4          rdi, rax and what else a call may change: something new
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "simt/rewriter/assembly.hpp"
#include "simt/rewriter/linear.hpp"

namespace nibble::simt {

class KnownValues {
 public:
  /// The thing that rbp is.
  static constexpr int kFrame = 0;

  /// Nothing is known but where the frame is.
  void forget();
  /// A function begins: nothing of the frame below rbp exists yet.
  void enter_function();

  LinearForm of(Register name);
  /// Where a memory operand lies.
  LinearForm address(const Operand& operand);
  /// The thing that a symbol's address is.
  int symbol(std::string_view name);

  /// Bytes from the frame's beginning down that the function has taken so far.
  std::int64_t frame_bytes() const { return frame_bytes_; }

  void follow(const AsmInstruction& instruction);
  /// After a call of what leaves the frame alone.
  void follow_call();
  /// A call may have been given addresses in it.
  void forget_frame() { slots_.clear(); }

 private:
  /// A slot of the frame: its distance from rbp, and its bytes.
  using Slot = std::pair<std::int64_t, unsigned>;

  void set(Register name, LinearForm value);
  void clobber(Register name);
  void forget_slots(std::int64_t begin, std::int64_t bytes);
  void note_store(const AsmInstruction& instruction, const Operand& to);

  std::optional<LinearForm> read(const Operand& from, unsigned bytes);
  std::optional<LinearForm> result(const AsmInstruction& instruction);
  std::optional<LinearForm> result_of_move(const AsmInstruction& instruction);
  std::optional<LinearForm> result_of_sum(const AsmInstruction& instruction);
  std::optional<LinearForm> result_of_others(const AsmInstruction& instruction);
  void follow_frame(const AsmInstruction& instruction);
  void set_frame(const AsmInstruction& instruction);

  /// The same thing for the same name: what an instruction makes of the same values.
  int thing(const std::string& name);
  LinearForm low_half(const LinearForm& value);
  LinearForm without_upper_half(const LinearForm& value) const;

  int next_ = 1;
  std::int64_t frame_bytes_ = 0;
  bool has_frame_ = false, had_frame_ = false;
  std::array<std::optional<LinearForm>, kGeneralRegisters> registers_;
  std::map<Slot, LinearForm> slots_;
  std::map<std::string, int, std::less<>> symbols_, things_;
  std::map<int, LinearForm> wholes_;  ///< of things that are the lower half of something: of what
};

}  // namespace nibble::simt
