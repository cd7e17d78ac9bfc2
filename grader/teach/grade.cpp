// Takes an order, receives the submissions, carries out what is
// missing, and looks over what came of it.
#include "teach/grade.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "batch/chunk.hpp"
#include "batch/compare.hpp"
#include "batch/downloads.hpp"
#include "batch/local.hpp"
#include "batch/order.hpp"
#include "batch/overview.hpp"
#include "batch/plan.hpp"
#include "batch/reception.hpp"
#include "batch/store.hpp"
#include "batch/turn.hpp"
#include "files/sha256.hpp"
#include "lab/lab_files.hpp"
#include "lab/not_built.hpp"
#include "lab/on_demand.hpp"
#include "report/machine.hpp"
#include "run/salt.hpp"
#include "text/harmless.hpp"
#include "text/moment.hpp"

namespace nibble::teach {
namespace {

namespace fs = std::filesystem;
using batch::Batch;
using batch::BatchOrder;
using batch::Delivery;

constexpr int kGraded = 0, kDiffers = 1, kFault = 6, kInterrupted = 130;

std::multimap<std::string, const Delivery*> by_person(const std::vector<Delivery>& deliveries) {
  std::multimap<std::string, const Delivery*> people;
  for (const Delivery& one : deliveries) people.emplace(one.id, &one);
  return people;
}

/// Of what was delivered before, what is not delivered anew: lab by lab, since a course hands in
/// week by week. A place that changes is said: the names in a folder full of submissions may be a
/// student's choice.
void take_over(std::vector<Delivery>& before, const std::vector<Delivery>& now) {
  const std::multimap<std::string, const Delivery*> all = by_person(now);
  for (Delivery& one : before) {
    const auto [first, last] = all.equal_range(one.id);
    for (auto other = first; other != last; ++other) {
      const Delivery& fresh = *other->second;
      const auto is_fresh = [&](const std::string& lab) {
        return std::ranges::count(fresh.labs, lab) > 0;
      };
      const bool any = std::erase_if(one.labs, is_fresh) > 0;
      const bool was_sorted = !fresh.user.empty();  // by its owners: each has a place of its own
      if (any && !was_sorted && fresh.path != one.path && !one.path.empty() &&
          !fresh.path.empty()) {
        fmt::print(std::cout, "{} is now what lies in {}, and no longer in {}\n", one.id,
                   fresh.path, one.path);
      }
    }
  }
  std::erase_if(before, [](const Delivery& one) { return one.labs.empty(); });
}

std::vector<Delivery> merged(std::vector<Delivery> before, const std::vector<Delivery>& now) {
  take_over(before, now);
  before.insert(before.end(), now.begin(), now.end());
  std::ranges::stable_sort(before, {}, &Delivery::id);
  return before;
}

/// Those of before, and those that are new, in their order.
std::vector<lab::Lab> united(const lab::Kit& kit, const std::vector<lab::Lab>& before,
                             const std::vector<lab::Lab>& now) {
  std::vector<std::string> names = names_of(before);
  for (const lab::Lab& lab : now) names.push_back(lab.name);
  return kit.choose(names);
}

/// Builds `labs`, and says which of them can be graded. A lab that does not build is nobody's zero:
/// it is left out, aloud, or refused where it was named.
std::vector<lab::Lab> labs_to_grade(const lab::Kit& kit, const std::vector<lab::Lab>& labs,
                                    bool named) {
  lab::have_built(kit, names_of(labs));
  std::vector<lab::Lab> built;
  for (const lab::Lab& lab : labs) {
    const std::string why = lab::why_not_built(kit, lab.name);
    if (why.empty()) {
      built.push_back(lab);
    } else if (named) {
      throw std::runtime_error(fmt::format("{}: its checks do not build: {}", lab.name, why));
    } else {
      fmt::print(std::cout, "{} is not graded: its checks do not build: {}\n", lab.name, why);
    }
  }
  return built;
}

/// Whom the roster knows by several names, a number of the course system's and one of the school's,
/// is one person, called as the first of what was delivered. Two that come at once are refused as
/// one: nobody's file takes the place of another's unsaid. So is a name that several people have.
std::vector<Delivery> one_for_each(std::vector<Delivery> now, const std::vector<Delivery>& before,
                                   const std::vector<gradebook::Person>& roster) {
  if (roster.empty()) return now;
  const auto person_of = [&](const Delivery& one) {
    const gradebook::Person* const user =
        one.user.empty() ? nullptr : gradebook::find_by_any_name(roster, one.user);
    return user != nullptr ? user : gradebook::find_by_any_name(roster, one.id);
  };
  std::map<const gradebook::Person*, std::string> names;
  for (const Delivery& one : before) names.try_emplace(person_of(one), one.id);
  std::map<std::string, std::pair<std::size_t, std::string>> came;  // where, and by which name
  std::vector<Delivery> all;
  for (Delivery& one : now) {
    const std::string name = one.id;
    const gradebook::Person* const person = person_of(one);
    if (person != nullptr) {
      one.id = names.try_emplace(person, name).first->second;
    } else if (one.refusal.empty() && one.user.empty()) {  // a number tells namesakes apart
      one.refusal = gradebook::why_several(roster, name);
    }
    const auto [first, is_new] = came.try_emplace(one.id, all.size(), name);
    if (is_new) {
      all.push_back(std::move(one));
      continue;
    }
    Delivery& both = all[first->second.first];
    both.path.clear();
    both.refusal =
        fmt::format("{} and {} are both {}: leave one, or put the files of both into one folder",
                    first->second.second, name, person != nullptr ? shown(*person) : one.id);
  }
  return all;
}

/// Of one that was refused for its name, and lies there no more, nothing was taken: it is renamed.
void forget_renamed(BatchOrder& order, const fs::path& grades) {
  std::erase_if(order.submissions, [&](const Delivery& one) {
    if (one.refusal.empty() || !batch::is_taken_away(one)) return false;
    return fs::remove(batch::folder_in(grades, one.id) / "intake.json");
  });
}

/// What was named, as deliveries; a download of a course system is sorted by its people.
std::vector<Delivery> deliveries_of(const lab::Kit& kit, const Grade& what,
                                    const std::vector<lab::Lab>& labs) {
  if (what.is_one) return {batch::submission_at(what.paths.front(), labs)};
  if (what.paths.size() != 1) return batch::find_submissions(what.paths, labs);
  std::optional<std::vector<Delivery>> all =
      batch::find_downloaded(kit, what.paths.front(), labs, what.out);
  return all ? std::move(*all) : batch::find_submissions(what.paths, labs);
}

BatchOrder new_order(const lab::Kit& kit, const Grade& what) {
  BatchOrder order;
  order.labs = kit.choose(what.labs);
  order.legs = what.legs;
  order.terms = what.terms;
  if (order.terms.seed.empty()) order.terms.seed = run::draw_seed();
  const std::string salt = std::exchange(order.terms.salt, "");
  order.salt_hash = salt.empty() ? "" : files::sha256(salt);
  order.salt_is_lost = what.salt_is_lost;
  order.started = report::utc_now();
  order.submissions = one_for_each(deliveries_of(kit, what, order.labs), {}, what.roster);
  return order;
}

void must_be_the_same_salt(const BatchOrder& order, const fs::path& grades,
                           const std::string& salt) {
  if (!order.legs.hidden || files::sha256(salt) == order.salt_hash) return;
  if (order.salt_is_lost) {
    throw std::invalid_argument(grades.string() +
                                " was begun with --draw-salt: nobody has that salt any more. Grade "
                                "into another folder with -o");
  }
  throw std::invalid_argument(grades.string() +
                              " was begun with another salt: set NIBBLE_SALT to that one");
}

/// The order that is in the folder, with what was said now. Labs that are named come to those that
/// are there.
BatchOrder resumed(const lab::Kit& kit, BatchOrder order, const Grade& what) {
  const std::vector<lab::Lab> named = what.labs.empty() ? order.labs : kit.choose(what.labs);
  order.labs = united(kit, order.labs, named);
  if (!what.terms.seed.empty()) order.terms.seed = what.terms.seed;
  if (what.terms.budget.count() > 0) order.terms.budget = what.terms.budget;
  must_be_the_same_salt(order, what.out, what.terms.salt);
  if (!what.paths.empty()) {
    std::vector<Delivery> fresh = deliveries_of(kit, what, named);
    batch::call_as_before(fresh, order.submissions);
    fresh = one_for_each(std::move(fresh), order.submissions, what.roster);
    order.submissions = merged(order.submissions, fresh);
  }
  return order;
}

BatchOrder take_order(const lab::Kit& kit, const Grade& what) {
  std::optional<BatchOrder> before = batch::read_order(kit, what.out);
  if (before && !what.resume) {
    throw std::invalid_argument(
        fmt::format("{} holds results of {}: --resume goes on with them, -o names another folder",
                    what.out.string(), before->started));
  }
  if (before) return resumed(kit, std::move(*before), what);
  if (what.paths.empty()) throw std::invalid_argument("say which submissions to grade");
  return new_order(kit, what);
}

/// What of an order is wanted now. Throws std::invalid_argument for a name that is nobody's.
std::vector<Delivery> wanted_of(const BatchOrder& order, const Grade& what) {
  if (what.only.empty()) return order.submissions;
  const std::set<std::string> people = batch::people_of(order.submissions);
  for (const std::string& name : what.only) {
    if (people.contains(name)) continue;
    throw std::invalid_argument(fmt::format(
        "--only {}: no submission is called so; `./nibble teach status` shows their names",
        text::harmless(name)));
  }
  std::vector<Delivery> wanted;
  for (const Delivery& one : order.submissions) {
    if (std::ranges::count(what.only, one.id) > 0) wanted.push_back(one);
  }
  return wanted;
}

/// The labs that this run is about; whoever started it has read what was to say of others.
class Concern {
 public:
  Concern(const lab::Kit& kit, const Grade& what) {
    if (what.labs.empty()) return;  // all
    for (const lab::Lab& lab : kit.choose(what.labs)) labs_.insert(lab.name);
  }

