// Builds and judges implementations of labs, for the kit's own proofs: the sources are ours, so a
// child that was built before from the same bytes is taken again. Never for a submission.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "compile/cache.hpp"
#include "lab/kit.hpp"
#include "proofs/mistake_program.hpp"
#include "run/judging.hpp"

namespace nibble::proofs {

struct Implementation {
  std::string lab;
  std::string source;
  protocol::Leg leg = protocol::Leg::kPlain;
  std::vector<std::string> more_flags{};
};

/// A child that can be judged, or why there is none.
struct BuiltChild {
  bool ok = false;
  std::filesystem::path executable;
  std::string diagnostics;  ///< of the compiler: errors, or warnings when ok
};

/// One run of a judge. Without a verdict the kit is at fault, and the message says how.
struct Judgement {
  record::Verdict verdict;
  std::string kit_error;
  double seconds = 0.0;

  bool ok() const { return kit_error.empty(); }
};

class Workbench {
 public:
  struct Options {
    unsigned workers = 1;
    bool quick = false;       ///< one seed, no sanitizers
    int seeds = 3;            ///< that right code is judged on, each drawn anew
    bool brief = true;        ///< a mistake is known by the first check that rejects it
    protocol::Terms terms{};  ///< salt (empty: drawn, one for the run) and seed of every judge
    /// Of right code. The slow one first, so that no worker is left alone with it at the end.
    std::vector<protocol::Leg> legs{protocol::Leg::kSanitizers, protocol::Leg::kPlain};
  };

  /// Works in <root>/.nibble/check-kit.
  Workbench(const lab::Kit& kit, Options options);
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  const lab::Kit& kit() const { return kit_; }
  const Options& options() const { return options_; }

  BuiltChild build(const Implementation& what);

  /// Those of the mistakes that can be compiled together, at their places; what is not ok there has
  /// to be built by itself.
  std::vector<BuiltChild> build_together(const MistakeProgram& program,
                                         const std::vector<Mistaken>& mistaken);

  /// Every check, hidden ones too; or those of one exercise.
  Judgement judge(const Implementation& what, const BuiltChild& child,
                  const std::string& exercise = "");

  /// The same, no further than the first check that fails.
  Judgement judge_briefly(const Implementation& what, const BuiltChild& child,
                          const std::string& exercise);

  /// One check.
  Judgement judge_check(const Implementation& what, const BuiltChild& child,
                        const record::Row& check);

  /// The speed leg: every row that pays, against `published`.
  Judgement measure(const Implementation& what, const BuiltChild& child,
                    const BuiltChild& published);

  /// A folder that nobody else has; removed with the workbench.
  std::filesystem::path fresh_folder();

  /// Runs of a judge, and what kept some of them from a verdict, by lab.
  struct Health {
    int runs = 0;
    std::vector<std::string> kit_errors;
  };
  std::map<std::string, Health> health() const;

 private:
  Judgement run(protocol::Terms terms);

  const lab::Kit& kit_;
  Options options_;
  compile::Cache cache_;
  std::filesystem::path work_;
  std::atomic<int> folders_ = 0;
  mutable std::mutex mutex_;  // of what follows
  std::map<std::string, Health> health_;
};

}  // namespace nibble::proofs
