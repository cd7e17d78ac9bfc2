// Sets counts beside the lines of the source, and says after them which waste most.
#include "report/traffic_screen.hpp"

#include <fmt/format.h>

#include <utility>

#include <algorithm>
#include <sstream>

#include "report/access_picture.hpp"

namespace nibble::report {
namespace {

constexpr int kAround = 2;  ///< lines shown before and after one that touches memory

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string access_line(const Access& access, const Paint& paint) {
  const std::string each = access.shared ? fmt::format("{:.2f} passes each", per_request(access))
                                         : fmt::format("{:.2f} sectors each, {:.0f} % wanted",
                                                       per_request(access), 100.0 * wanted(access));
  const std::string text = fmt::format("{:<6} {} {:<10} {:>9} requests   {}", access.use,
                                       access.shared ? "shared" : "global", access.subject,
                                       grouped(access.requests), each);
  return fmt::format("         {}\n", is_costly(access) ? paint.bad("! " + text) : "  " + text);
}

std::uint64_t sum(const ExerciseTraffic& traffic, bool shared, std::uint64_t Access::*member) {
  std::uint64_t all = 0;
  for (const Access& access : traffic.accesses) {
    if (access.shared == shared) all += access.*member;
  }
  return all;
}

/// "barriers 8 (8) · atomics 0 (0)": the submission's, and the published solution's in brackets.
std::string totals_line(const ExerciseTraffic& traffic) {
  std::string text;
  using record::Totals;
  constexpr std::pair<const char*, std::uint64_t Totals::*> kShown[] = {
      {"blocks", &Totals::blocks},
      {"barriers", &Totals::barriers},
      {"warp_collectives", &Totals::warp_collectives},
      {"atomics", &Totals::atomics},
      {"dp4a", &Totals::dp4a},
      {"mma", &Totals::mma},
      {"popc", &Totals::popc}};
  for (const auto& [name, total] : kShown) {
    const std::uint64_t got = traffic.totals.*total, published = traffic.published_totals.*total;
    if (got + published == 0) continue;
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : " · ", name, grouped(got),
                        grouped(published));
  }
  return text;
}

bool is_near(const ExerciseTraffic& traffic, int line) {
  return std::ranges::any_of(traffic.accesses, [&](const Access& access) {
    return access.line != 0 && std::abs(access.line - line) <= kAround;
  });
}

std::string annotated(const ExerciseTraffic& traffic, const std::string& source,
                      const Paint& paint) {
  std::istringstream lines(source);
  std::string text, one;
  bool gap = false;
  for (int number = 1; std::getline(lines, one); ++number) {
    if (!is_near(traffic, number)) {
      gap = !text.empty();
      continue;
    }
    if (gap) text += paint.quiet("      ⋮") + "\n";
    gap = false;
    text += fmt::format("{:>6}  {}\n", number, one);
    for (const Access& access : traffic.accesses) {
      if (access.line == number) text += access_line(access, paint);
    }
  }
  return text;
}

double waste(const Access& access) {
  if (access.shared) {
    return static_cast<double>(access.wavefronts) - static_cast<double>(access.ideal_wavefronts);
  }
  return static_cast<double>(access.sectors) - static_cast<double>(access.useful_bytes) / 32.0;
}

}  // namespace

const Access* access_to_draw(const ExerciseTraffic& traffic, int line) {
  const Access* chosen = nullptr;
  for (const Access& access : traffic.accesses) {
    if (line != 0 && access.line != line) continue;
    if (chosen == nullptr || waste(access) > waste(*chosen)) chosen = &access;
  }
  return chosen;
}

std::string traffic_text(const ExerciseTraffic& traffic, const std::string& source,
                         const std::string& file, int line, const Paint& paint) {
  const std::uint64_t moved = 32 * sum(traffic, false, &Access::sectors);
  const std::uint64_t wanted = sum(traffic, false, &Access::useful_bytes);
  const std::uint64_t passes = sum(traffic, true, &Access::wavefronts);
  const std::uint64_t conflicts =
      passes - std::min(passes, sum(traffic, true, &Access::ideal_wavefronts));
  std::string text = fmt::format("{}   {}   {}\n", paint.loud(traffic.exercise), file,
                                 paint.quiet("counted by the SIMT engine, in " + traffic.check));
  text += fmt::format("  global memory  {} bytes moved for {} wanted\n", grouped(moved),
                      grouped(wanted));
  if (passes > 0) {
    text += fmt::format("  shared memory  {} passes over the banks, {} of them conflicts\n",
                        grouped(passes), grouped(conflicts));
  }
  const std::string totals = totals_line(traffic);
  if (!totals.empty()) text += "  " + totals + paint.quiet("   (the published solution)") + "\n";
  text += annotated(traffic, source, paint);
  if (const Access* const access = access_to_draw(traffic, line)) {
    text += fmt::format("line {}, {} {}: the first request of a warp (lanes 0-9, a-v)\n",
                        access->line, access->use, access->subject);
    text += access_picture(*access);
  }
  return text;
}

}  // namespace nibble::report
