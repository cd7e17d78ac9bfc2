// The time that one submission has as a whole: for all its compilations and runs, over all legs.
// When it is used up, what is left to do is not done, and that is the submission's verdict.
#pragma once

#include <algorithm>
#include <chrono>

namespace nibble::compile {

class Budget {
  using Clock = std::chrono::steady_clock;

 public:
  using Milliseconds = std::chrono::milliseconds;

  explicit Budget(Milliseconds whole) : whole_(whole) {}

  Milliseconds whole() const { return whole_; }

  /// What the step that is running has used counts.
  Milliseconds left() const {
    const auto running = is_running_ ? Clock::now() - started_ : Clock::duration{0};
    const auto used = std::chrono::ceil<Milliseconds>(used_ + running);
    return std::max(Milliseconds{0}, whole_ - used);
  }

  /// While this lives, time is charged. Of nobody's budget: none is.
  class Spending {
   public:
    explicit Spending(Budget* budget) : budget_(budget) {
      if (budget_ == nullptr) return;
      budget_->started_ = Clock::now();
      budget_->is_running_ = true;
    }
    ~Spending() {
      if (budget_ == nullptr) return;
      budget_->used_ += Clock::now() - budget_->started_;
      budget_->is_running_ = false;
    }
    Spending(const Spending&) = delete;
    Spending& operator=(const Spending&) = delete;

   private:
    Budget* budget_;
  };

 private:
  Milliseconds whole_;
  Clock::duration used_{0};
  Clock::time_point started_;
  bool is_running_ = false;
};

}  // namespace nibble::compile
