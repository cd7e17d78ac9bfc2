// nibble watch: judge on every save. One run at a time, the newest save wins, keys act at once.
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <optional>
#include <ostream>

#include "cli/commands.hpp"
#include "cli/file_events.hpp"
#include "cli/interrupt.hpp"
#include "cli/keys.hpp"
#include "cli/learner.hpp"
#include "cli/record.hpp"
#include "cli/trouble.hpp"

namespace nibble::cli {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kQuiet = 100ms;      // editors write a file in several steps
constexpr auto kLookAgain = 500ms;  // where nothing tells of changes
constexpr int kFailuresBeforeOffer = 5;
constexpr const char* kKeyLine = "[h]int [l]ist [n]ext [r]un again [a]ll of the lab [s]how [q]uit";

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%H:%M:%S", &parts);
  return text.data();
}

class Watch {
 public:
  Watch(Context& context, const std::string& word) : context_(context) {
    fixed_ = !word.empty();
    target_ = fixed_ ? find_target(context.labs, word)
                     : current_exercise(context, load_progress(context));
    if (target_.lab == nullptr) target_ = {&context.labs.front(), ""};
    for (const MarkedLab& lab : context.labs) {
      if (fixed_ && &lab != target_.lab) continue;
      files_.push_back(learners_file(context.kit, lab));
      watched_.push_back(&lab);
      fetch_gpu_legs(context, lab);
    }
    why_polling_ = why_polling(context.kit.root);
    events_ = watch_files(files_, !why_polling_.empty());
  }

  int loop() {
    greet();
    while (!quit_ && !was_interrupted()) {
      wait();
      look();
      if (!quit_ && due()) judge();
    }
    return was_interrupted() ? kInterrupted : kPassed;
  }

 private:
  void greet() {
    const std::string where = fixed_ ? "labs/" + target_.lab->name : "labs";
    context_.out << fmt::format("watching {} ({}); a save runs {}\n", where,
                                events_->descriptor() >= 0 ? "inotify"
                                : why_polling_.empty()
                                    ? "polling every 0.5 s"
                                    : "polling every 0.5 s because " + why_polling_,
                                target_.subject());
    if (keys_.present()) context_.out << kKeyLine << "\n";
    context_.out << std::flush;
  }

  /// Until a key, a save, or the end of the quiet time.
  void wait() {
    std::array<pollfd, 2> ready{
        {{events_->descriptor(), POLLIN, 0}, {keys_.descriptor(), POLLIN, 0}}};
    auto patience = std::chrono::duration_cast<std::chrono::milliseconds>(kLookAgain);
    if (changed_at_) {
      const auto left = kQuiet - (Clock::now() - *changed_at_);
      patience = std::clamp(std::chrono::duration_cast<std::chrono::milliseconds>(left) + 1ms, 0ms,
                            patience);
    }
    if (due()) return;
    poll(ready.data(), ready.size(), static_cast<int>(patience.count()));
  }

  /// Takes notice of saves and keys; also while a compiler runs.
  void look() {
    for (const auto& file : events_->saved()) {
      const auto which = std::ranges::find(files_, file) - files_.begin();
      note_save(*watched_[static_cast<std::size_t>(which)]);
    }
    while (const char key = keys_.next()) press(key);
  }

  void note_save(const MarkedLab& lab) {
    if (target_.lab != &lab || (!keys_.present() && is_done())) {
      const Target next = next_exercise(context_, load_progress(context_), &lab);
      target_ = next.lab != nullptr ? next : Target{&lab, ""};
    }
    changed_at_ = Clock::now();
    why_ = "save";
  }

  /// Where no key can be pressed, a save after a pass is one of the next exercise.
  bool is_done() const {
    return !target_.exercise.empty() && !fixed_ &&
           load_progress(context_).done(target_.lab->id_of(target_.exercise));
  }

  void press(char key) {
    switch (key) {
      case 'q':
        quit_ = true;
        break;
      case 'h':
        guarded([&] { hint_command(context_, exercise_in_focus(), 0); });
        break;
      case 'l':
        guarded([&] { list_command(context_, false); });
        break;
      case 's':
        show_wanted_ = true;
        break;
      case 'r':
        ask_for_run(target_, "again");
        break;
      case 'a':
        ask_for_run({target_.lab, ""}, "all");
        break;
      case 'n':
        go_on();
        break;
      default:
        break;
    }
    context_.out << std::flush;
  }

  std::string exercise_in_focus() const {
    return target_.exercise.empty() ? target_.lab->name : target_.lab->id_of(target_.exercise);
  }

  void ask_for_run(const Target& target, const char* why) {
    now_ = target;
    why_ = why;
  }

