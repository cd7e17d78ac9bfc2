// Starts a lab's judge on a child executable and reads its verdict.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "build/budget.hpp"
#include "build/kit.hpp"
#include "sandbox/box.hpp"

namespace nibble::build {

/// Which checks a judge runs. Never both: a process that has seen a hidden input answers no public
/// check, of which a student is shown what it gave.
enum class Checks { kPublic, kHidden };

/// What to judge; the fields are the judge's options, empty ones are left to it.
struct Trial {
  std::string lab;
  std::filesystem::path child;
  Leg leg = Leg::kPlain;
  std::string exercise{}, check{}, only_case{}, seed{};
  bool on_gpu = false;  ///< the child launches on a GPU
  Checks checks = Checks::kPublic;
  std::string salt{};  ///< the course's secret; empty: drawn anew
  bool show = false;
  std::filesystem::path published{};  ///< not empty: the speed leg, timed against this executable
  bool count_book = false;            ///< no verdict but what the published kernels count
  bool bench = false;                 ///< rows that pay nothing too
  std::chrono::milliseconds cpu_limit{0}, wall_limit{0};  ///< of one call; 0: the judge's own
  std::chrono::milliseconds check_limit{0};  ///< of all calls of a check; 0: the judge's own
  Budget* budget = nullptr;  ///< of a submission; nullptr: nobody limits it as a whole
  sandbox::Boxes boxes{};    ///< what it runs in
  std::function<bool()> cancelled{};
};

struct Judged {
  enum class Outcome { kVerdict, kUsage, kKitError, kCancelled };
  Outcome outcome;
  nlohmann::ordered_json verdict;  ///< when there is one
  std::string message;             ///< otherwise
  double seconds = 0.0;
};

Judged judge(const Kit& kit, const Trial& trial);

/// Adds what the hidden checks came to. Where there is no check of a kind (kUsage), the other
/// stands alone.
void add_hidden(Judged& all, Judged hidden);

/// `trial` for the hidden checks, of which `so_far` gave the public ones.
Trial hidden_of(Trial trial, const Judged& so_far);

/// Public checks and then hidden ones.
Judged judge_everything(const Kit& kit, const Trial& trial);

}  // namespace nibble::build
