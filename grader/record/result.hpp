// What one lab and one submission came to: the verdicts of all legs, joined, with what no judge can
// know. results.json is this, written down.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/verdict.hpp"

namespace nibble::record {

enum class LegState { kRan, kNotRun, kNotHere, kNoCompile, kNone };

inline constexpr std::array kLegStateNames = {"ran", "not_run", "not_here", "no_compile", "none"};

constexpr const char* name_of(LegState state) {
  return kLegStateNames.at(static_cast<std::size_t>(state));
}

struct Legs {
  LegState plain = LegState::kNone, sanitizers = LegState::kNone, speed = LegState::kNone;
  LegState simt = LegState::kNone, gpu = LegState::kNone;
  std::optional<LegState> gpu_sanitizer;  ///< older results have none
};

/// Why this machine could not run a leg; empty: it could.
struct NotHere {
  std::string speed, gpu, gpu_sanitizer;

  bool operator==(const NotHere&) const = default;
};

struct Environment {
  std::string cxx, flags, cpu;
  std::vector<std::string> isa;    ///< the vector units that labs ask about
  std::optional<std::string> gpu;  ///< the model
  int sandbox = 0;                 ///< the level
  std::string limits;              ///< "processes", "groups"; older results have none
  double load = 0.0;
};

/// Hashes of everything that took part.
struct Manifest {
  std::map<std::string, std::string> source;
  std::string kit, checks;
  std::string salt;  ///< of hidden checks
  std::string key;   ///< of a batch: of all that decides
};

struct Student {
  std::string id, submitted;
};

/// What a leg without points saw first.
struct Finding {
  protocol::Leg leg = protocol::Leg::kSanitizers;
  std::string check, exercise, message;
  std::optional<Location> location{};
  std::string case_name{}, replay{};
};

/// What compute-sanitizer said of the kernels on a GPU.
struct GpuComplaint {
  std::string tool, exercise, check, what;
  int times = 1;
  std::string kernel, thread;
  std::optional<Location> location;
};

struct GpuSanitizer {
  std::vector<std::string> tools;
  std::vector<GpuComplaint> complaints;
};

struct Result : Verdict {
  std::string version;  ///< of the kit
  Legs legs;
  NotHere not_here;
  std::string started;   ///< "2026-10-01T14:02:11Z"
  double seconds = 0.0;  ///< from the save to the verdict
  Environment environment;
  Manifest manifest;
  std::optional<Student> student;
  std::vector<std::string> needs_look;  ///< rule, leg, odd, noise, kit_error
  std::string compile_message;          ///< errors, or warnings
  std::vector<std::string> odd_imports, prints;
  std::optional<Finding> finding;
  std::optional<GpuSanitizer> gpu_sanitizer;

  bool compiles() const { return end != End::kNoCompile; }
};

/// Why nobody may be graded by these, in one sentence; empty: points add up, and lie within their
/// bounds.
std::string why_no_verdict(const Result& result);

/// All values are right, and the part of the points that is paid for speed is still to come.
inline bool awaits_speed(const Result& result) {
  return result.legs.speed == LegState::kNotRun && result.passes();
}

}  // namespace nibble::record
