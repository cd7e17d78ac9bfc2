#include "raw.hpp"

#include "report/machine.hpp"

namespace nibble::peers {
namespace {

using Json = nlohmann::ordered_json;

Json machine() {
  const report::Machine here = report::this_machine();
  return {{"cpu", here.cpu}, {"isa", here.isa}, {"load", here.load}};
}

Json ceiling_json(const Ceiling& ceiling) {
  return {{"name", ceiling.name},
          {"family", ceiling.family},
          {"threads", ceiling.threads},
          {"bytes", ceiling.bytes},
          {"unit", ceiling.bytes > 0 ? "GB/s" : "GOPS"},
          {"samples", ceiling.samples}};
}

Json row_json(const Row& row) {
  const Summary time = row.time();
  Json json = {{"contender", row.contender.name}, {"about", row.about},
               {"family", row.contender.family},  {"cap", row.contender.cap},
               {"ours", row.contender.is_ours},   {"work", name_of(row.work)}};
  if (row.count > 0) {
    json["count"] = row.count;
  } else {
    json["m"] = row.shape.m, json["n"] = row.shape.n, json["k"] = row.shape.k;
    json["gops"] = row.gops();
  }
  json["threads"] = row.threads;
  json["gbytes_per_s"] = row.gigabytes();
  json["checked"] = row.comparison.checked;
  json["wrong_share"] = row.comparison.wrong;
  json["clock"] = row.threads == 1 ? "cpu" : "wall";
  json["seconds"] = {
      {"median", time.median}, {"min", time.least}, {"max", time.most}, {"samples", row.seconds}};
  return json;
}

}  // namespace

Json raw(const Results& results, const std::string& command) {
  Json json = {{"date", report::utc_now()},
               {"command", command},
               {"machine", machine()},
               {"compiler", NIBBLE_COMPILER},
               {"kernel_flags", NIBBLE_KERNEL_FLAGS}};
  for (const Ceiling& ceiling : results.ceilings) json["ceilings"].push_back(ceiling_json(ceiling));
  for (const Row& row : results.rows) json["rows"].push_back(row_json(row));
  for (const Absence& absence : results.absences) {
    json["absent"].push_back(
        {{"name", absence.name}, {"where", absence.where}, {"why", absence.reason}});
  }
  return json;
}

}  // namespace nibble::peers
