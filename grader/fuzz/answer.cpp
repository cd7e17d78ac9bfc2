// Fuzz target: what a child leaves in the outputs, as the judge takes it: results of every shape
// that a contract can have, and the engine's report. The first byte says which;
// the rest is the child's.
#include "tests/trial.hpp"  // the contract first, as in every check

#include <array>
#include <cstdint>
#include <cstring>

#include "judge/call.hpp"
#include "judge/kernel_report.hpp"

namespace nibble::judge {
namespace {

Submission& target() {
  static Submission one(Submission::Options{});
  return one;
}

/// The answer to a call of F with these arguments. No child is started.
template <auto F, class... Arguments>
void take_answer(std::span<const std::uint8_t> bytes, const Arguments&... arguments) {
  detail::Layout layout(target());
  detail::Caller<F>::lay_out(layout, arguments...);
  std::byte* const scalars = target().outputs();
  std::memset(scalars, 0, protocol::kScalarBytes);
  if (!bytes.empty()) {
    std::memcpy(scalars, bytes.data(), std::min(bytes.size(), protocol::kScalarBytes));
  }
  try {
    detail::Caller<F>::read_results(target(), layout.sequences());
  } catch (const CallFailed&) {
    return;  // a verdict, as it should be
  }
}

void take_report(std::span<const std::uint8_t> bytes) {
  static std::array<std::byte, protocol::kGuardBytes> outputs;
  outputs.fill({});
  std::byte* const at = outputs.data() + protocol::kReportOffset;
  if (!bytes.empty()) {
    std::memcpy(at, bytes.data(), std::min(bytes.size(), protocol::kReportBytes));
  }
  std::memcpy(at, &simt::Report::kMagic, sizeof simt::Report::kMagic);
  std::optional<simt::Report> report = read_report(outputs.data());
  for (simt::EngineFinding& finding : report->finding) {  // addr2line is not what is tried here
    finding.place.offset = finding.other.offset = 0;
    finding.callers = {};
  }
  failure_of(*report, "");
}

}  // namespace
}  // namespace nibble::judge

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nibble;
  using namespace nibble::judge;
  if (size == 0) return 0;
  const std::span<const std::uint8_t> rest(data + 1, size - 1);
  const std::vector<float> x{1, 2, 3};
  switch (data[0] % 7) {
    case 0:
      take_answer<&half>(rest, 1.0f);
      break;
    case 1:
      take_answer<&twice>(rest, x);
      break;
    case 2:
      take_answer<&describe>(rest, Tensor{{1, 2}, 0.5f, "t", {1, 2, 3}, true}, std::int64_t{3});
      break;
    case 3:
      take_answer<&greet>(rest, std::string("you"));
      break;
    case 4:
      take_answer<&fill>(rest, x, out(x.size()), Filling::kWhole);
      break;
    case 5:
      take_answer<&act>(rest, Deed::kReturn);
      break;
    default:
      take_report(rest);
  }
  return 0;
}
