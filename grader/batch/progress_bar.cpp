#include "batch/progress_bar.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <iostream>

namespace nibble::batch {
namespace {

constexpr std::size_t kCells = 20;

std::string time_text(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

std::string progress_text(std::size_t done, std::size_t all, double seconds) {
  const std::size_t full = all == 0 ? kCells : kCells * done / all;
  std::string text =
      fmt::format("[{}{}] {:>{}}/{}", std::string(full, '#'), std::string(kCells - full, '-'), done,
                  fmt::formatted_size("{}", all), all);
  if (done == 0 || seconds <= 0.0) return text;
  const double rate = static_cast<double>(done) / seconds;
  text += fmt::format("  {:.1f}/s", rate);
  if (done < all) text += "  " + time_text(static_cast<double>(all - done) / rate) + " left";
  return text;
}

ProgressBar::ProgressBar(std::string what, std::size_t all)
    : what_(std::move(what)),
      all_(all),
      on_terminal_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()) {
  draw();
}

ProgressBar::~ProgressBar() {
  if (on_terminal_) fmt::print(std::cerr, "\r\033[K");
}

void ProgressBar::step(const std::string& line) {
  const std::lock_guard lock(mutex_);
  ++done_;
  if (on_terminal_) fmt::print(std::cerr, "\r\033[K");
  if (!line.empty()) {
    fmt::print(std::cout, "{}\n", line);
    std::cout.flush();
  }
  draw();
}

void ProgressBar::draw() const {
  if (!on_terminal_) return;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  fmt::print(std::cerr, "\r{} {}", what_, progress_text(done_, all_, spent.count()));
  std::cerr.flush();
}

}  // namespace nibble::batch
