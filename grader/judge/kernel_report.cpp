// Reads the engine's report, gives each kind of finding its code and
// its sentence, and asks addr2line for the line.
#include "judge/kernel_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>

#include "judge/marks.hpp"
#include "process/command.hpp"
#include "protocol/arena.hpp"
#include "text/harmless.hpp"

namespace nibble::judge {
namespace {

using simt::EngineFinding;
using simt::Place;
using simt::Report;

/// Ends a text that a child wrote, and leaves nothing in it that harms; no byte becomes two.
template <std::size_t N>
void end_text(char (&text)[N]) {
  text[N - 1] = '\0';
  std::ranges::copy(text::harmless(text), text);
}

/// What a finding of this kind is called, and which diagnosis explains it.
struct Wording {
  const char* code;
  const char* says;  ///< {who} {does} {what} {size} {other} {detail} are filled in
};

Wording wording_of(simt::Kind kind) {
  switch (kind) {
    case simt::Kind::kBadLaunch:
      return {"N-LAUNCH", "the launch is refused: {detail}"};
    case simt::Kind::kGlobalOob:
    case simt::Kind::kDeviceOob:
      return {"N-OOB", "{who} {does} {what}, outside of it: it has {size}"};
    case simt::Kind::kSharedOob:
      return {"N-OOB", "{who} {does} {what}, outside every __shared__ variable"};
    case simt::Kind::kNarrowIndex:
      return {"N-OVERFLOW",
              "{who} {does} {what}, where {detail} is meant: an index of 32 bits, too few for an "
              "array so large"};
    case simt::Kind::kUseAfterFree:
      return {"N-FREED", "{who} {does} {what}, which has been freed"};
    case simt::Kind::kBadFree:
      return {"N-FREED", "host code gives back {what}, {detail}{other}"};
    case simt::Kind::kMisaligned:
      return {"N-ALIGN", "{who} {does} {what}: {detail}"};
    case simt::Kind::kHostPointer:
      return {"N-POINTER",
              "{who} {does} memory that is not the device's: a host pointer, or one "
              "that was never set"};
    case simt::Kind::kRefusedStore:
      return {"N-POINTER", "{who}: {detail}"};
    case simt::Kind::kUnseenStore:
      return {"N-POINTER", "a kernel has changed {what} in a way that cannot be seen or counted"};
    case simt::Kind::kInputChanged:
      return {"N-INPUT", "a kernel wrote over {what}: inputs are read-only"};
    case simt::Kind::kForeignLocal:
      return {"N-POINTER", "{who} {does} a local variable of another thread"};
    case simt::Kind::kHostDereference:
      return {"N-POINTER", "host code {does} {what}, which is memory of the device"};
    case simt::Kind::kBarrierDivergence:
      return {"N-BARRIER",
              "{who} waits at __syncthreads, and other threads of its block never come "
              "there{other}: {detail}"};
    case simt::Kind::kWarpDeadlock:
      return {"N-LANES", "{who} waits for lanes of its mask that never arrive: {detail}"};
    case simt::Kind::kBadMask:
      return {"N-LANES", "{who} is not in the mask it passes: {detail}"};
    case simt::Kind::kShuffleInactive:
      return {"N-LANES", "{who} takes the value of a lane that is not in the mask: {detail}"};
    case simt::Kind::kBudget:
      return {"N-TIME", "{who} does not come to an end: a loop that never stops"};
    case simt::Kind::kMissingSyncwarp:
      return {"N-RACE",
              "{who} {does} {what}, and {other_who} of the same warp {other_does} it"
              "{other}: no __syncwarp lies between"};
    case simt::Kind::kSharedRace:
      return {"N-RACE",
              "{who} {does} {what}, and {other_who} {other_does} it{other}: no "
              "__syncthreads lies between"};
    case simt::Kind::kGlobalRace:
      return {"N-RACE",
              "{who} {does} {what}, and {other_who} {other_does} it{other} in the same "
              "launch: nothing puts them in order"};
    case simt::Kind::kStreamRace:
      return {"N-WAIT",
              "{kernel} {does} {what}, and {detail} of another stream {other_does} it, ordered"
              "{other}: neither has to wait for the other"};
    case simt::Kind::kSharedUninitialised:
      return {"N-UNINIT", "{who} reads {what}, which nobody has written in this block"};
    case simt::Kind::kGlobalUninitialised:
      return {"N-UNINIT", "{who} reads {what}, which nobody has written"};
    case simt::Kind::kArrayIndex:
      return {"N-OOB", "{who}: {detail}"};
    case simt::Kind::kFloatCast:
      return {"N-CLAMP",
              "{who} converts a float that does not fit the integer: clamp before the "
              "conversion"};
    case simt::Kind::kIntegerOverflow:
      return {"N-OVERFLOW", "{who}: {detail}"};
    case simt::Kind::kMissingWait:
      return {"N-WAIT",
              "{who} {does} {what}, for which an asynchronous copy was ordered{other}: {detail}"};
    case simt::Kind::kStillQueued:
      return {"N-WAIT", "{what} was ordered here, and {detail}"};
    case simt::Kind::kLeak:
      return {"N-LEAK", "{what} is taken here and never given back: {detail} is missing"};
    case simt::Kind::kUncheckedError:
      return {"N-UNCHECKED", "{what}{other} failed, and nobody asked: {detail}"};
    case simt::Kind::kNone:
    case simt::Kind::kKinds:
      break;
  }
  return {"N-PROTOCOL", "the engine says something unknown"};
}

/// What an int holds that nobody has set overflows by no mistake of its own.
constexpr int kUnsetInt = 0x01010101 * simt::kStackGarbage;

bool is_of_unset(const EngineFinding& finding) {
  return finding.kind == simt::Kind::kIntegerOverflow &&
         std::string_view(finding.detail).find(std::to_string(kUnsetInt)) != std::string_view::npos;
}

Wording wording_of(const EngineFinding& finding) {
  if (!is_of_unset(finding)) return wording_of(finding.kind);
  return {"N-UNINIT", "{who}: {detail}: {unset} is what a variable holds that nobody has set"};
}

std::string show(const simt::Thread& thread) {
  return fmt::format("thread ({},{},{}) of block ({},{},{})", thread.thread.x, thread.thread.y,
                     thread.thread.z, thread.block.x, thread.block.y, thread.block.z);
}

/// Host code is told as such where the compiler saw it;
/// a fence is looked at when the kernel has ended.
std::string who_did(const EngineFinding& finding) {
  if (finding.in_kernel != 0) return show(finding.who);
  return finding.place.offset == 0 && finding.place.line == 0 ? "a kernel" : "host code";
}

std::string sentence_of(const EngineFinding& finding, const std::string& place,
                        const std::string& other_place) {
  const std::string who = who_did(finding);
  const std::string what = finding.subject[0] != '\0' ? finding.subject : "memory";
  const std::string other = other_place.empty() ? "" : " at " + other_place;
  std::string text = fmt::format(
      fmt::runtime(wording_of(finding).says), fmt::arg("who", who), fmt::arg("what", what),
      fmt::arg("does", finding.is_write != 0 ? "writes" : "reads"),
      fmt::arg("size", fmt::format("{} byte{}", finding.size, finding.size == 1 ? "" : "s")),
      fmt::arg("other", other), fmt::arg("other_who", show(finding.other_who)),
      fmt::arg("other_does", finding.other_is_write != 0 ? "writes" : "reads"),
      fmt::arg("kernel", finding.kernel), fmt::arg("detail", finding.detail),
      fmt::arg("unset", kUnsetInt));
  if (!place.empty()) text = place + ": " + text;
  if (finding.times > 1) text += fmt::format("  (x{})", finding.times);
  return text;
}

std::string file_and_line(std::string_view line) {
  line = line.substr(0, line.find(" (discriminator"));
  const std::size_t slash = line.rfind('/');
  if (slash != std::string_view::npos) line.remove_prefix(slash + 1);
  return line.empty() || line.front() == '?' || line.ends_with(":?") || line.ends_with(":0")
             ? std::string()
             : text::harmless(line);  // a file's name is what #line says
}

/// What no honest program makes it take: tables of lines can be built to need any amount.
constexpr std::size_t kMemoryToReadLines = std::size_t{512} << 20;
constexpr std::chrono::seconds kTimeToReadLines{10};

/// Lines are a help and no verdict: where they cannot be read, none are told.
std::string said_by(process::Command command) {
  command.memory_bytes = kMemoryToReadLines;
  command.cpu_limit = command.wall_limit = kTimeToReadLines;
  try {
    return process::run(command).out;
  } catch (const std::runtime_error&) {
    return "";
  }
}

std::string learners_file() { return lab_name().substr(lab_name().find('_') + 1) + ".cu"; }

bool is_learners(const std::string& line) { return line.starts_with(learners_file() + ":"); }

/// Of what addr2line says of one address, innermost first: the learner's own line into which
/// others were inlined, or else the place itself.
std::vector<std::string> ask_addr2line(const std::string& executable,
                                       const std::vector<std::uint64_t>& offsets,
                                       const sandbox::ToolBox& box) {
  std::vector<std::string> lines(offsets.size());
  if (offsets.empty()) return lines;
  process::Command command;
  command.words = {"addr2line", "-a", "-i", "-e", executable};
  for (const std::uint64_t offset : offsets) {
    command.words.push_back(
        fmt::format("{:#x}", offset - 1));  // a return address: the call is before
  }
  command.box = box;
  std::istringstream answers(said_by(std::move(command)));
  std::string answer;
  for (std::size_t count = 0; std::getline(answers, answer);) {
    if (answer.starts_with("0x")) {
      if (++count > lines.size()) break;
    } else if (count > 0 && (lines[count - 1].empty() || !is_learners(lines[count - 1]))) {
      const std::string line = file_and_line(answer);
      if (lines[count - 1].empty() || is_learners(line)) lines[count - 1] = line;
    }
  }
  return lines;
}

/// The line to tell: the place itself, or who called it when that is a line of a header. What the
/// compiler has said itself (a cast, an overflow) comes with its line.
std::string learners_line(const EngineFinding& finding, const std::string& executable,
                          const sandbox::ToolBox& box) {
  if (finding.place.line != 0) return fmt::format("{}:{}", learners_file(), finding.place.line);
  std::vector<Place> places{finding.place};
  for (const std::uint64_t caller : finding.callers) places.push_back({caller, 0, 0});
  const std::vector<std::string> lines = lines_of(executable, places, box);
  const auto own = std::ranges::find_if(lines, is_learners);
  return own != lines.end() ? *own : lines.front();
}

}  // namespace

std::optional<Report> read_report(const std::byte* outputs) {
  Report report;
  std::memcpy(&report, outputs + protocol::kReportOffset, sizeof report);
  if (report.magic != Report::kMagic) return std::nullopt;
  report.findings = std::min<std::uint32_t>(report.findings, Report::kFindings);
  report.traffic = std::min<std::uint32_t>(report.traffic, Report::kTraffic);
  for (EngineFinding& finding : report.finding) {
    if (finding.kind >= simt::Kind::kKinds) finding.kind = simt::Kind::kNone;
    end_text(finding.kernel);
    end_text(finding.subject);
    end_text(finding.detail);
  }
  for (simt::Traffic& traffic : report.traffics) end_text(traffic.subject);
  end_text(report.failed_name);
  end_text(report.refusal);
  return report;
}

std::vector<std::string> lines_of(const std::string& executable, std::span<const Place> places,
                                  const sandbox::ToolBox& box) {
  static std::map<std::pair<std::string, std::uint64_t>, std::string> known;
  std::vector<std::uint64_t> asked;
  for (const Place& place : places) {
    if (place.offset != 0 && !known.contains({executable, place.offset})) {
      asked.push_back(place.offset);
    }
  }
  const std::vector<std::string> answers = ask_addr2line(executable, asked, box);
  for (std::size_t i = 0; i < asked.size(); ++i) known[{executable, asked[i]}] = answers[i];
  std::vector<std::string> lines;
  for (const Place& place : places) {
    lines.push_back(place.offset == 0 ? std::string() : known.at({executable, place.offset}));
  }
  return lines;
}

std::optional<Failure> failure_of(const Report& report, const std::string& executable,
                                  const sandbox::ToolBox& box) {
  const auto found = std::span(report.finding).first(report.findings);
  if (found.empty()) return std::nullopt;
  const EngineFinding& cause = *std::ranges::min_element(found, {}, &EngineFinding::kind);
  const std::string line = learners_line(cause, executable, box);
  const std::string other = lines_of(executable, std::span(&cause.other, 1), box).front();
  Failure failure;
  failure.code = wording_of(cause).code;
  failure.where = line.empty() ? "?" : line;
  failure.message = sentence_of(cause, line, other);
  if (found.size() > 1) {
    failure.message += fmt::format("; {} more {}, which may follow from it", found.size() - 1,
                                   found.size() == 2 ? "finding" : "findings");
  }
  return failure;
}

}  // namespace nibble::judge