  void go_on() {
    const Target next = next_exercise(context_, load_progress(context_));
    if (next.lab == nullptr) {
      context_.out << "every exercise is done\n";
      return;
    }
    if (fixed_ && next.lab != target_.lab) {
      context_.out << fmt::format("this lab is done; next is {}: ./nibble watch\n",
                                  next.lab->id_of(next.exercise));
      return;
    }
    target_ = next;
    ask_for_run(target_, "next");
  }

  bool due() const {
    if (show_wanted_ || now_) return true;
    return changed_at_ && Clock::now() - *changed_at_ >= kQuiet;
  }

  /// Asked by the compiler's watcher every few milliseconds.
  bool obsolete() {
    look();
    return quit_ || was_interrupted() || changed_at_.has_value() || now_.has_value();
  }

  void judge() {
    if (show_wanted_) {
      show_wanted_ = false;
      guarded([&] { show_command(context_, {exercise_in_focus()}); });
      return;
    }
    const Target target = now_.value_or(target_);
    now_.reset();
    changed_at_.reset();
    guarded([&] { judge_one(target); });
  }

  void judge_one(const Target& target) {
    Order order;
    order.target = target;
    order.cancelled = [this] { return obsolete(); };
    const auto attempted =
        attempt(context_, order, [&](const legs::Ran& ran) { say(*target.lab, ran); });
    if (!attempted) return;
    keep_results(context_, *attempted);
    const int earned = note_progress(context_, *attempted);
    if (attempted->results.passes()) say_earned(earned);
    offer_hint(attempted->results);
  }

  report::View view() const {
    report::View view;
    view.subject = target_.subject();
    view.paint = context_.paint;
    return view;
  }

  /// Of the other legs speed alone has more to tell than what it found.
  void say(const MarkedLab& lab, const legs::Ran& ran) {
    if (ran.first) {
      context_.out << fmt::format("{}  {:<5} {}   {}\n", time_of_day(), why_, lab.file_name(),
                                  report::one_line(ran.results, view()));
    } else if (ran.leg == protocol::Leg::kSpeed) {
      context_.out << report::leg_text(ran.leg, ran.results, ran.seconds, view());
    } else if (ran.results.finding) {
      context_.out << fmt::format("{}  {}\n", time_of_day(),
                                  report::one_line_finding(ran.results, view()));
    }
    context_.out << std::flush;
  }

  void say_earned(int earned) {
    const Target next = next_exercise(context_, load_progress(context_));
    std::string text = earned > 0 ? fmt::format("+{} points", earned) : "passed before";
    if (next.lab != nullptr) {
      text += fmt::format("   {} {}", keys_.present() ? "press n for" : "next is",
                          next.lab->id_of(next.exercise));
    }
    context_.out << "          " << text << '\n' << std::flush;
  }

  /// One is offered after the same check has failed five times, never printed unasked.
  void offer_hint(const record::Result& results) {
    const record::Check* const first = record::first_failing(results.checks);
    const std::string failing = first == nullptr ? "" : first->id;
    failures_ = failing == failing_check_ ? failures_ + 1 : 1;
    failing_check_ = failing;
    if (failing.empty() || failures_ != kFailuresBeforeOffer) return;
    context_.out << fmt::format("          {} failed {} times: {}\n", failing, failures_,
                                keys_.present() ? "press h for a hint" : "./nibble hint")
                 << std::flush;
  }

  /// Trouble with one run (a file that is not text, a full disk) does not end the watch.
  template <class Action>
  void guarded(const Action& action) {
    try {
      action();
    } catch (const Trouble& trouble) {
      context_.out << fmt::format("{}  {}\n", time_of_day(), trouble.what());
    } catch (const std::filesystem::filesystem_error& error) {
      context_.out << fmt::format("{}  {}\n", time_of_day(), file_trouble(error).what());
    }
    context_.out << std::flush;
  }

  Context& context_;
  bool fixed_ = false;  ///< a lab was named: saves elsewhere do not count
  Target target_;
  std::vector<std::filesystem::path> files_;
  std::vector<const MarkedLab*> watched_;  ///< the lab of each file
  std::string why_polling_;
  std::unique_ptr<FileEvents> events_;
  Keys keys_;
  std::optional<Clock::time_point> changed_at_;  ///< of the newest save that was not judged yet
  std::optional<Target> now_;                    ///< what a key asked for
  std::string why_ = "save";
  bool show_wanted_ = false, quit_ = false;
  std::string failing_check_;
  int failures_ = 0;
};

}  // namespace

int watch_command(Context& context, const std::string& target) {
  return Watch(context, target).loop();
}

}  // namespace nibble::cli