  bool is_about(const std::string& lab) const { return labs_.empty() || labs_.contains(lab); }
  bool is_about(const Delivery& one) const {
    return labs_.empty() || std::ranges::any_of(one.labs, [&](const std::string& lab) {
             return labs_.contains(lab);
           });
  }
  /// `look` may be at a submission as a whole: that is then at those that it came in.
  bool is_about(const batch::Look& look, const BatchOrder& order) const {
    if (!look.lab.empty()) return is_about(look.lab);
    return std::ranges::any_of(
        order.submissions, [&](const Delivery& one) { return one.id == look.id && is_about(one); });
  }

 private:
  std::set<std::string> labs_;
};

void receive_all(const lab::Kit& kit, const BatchOrder& order,
                 const std::vector<Delivery>& submissions, const Concern& concern,
                 const fs::path& grades, const batch::Workplace& place) {
  for (const Delivery& one : submissions) {
    for (const std::string& line : batch::receive(kit, one, order.labs, grades, place.folder())) {
      if (concern.is_about(one)) fmt::print(std::cout, "  {}\n", line);
    }
  }
}

/// Whose folder or archive was taken away since, and the grade stays: a few by name.
void say_who_is_gone(const std::vector<Delivery>& submissions, const Concern& concern,
                     const fs::path& grades) {
  constexpr std::size_t kFew = 3;
  std::size_t gone = 0;
  for (const Delivery& one : submissions) {
    if (!concern.is_about(one) || !batch::is_taken_away(one)) continue;
    for (const std::string& lab : one.labs) {
      const auto result = batch::read_result(batch::result_file(grades, one.id, lab));
      if (!result || !concern.is_about(lab) || ++gone > kFew) continue;
      fmt::print(
          std::cout,
          "  {}: is no longer where it lay, and {} keeps its grade of {}; to withdraw that, grade "
          "an empty folder called {}\n",
          one.id, lab, text::dated(result->started), one.id);
    }
  }
  if (gone > kFew) fmt::print(std::cout, "  and {} more: the same\n", gone - kFew);
}

Batch batch_of(const lab::Kit& kit, const BatchOrder& order, const Grade& what) {
  Batch batch{fs::absolute(what.out), {}, what.boxes};
  for (const lab::Lab& lab : order.labs) {
    batch::LabOrder& one = batch.orders[lab.name];
    one = {lab, order.terms, order.legs};
    if (order.legs.hidden) one.terms.salt = what.terms.salt;
    one = batch::settled(kit, std::move(one));
  }
  return batch;
}

void say_what_is_ahead(const BatchOrder& order, const batch::Plan& plan) {
  fmt::print(std::cout, "{} · seed {} (recorded) · {} submissions · {}\n",
             order.labs.size() == 1 ? "lab " + order.labs[0].name
                                    : fmt::format("{} labs", order.labs.size()),
             order.terms.seed, order.submissions.size(),
             order.legs.hidden ? "public and hidden checks" : "public checks only");
  if (plan.done + plan.unmeasured.size() > 0) {
    fmt::print(std::cout, "{} are graded already and stay as they are\n",
               plan.done + plan.unmeasured.size());
  }
  if (plan.of_another_key > 0) {
    fmt::print(std::cout, "{} changed since, or the kit did: graded again\n", plan.of_another_key);
  }
  std::cout.flush();
}

/// Values first, as many at a time as there are workers; then speed, one alone.
batch::Done carry_out(const lab::Kit& kit, const Batch& batch,
                      const std::vector<batch::Grading>& gradings, const Grade& what,
                      const batch::Workplace& place) {
  const auto carry_out = [&](const std::vector<batch::Grading>& some, bool with_speed) {
    return what.slurm
               ? grade_on_slurm(batch, some, with_speed, *what.slurm)
               : grade_here(kit, batch, some, {what.workers, with_speed, what.cancelled}, place);
  };
  batch::Done done = carry_out(batch::plan(batch, gradings).missing, false);
  if (done.interrupted) return done;
  const batch::Done measured = carry_out(batch::plan(batch, gradings).unmeasured, true);
  done.faults += measured.faults;
  done.interrupted = measured.interrupted;
  return done;
}

void say_what_came_of_it(batch::Overview overview, const BatchOrder& order,
                         const Concern& concern) {
  const std::size_t of_others = std::erase_if(
      overview.looks, [&](const batch::Look& look) { return !concern.is_about(look, order); });
  fmt::print(std::cout, "{}", batch::overview_text(overview));
  if (of_others == 0) return;
  fmt::print(std::cout, "and of other labs {}: `./nibble teach status` shows them\n", of_others);
}

int finish(const Batch& batch, const BatchOrder& order, const Concern& concern,
           const batch::Done& done) {
  if (done.interrupted) {
    fmt::print(std::cout,
               "interrupted; what is graded stays. To go on: the same command with --resume\n");
    return kInterrupted;
  }
  const batch::Overview overview = batch::look_over(batch.grades, order);
  say_what_came_of_it(overview, order, concern);
  if (overview.faults + overview.missing > 0) return kFault;
  std::error_code ignored;
  fs::remove_all(batch.grades / ".batch" / "compiled", ignored);
  return kGraded;
}

/// All that follows once the clean copies are there.
int grade_received(const lab::Kit& kit, const BatchOrder& order, const Grade& what,
                   const batch::Workplace& place) {
  const Batch batch = batch_of(kit, order, what);
  const std::vector<batch::Grading> gradings = batch::handed_in(batch, wanted_of(order, what));
  say_what_is_ahead(order, batch::plan(batch, gradings));
  return finish(batch, order, Concern(kit, what), carry_out(kit, batch, gradings, what, place));
}

/// What is graded again: the copies that were taken, of the labs that they are of.
std::vector<Delivery> taken_before(const BatchOrder& order, const fs::path& grades) {
  std::vector<Delivery> copies;
  for (const std::string& id : batch::people_of(order.submissions)) {
    Delivery copy{id, (batch::folder_in(grades, id) / "submitted").string()};
    for (const lab::Lab& lab : order.labs) {
      if (fs::is_regular_file(batch::submitted_file(grades, id, lab)))
        copy.labs.push_back(lab.name);
    }
    copies.push_back(std::move(copy));
  }
  return copies;
}

BatchOrder order_in(const lab::Kit& kit, const fs::path& grades) {
  std::optional<BatchOrder> order = batch::read_order(kit, grades);
  if (!order) throw std::invalid_argument("nothing was graded into " + grades.string());
  return std::move(*order);
}

}  // namespace

int grade(const lab::Kit& kit, const Grade& what) {
  BatchOrder order = take_order(kit, what);
  wanted_of(order, what);  // before anything is written
  order.labs = labs_to_grade(kit, order.labs, what.resume || !what.labs.empty());
  const batch::Workplace place(what.out);
  const batch::Turn turn(what.out);
  batch::sweep(what.out);
  forget_renamed(order, what.out);
  batch::make_folders(what.out, order.submissions);
  batch::write_order(what.out, order);
  const Concern concern(kit, what);
  receive_all(kit, order, wanted_of(order, what), concern, fs::absolute(what.out), place);
  say_who_is_gone(wanted_of(order, what), concern, what.out);
  return grade_received(kit, order, what, place);
}

int regrade(const lab::Kit& kit, const fs::path& grades, const Grade& what) {
  BatchOrder order = order_in(kit, grades);
  must_be_the_same_salt(order, grades, what.terms.salt);
  if (fs::exists(what.out)) {
    throw std::invalid_argument(what.out.string() + " is there already: -o names a new folder");
  }
  order.labs = labs_to_grade(kit, order.labs, true);
  const batch::Workplace place(what.out);
  order.submissions = taken_before(order, fs::absolute(grades));
  order.submissions = wanted_of(order, what);
  batch::make_folders(what.out, order.submissions);
  batch::copy_refusals(grades, what.out, order.submissions);
  batch::write_order(what.out, order);
  receive_all(kit, order, order.submissions, Concern(kit, what), fs::absolute(what.out), place);
  const int graded = grade_received(kit, order, what, place);
  return graded == kGraded ? diff_grades(grades, what.out, what.only) : graded;
}

int grade_chunk(const lab::Kit& kit, const fs::path& grades, const fs::path& file,
                const Grade& what) {
  const BatchOrder order = order_in(kit, grades);
  must_be_the_same_salt(order, grades, what.terms.salt);
  const batch::Workplace place(grades);
  const Batch batch = batch_of(kit, order, what);
  const batch::Chunk chunk = batch::read_chunk(file);
  const batch::Plan plan = batch::plan(batch, chunk.gradings);
  const batch::Done done = grade_here(kit, batch, chunk.with_speed ? plan.unmeasured : plan.missing,
                                      {1, chunk.with_speed, what.cancelled}, place);
  return done.interrupted ? kInterrupted : kGraded;
}

int diff_grades(const fs::path& a, const fs::path& b, const std::vector<std::string>& only) {
  std::vector<batch::Difference> differences = batch::compare(a, b);
  std::erase_if(differences, [&](const batch::Difference& one) {
    return !only.empty() && std::ranges::count(only, one.id) == 0;
  });
  for (const auto& [id, lab, what] : differences)
    fmt::print(std::cout, "  {:<24} {:<22} {}\n", id, lab, what);
  fmt::print(
      std::cout, "{}\n",
      differences.empty() ? "the same grades" : fmt::format("{} differ", differences.size()));
  return differences.empty() ? kGraded : kDiffers;
}

int show_status(const lab::Kit& kit, const fs::path& grades) {
  const batch::Overview overview = batch::look_over(grades, order_in(kit, grades));
  fmt::print(std::cout, "{}", batch::overview_text(overview));
  return overview.missing + overview.faults == 0 ? 0 : 1;
}

}  // namespace nibble::teach
