// Reads the speed of each row out of a verdict, and says it as JSON beside the roof that bounds it.
#include "report/ladder.hpp"

#include <algorithm>
#include <cmath>

#include "text/harmless.hpp"

namespace nibble::report {
namespace {

double rounded(double value, double per_unit) { return std::round(value * per_unit) / per_unit; }

/// The digits that a measurement has, and a few more.
double figure(double value) { return value < 100 ? rounded(value, 1e3) : rounded(value, 1e1); }

Rung::State state_of(const Check& check) {
  if (check.speed) return Rung::State::kMeasured;
  if (check.status == CheckStatus::kSkip) return Rung::State::kNotHere;
  return check.diagnosis == "N-STUB" ? Rung::State::kNotWritten : Rung::State::kWrong;
}

std::string message_of(const Check& check, Rung::State state) {
  if (state == Rung::State::kNotWritten) return "not written yet";
  const bool says_nothing = check.message.empty() && state == Rung::State::kWrong;
  return text::harmless(says_nothing ? word_of(check.status) : check.message);
}

const char* name_of(Rung::State state) {
  switch (state) {
    case Rung::State::kMeasured:
      return "measured";
    case Rung::State::kNotWritten:
      return "not_written";
    case Rung::State::kWrong:
      return "wrong";
    case Rung::State::kNotHere:
      break;
  }
  return "not_here";
}

/// One side of a rung; null when it was not measured.
Json side_json(const Rung& rung, const Rung* slowest, double rate, double ns) {
  if (ns <= 0) return nullptr;
  Json side = {{"ns", std::round(ns)}, {rung.computes() ? "gops" : "gbytes", figure(rate)}};
  if (rung.computes() && slowest != nullptr) {
    side["times_slowest"] = figure(rate / slowest->published());
  }
  if (rung.roof() > 0) side["of_ceiling"] = rounded(rate / rung.roof(), 1e4);
  return side;
}

Json rung_json(const Rung& rung, const Rung* slowest, bool has_published) {
  Json json = {{"letter", std::string(1, rung.letter)},
               {"exercise", rung.exercise},
               {"check", rung.check},
               {"state", name_of(rung.state)}};
  if (!rung.message.empty()) json["message"] = rung.message;
  json["operations"] = rung.operations;
  json["bytes"] = rung.bytes;
  if (rung.roof() > 0) {
    json["ceiling"] = {{rung.computes() ? "gops" : "gbytes", figure(rung.roof())},
                       {"of", rung.memory_is_the_roof() ? "memory" : rung.isa}};
  }
  json["yours"] = side_json(rung, slowest, rung.yours(), rung.ns);
  if (!has_published) return json;
  json["published"] = side_json(rung, slowest, rung.published(), rung.published_ns);
  if (rung.ratio > 0) {
    json["ratio"] = rounded(rung.ratio, 1e4);
    json["margin"] = rounded(rung.margin, 1e4);
    json["pairs"] = rung.pairs;
  }
  return json;
}

Json ceilings_json(const Ceilings& ceilings) {
  Json peaks = Json::object(), reads = Json::object(), assumed = Json::array();
  for (const auto& peak : ceilings.peaks) {
    peaks[peak.isa] = figure(peak.gops);
    if (peak.assumed) assumed.push_back(peak.isa);
  }
  for (const auto& read : ceilings.reads) reads[std::to_string(read.bytes)] = figure(read.gbytes);
  return {{"peaks", peaks}, {"read_gbytes", reads}, {"assumed", assumed}};
}

}  // namespace

std::string size_text(std::size_t bytes) {
  return bytes >= (std::size_t{1} << 20) ? std::to_string(bytes >> 20) + " MiB"
                                         : std::to_string(bytes >> 10) + " KiB";
}

double Rung::roof() const {
  if (!computes()) return read_gbytes;
  return memory_is_the_roof() ? intensity() * read_gbytes : peak_gops;
}

bool Rung::memory_is_the_roof() const {
  if (!computes()) return true;
  return bytes > 0 && read_gbytes > 0 && intensity() * read_gbytes < peak_gops;
}

const Rung* Ladder::slowest() const {
  const Rung* found = nullptr;
  for (const Rung& rung : rungs) {
    if (!rung.computes() || rung.published() <= 0) continue;
    if (found == nullptr || rung.published() < found->published()) found = &rung;
  }
  return found;
}

Ceilings read_ceilings(const Json& json) {
  Ceilings ceilings;
  const Json& assumed = json.at("assumed");
  for (const auto& [isa, gops] : json.at("peaks").items()) {
    const bool is_assumed = std::ranges::count(assumed, Json(isa)) > 0;
    ceilings.peaks.push_back({isa, gops.get<double>(), is_assumed});
  }
  for (const auto& [bytes, gbytes] : json.at("read_gbytes").items()) {
    ceilings.reads.push_back({std::stoull(bytes), gbytes.get<double>()});
  }
  std::ranges::sort(ceilings.peaks, {}, &Ceilings::Peak::gops);
  std::ranges::sort(ceilings.reads, {}, &Ceilings::Read::bytes);
  return ceilings;
}

Rung rung_of(const record::Row& row, const Check* check, const Check* published_check) {
  Rung rung;
  rung.exercise = row.exercise;
  rung.check = row.id;
  if (check != nullptr) {
    rung.state = state_of(*check);
    rung.message = message_of(*check, rung.state);
  }
  if (check != nullptr && check->speed) {
    static_cast<record::Speed&>(rung) = *check->speed;
    if (check->status != CheckStatus::kOdd) rung.message.clear();  // points: of no interest here
  } else if (published_check != nullptr && published_check->speed) {
    static_cast<record::Speed&>(rung) = *published_check->speed;
    rung.ns = rung.ratio = rung.margin = 0.0;
  }
  return rung;
}

std::vector<record::Row> ladder_rows(const record::Scheme& scheme, const std::string& exercise) {
  std::vector<record::Row> rows;
  for (const record::Row& row : scheme.checks) {
    if (!row.of_speed || row.hidden) continue;
    if (exercise.empty() || row.exercise == exercise) rows.push_back(row);
  }
  return rows;
}

Json ladder_json(const Ladder& ladder, const std::string& version) {
  const Rung* const slowest = ladder.slowest();
  Json json = {{"nibble", version},
               {"bench", 1},
               {"lab", ladder.lab},
               {"started", ladder.started},
               {"env",
                {{"cxx", ladder.compiler},
                 {"cpu", ladder.machine.cpu},
                 {"isa", ladder.machine.isa},
                 {"load", ladder.machine.load}}},
               {"clock", "process CPU time, lower quartile of interleaved calls"},
               {"ceilings", ceilings_json(ladder.ceilings)},
               {"slowest", slowest == nullptr ? Json(nullptr) : Json(slowest->exercise)},
               {"rungs", Json::array()}};
  for (const Rung& rung : ladder.rungs) {
    json["rungs"].push_back(rung_json(rung, slowest, ladder.has_published));
  }
  return json;
}

}  // namespace nibble::report
