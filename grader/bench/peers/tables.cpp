// Rates, ratios and bytes a second as Markdown, with the spread of what was measured.
#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ceilings.hpp"
#include "lookup.hpp"

namespace nibble::peers {
namespace {

constexpr std::array kFamilies = {"avx2", "avx_vnni", "avx512_vnni", "amx_int8", "neon_dot"};

std::string figure(double value) {
  return value < 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.0f}", value);
}

/// "412 [398–420]": of a rate whose times were measured.
std::string spread(const Score& row, double amount) {
  const Summary time = row.time();
  const auto rate = [&](double seconds) { return figure(amount / seconds * 1e-9); };
  const std::string text =
      fmt::format("{} [{}–{}]", rate(time.median), rate(time.most), rate(time.least));
  return is_wrong(row) ? "(" + text + ")" : text;
}

std::string spread(const Summary& rate) {
  return fmt::format("{} [{}–{}]", figure(rate.median), figure(rate.least), figure(rate.most));
}

std::string gops(const Score* row) {
  if (row == nullptr) return "-";
  const std::string text = figure(row->gops());
  return is_wrong(*row) ? "(" + text + ")" : text;
}

std::string verdict(const Score& row) {
  if (!row.comparison.checked) return "-";
  if (is_wrong(row)) return fmt::format("WRONG {:.1f} %", 100 * row.comparison.wrong);
  return row.contender.family == "fp32" ? "right, rounded" : "right";
}

std::string threads_text(int threads) {
  return threads == 1 ? "1 thread, CPU time" : "2 threads, wall time";
}

std::string of_peak(const Results& results, const Score& row) {
  const Ceiling* const peak = peak_of(results.ceilings, row.contender.family, row.threads);
  if (peak == nullptr || is_wrong(row)) return "-";
  return fmt::format("{:.0f} %", 100 * row.gops() / peak->rate().most);
}

TextTable product_table(const Results& results, const MatmulShape& shape, int threads) {
  TextTable table(
      fmt::format("{}, {}: GOPS, median [slowest–fastest]", shape_name(shape),
                  threads_text(threads)),
      {"", "b packed before", "of its peak", "fused", "b packed in each call", "result"});
  for (const Contender& contender : multipliers(results)) {
    const auto find = [&](Operation work) {
      return find_row(results, contender.name, work, shape, threads);
    };
    const Score* const multiply = find(Operation::kMultiply);
    const Score* const packing = find(Operation::kPackMultiply);
    const Score* const best = multiply != nullptr ? multiply : packing;
    if (best == nullptr) continue;
    table.add(
        {contender.name, multiply != nullptr ? spread(*multiply, multiply->operations()) : "-",
         of_peak(results, *best), gops(find(Operation::kFused)), gops(packing), verdict(*best)});
  }
  return table;
}

std::string ratio_text(const std::optional<Beside>& pair) {
  if (!pair) return "-";
  const std::string text = fmt::format("{:.2f}", pair->ratio());
  return is_wrong(*pair->peer) ? "(" + text + ")" : text;
}

/// Ours over the fastest peer, by instruction set.
TextTable ratio_table(const Results& results, int threads) {
  std::vector<std::string> header = {""};
  std::vector<std::pair<std::string, Operation>> columns;
  for (const char* const family : kFamilies) {
    for (const Operation work : {Operation::kMultiply, Operation::kFused}) {
      const bool any = std::ranges::any_of(shapes_of(results), [&](const MatmulShape& shape) {
        return beside(results, shape, threads, family, work).has_value();
      });
      if (!any) continue;
      columns.emplace_back(family, work);
      header.push_back(std::string(family) + (work == Operation::kFused ? " fused" : ""));
    }
  }
  TextTable table(
      fmt::format("Speed of our kernel over the fastest peer of the same instruction set, {}",
                  threads_text(threads)),
      header);
  for (const MatmulShape& shape : shapes_of(results)) {
    std::vector<std::string> row = {shape_name(shape)};
    for (const auto& [family, work] : columns) {
      row.push_back(ratio_text(beside(results, shape, threads, family, work)));
    }
    if (!columns.empty()) table.add(row);
  }
  return table;
}

const Score* memory_row(const Results& results, const Score& row) {
  const auto found = std::ranges::find_if(results.rows, [&](const Score& other) {
    return !other.comparison.checked && other.work == row.work && other.count == row.count &&
           other.threads == row.threads;
  });
  return found == results.rows.end() ? nullptr : &*found;
}

/// Conversions and single rows: gigabytes a second, beside what memory alone gives.
TextTable byte_table(const Results& results, const std::string& title, bool is_conversion) {
  TextTable table(title,
                  {"", "work", "threads", "µs a call", "GB/s", "memory alone", "share", "result"});
  for (const Score& row : results.rows) {
    const bool converts = row.work == Operation::kQuantize || row.work == Operation::kDequantize;
    if ((is_conversion ? !converts : !is_cold(row.work)) || !row.comparison.checked) continue;
    const Score* const memory = memory_row(results, row);
    const std::string size =
        converts ? fmt::format(", {} KiB of float32", row.count * 4 >> 10) : std::string();
    table.add(
        {row.contender.name, std::string(name_of(row.work)) + size, std::to_string(row.threads),
         figure(row.time().median * 1e6), spread(row, row.bytes()),
         memory == nullptr ? "-" : figure(row.bytes() / memory->time().median * 1e-9),
         memory == nullptr ? "-" : fmt::format("{:.2f}", memory->time().median / row.time().median),
         verdict(row)});
  }
  return table;
}

TextTable ceiling_table(const Results& results, bool is_bandwidth) {
  TextTable table(is_bandwidth ? "Memory, GB/s; a copy counts what is read and what is written"
                               : "Instructions alone, GOPS",
                  {"", "1 thread", "2 threads"});
  for (const Ceiling& one : results.ceilings) {
    if (one.threads != 1 || (one.bytes > 0) != is_bandwidth) continue;
    const auto two = std::ranges::find_if(results.ceilings, [&](const Ceiling& other) {
      return other.threads == 2 && other.name == one.name;
    });
    table.add(
        {one.name, spread(one.rate()), two == results.ceilings.end() ? "-" : spread(two->rate())});
  }
  return table;
}

TextTable kernel_table(const Results& results) {
  TextTable table("Who they are", {"", "version, and the kernel it chose (where it tells)"});
  for (const Contender& contender : multipliers(results)) {
    std::vector<std::string> seen;
    for (const Score& row : results.rows) {
      if (row.contender.name != contender.name || std::ranges::count(seen, row.about) > 0) continue;
      seen.push_back(row.about);
      table.add({contender.name, row.about});
    }
  }
  return table;
}

TextTable absence_table(const Results& results) {
  TextTable table("Took no part", {"", "where", "why"});
  for (const Absence& absence : results.absences) {
    table.add({absence.name, absence.where, absence.reason});
  }
  return table;
}

}  // namespace

std::vector<TextTable> details(const Results& results) {
  std::vector<TextTable> all;
  for (const MatmulShape& shape : shapes_of(results)) {
    for (const int threads : {1, 2}) all.push_back(product_table(results, shape, threads));
  }
  all.push_back(kernel_table(results));
  all.push_back(absence_table(results));
  std::erase_if(all, [](const TextTable& table) { return table.empty(); });
  return all;
}

std::vector<TextTable> summary(const Results& results) {
  std::vector<TextTable> all;
  for (const int threads : {1, 2}) all.push_back(ratio_table(results, threads));
  all.push_back(
      byte_table(results, "float32 to int8 and back; the copy moves as many bytes", true));
  all.push_back(byte_table(
      results, "1 x 4096 x 4096, weights not in a cache; memory alone: a loop that only reads",
      false));
  for (const bool is_bandwidth : {false, true}) {
    all.push_back(ceiling_table(results, is_bandwidth));
  }
  std::erase_if(all, [](const TextTable& table) { return table.empty(); });
  return all;
}

}  // namespace nibble::peers
