// Writes counts as sums by name, where no line of the solution can be seen, and reads them back.
#include "judge/count_book.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "judge/kit_error.hpp"
#include "judge/record.hpp"
#include "text/json_text.hpp"

namespace nibble::judge {
namespace {

using Json = nlohmann::ordered_json;
using simt::SessionTotals;
using simt::Space;
using simt::Traffic;
using simt::Use;

struct Book {
  Json pages = Json::object();
  bool reads = false, writes = false;
  std::string case_name;
  std::size_t calls = 0;  ///< counted so far in this case
};

Book& book() {
  static Book one;
  return one;
}

struct NamedTotal {
  const char* name;
  std::uint64_t SessionTotals::*value;
};
constexpr NamedTotal kTotals[] = {
    {"launches", &SessionTotals::launches}, {"blocks", &SessionTotals::blocks},
    {"threads", &SessionTotals::threads},   {"barriers", &SessionTotals::barriers},
    {"atomics", &SessionTotals::atomics},   {"warp_collectives", &SessionTotals::warp_collectives},
    {"dp4a", &SessionTotals::dp4a},         {"mma", &SessionTotals::mma},
    {"popc", &SessionTotals::popc}};
/// The average alone: where a compiler makes a branch of a choice, steps follow from the data.
constexpr const char* kLanes = "lanes_at_work";

struct Asked {
  const char* name;
  Space space;
  Use use;
};
constexpr Asked kKinds[] = {{"global_loads", Space::kGlobal, Use::kLoad},
                            {"global_stores", Space::kGlobal, Use::kStore},
                            {"global_atomics", Space::kGlobal, Use::kAtomic},
                            {"shared_loads", Space::kShared, Use::kLoad},
                            {"shared_stores", Space::kShared, Use::kStore},
                            {"shared_atomics", Space::kShared, Use::kAtomic}};

struct NamedCount {
  const char* name;
  std::uint64_t Traffic::*value;
};
constexpr NamedCount kCounts[] = {{"requests", &Traffic::requests},
                                  {"sectors", &Traffic::sectors},
                                  {"wavefronts", &Traffic::wavefronts},
                                  {"ideal_wavefronts", &Traffic::ideal_wavefronts}};

/// The arguments have the contract's names; what the solution calls its shared memory is its own.
std::string subject_of(const Traffic& traffic) {
  return traffic.space == Space::kGlobal ? traffic.subject : "";
}

/// All accesses of one kind to one argument as if they were one: sums, and no line of the solution.
Json sums_of(const std::vector<Traffic>& traffic, const Asked& kind) {
  Json sums = Json::object();
  for (Traffic t : traffic) {
    if (t.space != kind.space || t.use != kind.use) continue;
    t.ideal_wavefronts = std::min(t.ideal_wavefronts, t.wavefronts);
    Json& own = sums[subject_of(t)];
    if (own.is_null()) own = Json::object();
    for (const NamedCount& count : kCounts) {
      own[count.name] = own.value(count.name, std::uint64_t{0}) + t.*count.value;
    }
  }
  return sums;
}

Json to_json(const KernelCounts& counts) {
  Json json;
  for (const NamedTotal& total : kTotals) json[total.name] = counts.totals.*total.value;
  json[kLanes] = kLanesAtWork.of(counts);
  for (const Asked& kind : kKinds) {
    Json sums = sums_of(counts.traffic, kind);
    if (!sums.empty()) json[kind.name] = std::move(sums);
  }
  return json;
}

KernelCounts from_json(const Json& json) {
  KernelCounts counts;
  for (const NamedTotal& total : kTotals) counts.totals.*total.value = json.at(total.name);
  counts.totals.steps = 1;
  counts.totals.active_lanes = json.at(kLanes);
  for (const Asked& kind : kKinds) {
    if (!json.contains(kind.name)) continue;
    for (const auto& [subject, sums] : json.at(kind.name).items()) {
      Traffic traffic{};
      traffic.space = kind.space;
      traffic.use = kind.use;
      subject.copy(traffic.subject, sizeof traffic.subject - 1);
      for (const NamedCount& count : kCounts) traffic.*count.value = sums.at(count.name);
      counts.traffic.push_back(traffic);
    }
  }
  return counts;
}

}  // namespace

void read_count_book(const std::string& file) {
  std::ifstream in(file);
  book().pages = text::json_of({std::istreambuf_iterator<char>(in), {}});
  if (!book().pages.is_object()) throw KitError(file + " is not there, or damaged");
  book().reads = true;
}

bool has_count_book() { return book().reads; }

void begin_count_book() { book().writes = true; }

void begin_counted_case(const std::string& name) {
  book().case_name = name;
  book().calls = 0;
}

KernelCounts published_counts_from_book() {
  const Json& pages = book().pages;
  const std::size_t call = book().calls++;
  const auto check = pages.find(running_check());
  if (check != pages.end()) {
    const auto calls = check->find(book().case_name);
    if (calls != check->end() && call < calls->size()) return from_json(calls->at(call));
  }
  throw NotInThisLeg(
      "the published solution's counts of this case are not in this copy of the kit");
}

void note_published_counts(const KernelCounts& counts) {
  if (book().writes) book().pages[running_check()][book().case_name].push_back(to_json(counts));
}

std::string count_book_text() { return text::json_text(book().pages, 1) + "\n"; }

}  // namespace nibble::judge
