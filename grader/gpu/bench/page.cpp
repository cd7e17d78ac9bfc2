// Reads the lines of a result file into sections, and writes each
// as a table with a sentence on the machine.
#include "gpu/bench/page.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace nibble::gpu {
namespace {

using Json = nlohmann::ordered_json;

struct PageSection {
  const char* name;
  const char* title;
  const char* about;
};
constexpr PageSection kSections[] = {
    {"ceilings", "What this GPU can do at most",
     "Each figure is measured by a kernel that does nothing else, and whose result is checked."},
    {"labs", "The published solutions",
     "Each beside the contract written down plainly, in turn, on fresh data each time. *share* is "
     "of "
     "the ceiling of the memory or of the instruction that the lab is about."},
    {"lt", "cuBLASLt",
     "The fastest of the algorithms that it offers; below, our kernels in turn with it."},
};

std::vector<Json> rows_of(const std::string& json_lines) {
  std::vector<Json> rows;
  std::istringstream lines(json_lines);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    Json row = Json::parse(line, nullptr, /*throw=*/false);
    if (!row.is_object() || !row.contains("section")) throw std::runtime_error("no row: " + line);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// "1479.3 TOPS", "4302 GB/s", or nothing.
std::string rate_of(const Json& row) {
  if (row.contains("tops")) return fmt::format("{:.4g} TOPS", row["tops"].get<double>());
  if (row.contains("gbps")) return fmt::format("{:.4g} GB/s", row["gbps"].get<double>());
  return "";
}

/// "12.3 x plain (12.1 to 12.4)"
std::string ratio_of(const Json& row) {
  constexpr std::array<std::pair<const char*, const char*>, 3> kFigures = {
      {{"vs_plain", "plain"}, {"vs_lt", "cuBLASLt"}, {"vs_published", "published"}}};
  for (const auto& [figure, word] : kFigures) {
    const std::string name = figure;
    if (!row.contains(name)) continue;
    return fmt::format("{:.3g} x {} ({:.3g} to {:.3g})", row[name].get<double>(), word,
                       row.value(name + "_low", 0.0), row.value(name + "_high", 0.0));
  }
  return "";
}

std::string share_of(const Json& row) {
  return row.contains("share") ? fmt::format("{:.0f} %", 100 * row["share"].get<double>()) : "";
}

std::string line_of(const Json& row) {
  return fmt::format("| {} | {:.5g} | {:.5g} | {} | {:.0f} | {} | {} | {} | {} |\n",
                     row.value("name", ""), row.value("us", 0.0), row.value("p90_us", 0.0),
                     row.value("n", 0), row.value("sm_mhz", 0.0), rate_of(row), share_of(row),
                     ratio_of(row), row.value("check", ""));
}

std::string table(const std::vector<Json>& rows, const std::string& section) {
  std::string lines;
  for (const Json& row : rows) {
    if (row["section"] == section && !row.contains("error")) lines += line_of(row);
  }
  if (lines.empty()) return "";
  return "| what | us, median | p90 | samples | MHz | rate | share | times as fast as | outputs |\n"
         "| --- | --: | --: | --: | --: | --: | --: | --: | --- |\n" +
         lines;
}

std::string errors(const std::vector<Json>& rows, const std::string& section) {
  std::string text;
  for (const Json& row : rows) {
    if (row["section"] == section && row.contains("error")) {
      text += "- not measured: " + row["error"].get<std::string>() + "\n";
    }
  }
  return text;
}

std::string machine_text(const std::vector<Json>& rows) {
  for (const Json& row : rows) {
    if (row["section"] != "run") continue;
    const std::string power = row.value("power_limit", "");
    return fmt::format("{}, sm_{}, {} multiprocessors, {} GiB; driver {}, nvcc {}{}; {}\n",
                       row.value("gpu", "?"), row.value("sm", 0), row.value("multiprocessors", 0),
                       row.value("memory_bytes", std::uint64_t{0}) >> 30, row.value("driver", "?"),
                       row.value("nvcc", "?"), power.empty() ? "" : ", power limit " + power,
                       row.value("date", "?"));
  }
  throw std::runtime_error("no row says which machine it was");
}

}  // namespace

std::string table_of(const std::string& json_lines, const std::string& section) {
  const std::vector<Json> rows = rows_of(json_lines);
  const std::string refused = errors(rows, section), measured = table(rows, section);
  return measured + (measured.empty() || refused.empty() ? "" : "\n") + refused;
}

std::string page_of(const std::string& json_lines, const std::string& file) {
  const std::vector<Json> rows = rows_of(json_lines);
  std::string page = "# On a GPU\n\n" + machine_text(rows) +
                     fmt::format(
                         "\nMade of [{0}]({0}), whose rows are what was measured. A row that "
                         "says FAIL counts for nothing.\n",
                         file);
  for (const PageSection& section : kSections) {
    const std::string text = table_of(json_lines, section.name);
    if (text.empty()) continue;
    page += fmt::format("\n## {}\n\n{}\n\n{}", section.title, section.about, text);
  }
  return page;
}

}  // namespace nibble::gpu
