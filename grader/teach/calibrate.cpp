// Measures contenders again and again, beside neighbours that burn
// CPU time, and prints mean and variation.
#include "teach/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <vector>

#include "files/files.hpp"
#include "process/neighbours.hpp"
#include "proofs/mistakes.hpp"
#include "proofs/proofs.hpp"
#include "proofs/proven_lab.hpp"
#include "report/machine.hpp"
#include "text/json_text.hpp"

namespace nibble::teach {
namespace {

using Json = nlohmann::ordered_json;

/// Something whose speed is worth knowing.
struct Racer {
  std::string name;
  proofs::Implementation what;
  std::string exercise;  ///< the only one that differs from the solution; empty: any may
};

/// What one row gave, measurement by measurement.
struct Series {
  std::vector<double> ratios, gops, seconds;
  int max_points = 0, fewest_points = 0, lost = 0, in_doubt = 0;
  double zero_at = 0.0, full_at = 0.0;
  std::string trouble;  ///< why there is no ratio
};

std::vector<Racer> contenders_of(const lab::Kit& kit, const proofs::ProvenLab& lab,
                                 bool only_solution) {
  std::vector<Racer> all{{"the published solution", {lab.name(), lab.solution}, ""}};
  if (only_solution) return all;
  for (const auto& file : lab.files.alternatives) {
    proofs::Implementation other{lab.name(), files::read_file(file)};
    other.more_flags = proofs::alternative_flags(kit);
    all.push_back({file.filename().string(), std::move(other), ""});
  }
  for (const proofs::Mistake& mistake :
       proofs::parse_mistakes(files::read_file(lab.files.mistakes))) {
    if (mistake.code != "N-SLOW") continue;
    all.push_back({mistake.name,
                   {lab.name(), proofs::apply_mistake(mistake, lab.solution)},
                   mistake.exercise});
  }
  return all;
}

void add_row(Series& series, const record::Check& check, double seconds) {
  series.max_points = check.max_points;
  const int points = check.points;
  series.fewest_points = series.ratios.empty() ? points : std::min(series.fewest_points, points);
  series.lost += points < series.max_points ? 1 : 0;
  series.seconds.push_back(seconds);
  if (!check.speed) {
    series.trouble = check.message.empty() ? name_of(check.status) : check.message;
    return;
  }
  const record::Speed& speed = *check.speed;
  series.ratios.push_back(speed.ratio);
  series.gops.push_back(speed.gops);
  series.in_doubt += speed.in_doubt ? 1 : 0;
  series.zero_at = speed.zero_at;
  series.full_at = speed.full_at;
}

/// Row -> series, of one contender.
std::map<std::string, Series> measure(proofs::Workbench& bench, const Racer& contender,
                                      const proofs::BuiltChild& published, int repetitions) {
  const proofs::BuiltChild child = bench.build(contender.what);
  if (!child.ok)
    throw std::runtime_error(contender.name + " does not compile: " + child.diagnostics);
  std::map<std::string, Series> rows;
  for (int i = 0; i < repetitions; ++i) {
    fmt::print(stderr, "\r{:<40} {:>3}/{}", contender.name, i + 1, repetitions);
    const proofs::Judgement judged = bench.measure(contender.what, child, published);
    if (!judged.ok()) throw std::runtime_error(judged.kit_error);
    for (const record::Check& check : judged.verdict.checks) {
      if (!contender.exercise.empty() && check.exercise != contender.exercise) continue;
      add_row(rows[check.exercise], check, judged.seconds);
    }
  }
  fmt::print(stderr, "\r{:<60}\r", "");
  return rows;
}

double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

double variation(const std::vector<double>& values) {
  const double middle = mean(values);
  double squares = 0.0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  const auto n = static_cast<double>(values.size());
  return n < 2 || middle == 0.0 ? 0.0 : std::sqrt(squares / (n - 1.0)) / middle;
}

void print_row(const std::string& name, const std::string& exercise, const Series& series) {
  if (series.ratios.empty()) {
    fmt::print("{:<30} {:<26} {}\n", name, exercise, series.trouble);
    return;
  }
  const auto [low, high] = std::ranges::minmax(series.ratios);
  fmt::print(
      "{:<30} {:<26} {:>6.3f} {:>5.1f} % {:>6.3f} {:>6.3f} {:>8.1f} {:>5}/{:<3} {:>4.2f} "
      "{:>4.2f}\n",
      name, exercise, mean(series.ratios), 100.0 * variation(series.ratios), low, high,
      mean(series.gops), series.fewest_points, series.max_points, series.zero_at, series.full_at);
}

Json as_json(const Series& series) {
  return {{"ratios", series.ratios},
          {"mean", mean(series.ratios)},
          {"cv", variation(series.ratios)},
          {"gops", mean(series.gops)},
          {"max_points", series.max_points},
          {"fewest_points", series.fewest_points},
          {"lost", series.lost},
          {"in_doubt", series.in_doubt},
          {"zero_at", series.zero_at},
          {"full_at", series.full_at},
          {"leg_seconds", mean(series.seconds)}};
}

}  // namespace

int calibrate(const lab::Kit& kit, const Calibrate& what) {
  const proofs::ProvenLab lab = proofs::open_lab(kit, kit.lab(what.lab));
  const std::string& name = lab.name();
  if (std::ranges::none_of(lab.scheme.checks, &record::Row::of_speed)) {
    throw std::invalid_argument(name + " has no row of the speed leg");
  }
  proofs::Workbench bench(kit, {});
  const proofs::BuiltChild published = bench.build({lab.name(), lab.solution});
  const process::Neighbours neighbours(what.neighbours);
  fmt::print("{} · {} repetitions · {} busy neighbours · ratios to the published solution\n", name,
             what.repetitions, what.neighbours);
  fmt::print("{:<30} {:<26} {:>6} {:>7} {:>6} {:>6} {:>8} {:>9} {:>4} {:>4}\n", "implementation",
             "exercise", "mean", "CV", "least", "most", "GOPS", "fewest", "0 at", "full");
  Json rows = Json::array();
  int lost = 0;
  for (const Racer& contender : contenders_of(kit, lab, what.only_solution)) {
    for (const auto& [exercise, series] : measure(bench, contender, published, what.repetitions)) {
      print_row(contender.name, exercise, series);
      std::fflush(stdout);
      if (contender.what.source == lab.solution) lost += series.lost;
      rows.push_back({{"implementation", contender.name},
                      {"exercise", exercise},
                      {"series", as_json(series)}});
    }
  }
  fmt::print("the published solution lost a point in {} of its measurements\n", lost);
  if (!what.json.empty()) {
    const report::Machine machine = report::this_machine();
    const Json file = {{"lab", name},
                       {"date", report::utc_now()},
                       {"compiler", kit.cxx_name},
                       {"flags", kit.flags(lab.files.lab.kind, protocol::Leg::kPlain)},
                       {"cpu", machine.cpu},
                       {"isa", machine.isa},
                       {"repetitions", what.repetitions},
                       {"neighbours", what.neighbours},
                       {"rows", rows}};
    files::write_atomically(what.json, text::json_text(file, 1) + "\n");
  }
  return lost == 0 ? 0 : 1;
}

}  // namespace nibble::teach
