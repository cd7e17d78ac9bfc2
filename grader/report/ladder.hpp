// The ladder of a lab: its speed rows, the slowest form of a kernel to the fastest, each timed
// beside the published solution, and what this machine allows at most.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "record/check.hpp"
#include "record/scheme.hpp"
#include "report/machine.hpp"
#include "report/results.hpp"
#include "report/screen.hpp"

namespace nibble::report {

using Json = nlohmann::ordered_json;

/// What one core can do at most, as the judge measured it.
struct Ceilings {
  struct Peak {
    std::string isa;
    double gops = 0.0;
    bool assumed = false;  ///< a bound that was not measured
  };
  struct Read {
    std::size_t bytes = 0;  ///< of the buffer
    double gbytes = 0.0;    ///< a second
  };
  std::vector<Peak> peaks;  ///< the lowest first
  std::vector<Read> reads;  ///< the smallest buffer first

  double best_gops() const { return peaks.empty() ? 0.0 : peaks.back().gops; }
};

/// One speed row; its members of time are 0 where that side was not measured.
struct Rung : record::Speed {
  enum class State { kMeasured, kNotWritten, kWrong, kNotHere };

  std::string exercise, check;
  char letter = '?';
  State state = State::kNotHere;
  std::string message;  ///< why there is no measurement, or what is odd about it

  /// 10^9 operations a second, or bytes where a row does not compute; 0: not measured.
  double yours() const { return rate(ns); }
  double published() const { return rate(published_ns); }
  const char* unit() const { return computes() ? "GOPS" : "GB/s"; }
  bool computes() const { return operations > 0; }
  /// Operations for each byte that has to be moved; 0: not known.
  double intensity() const { return bytes > 0 ? operations / bytes : 0.0; }
  /// The lower of what the instructions and what the memory allow, in unit().
  double roof() const;
  bool memory_is_the_roof() const;

 private:
  double rate(double time) const { return time > 0 ? (computes() ? operations : bytes) / time : 0; }
};

struct Ladder {
  std::string lab, title;  ///< "14_cpu_int8_gemm", "int8 products"
  std::string started;     ///< as utc_now() writes it
  std::string compiler;    ///< "g++ 12.2.0 -O3 -march=x86-64-v3"
  bool has_published = true;
  Machine machine;
  Ceilings ceilings;
  std::vector<Rung> rungs;  ///< as the mark scheme orders them

  /// The slowest published rung, which the others are a multiple of; null when none was measured.
  const Rung* slowest() const;
};

/// "512 KiB".
std::string size_text(std::size_t bytes);

/// Reads what the judge prints for --ceilings.
Ceilings read_ceilings(const Json& json);

/// A rung from the judge's verdict on the learner's code and, where that was not measured, from its
/// verdict on the published solution timed against itself; either may be null.
Rung rung_of(const record::Row& row, const Check* check, const Check* published_check);

/// The rows of a mark scheme that the ladder shows: of one exercise, or of all when that is empty.
std::vector<record::Row> ladder_rows(const record::Scheme& scheme,
                                     const std::string& exercise = "");

/// The ladder for programs.
Json ladder_json(const Ladder& ladder, const std::string& version);

/// The ladder for people: a line and a bar for each rung, then what it was measured with.
std::string ladder_text(const Ladder& ladder, const Paint& paint);

}  // namespace nibble::report
