// Puts results.json together: legs, findings with their places, the machine, the manifest; and
// knows one when it reads one.
#include "report/results.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <optional>

#include "build/compile.hpp"
#include "build/files.hpp"
#include "build/sha256.hpp"
#include "report/sanitizer.hpp"
#include "report/speed.hpp"
#include "text/harmless.hpp"
#include "text/json_text.hpp"

namespace nibble::report {
namespace {

constexpr std::size_t kMostText = std::size_t{64} << 10;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// Diagnoses that the judge makes itself; it has seen what they say.
bool is_the_judges_own(const std::string& code) {
  constexpr std::array kOwn = {"N-ODD",   "N-STALE", "N-WRONG",     "N-STUB",   "N-CRASH",
                               "N-OOB",   "N-INPUT", "N-UNWRITTEN", "N-SIZE",   "N-REFUSED",
                               "N-THROW", "N-EXIT",  "N-TIME",      "N-MEMORY", "N-PROTOCOL"};
  constexpr std::array kOfTheEngine = {
      "N-LAUNCH",   "N-FREED",  "N-ALIGN",    "N-POINTER",   "N-BARRIER",  "N-LANES",    "N-RACE",
      "N-UNINIT",   "N-WAIT",   "N-LEAK",     "N-UNCHECKED", "N-COALESCE", "N-REQUESTS", "N-BANK",
      "N-BARRIERS", "N-ATOMIC", "N-LAUNCHES", "N-DP4A",      "N-MMA",      "N-POPC"};
  return std::ranges::count(kOwn, code) > 0 || std::ranges::count(kOfTheEngine, code) > 0;
}

/// What the mark scheme expects of a check that fails.
std::string usual_diagnosis(const Json& scheme, const Json& check) {
  for (const Json& row : scheme.at("checks")) {
    if (row.at("id") == check.at("id") && row.at("exercise") == check.at("exercise")) {
      return row.value("diagnosis", "");
    }
  }
  return "";
}

/// A check that names another mistake than its own has compared the answer with what that mistake
/// would give: two diagnoses fit, so it "looks like" the one, and is not said to be it.
void mark_suspects(Json& check, const Json& scheme) {
  if (!check.contains("diagnosis")) return;
  const std::string code = check["diagnosis"];
  const std::string usual = usual_diagnosis(scheme, check);
  if (!usual.empty() && code != usual && !is_the_judges_own(code)) check["sure"] = false;
}

const Json* check_like(const Json& verdict, const Json& check) {
  for (const Json& other : verdict.at("checks")) {
    if (other.at("id") == check.at("id") && other.at("exercise") == check.at("exercise")) {
      return &other;
    }
  }
  return nullptr;
}

Json location_json(const Location& place) { return {{"file", place.file}, {"line", place.line}}; }

/// "cuda_quantize.cu:12" as a place in the learner's file; nullopt: in another, or not known.
std::optional<Location> place_of(const std::string& where, const std::string& lab) {
  const std::string file = build::source_name(lab).filename().string() + ":";
  if (!where.starts_with(file)) return std::nullopt;
  return Location{build::source_name(lab).string(), std::atoi(where.c_str() + file.size())};
}

/// Where in the learner's file a check that crashed did so, as the sanitizers saw it.
void locate(Json& check, const Json& sanitizers) {
  const std::string status = check.at("status");
  if (status != "crash" || sanitizers.is_null()) return;
  const Json* const seen = check_like(sanitizers, check);
  if (seen == nullptr) return;
  const auto place = learners_line(seen->value("output", ""));
  if (place) check["location"] = location_json(*place);
}

/// Slowness is no finding: sanitized code is slower, and the limit is the same.
bool is_finding(const Json& check) {
  const std::string status = check.at("status");
  return status != "pass" && status != "skip" && status != "timeout";
}

Json finding_of(const Json& check, bool gave_value, const std::string& leg) {
  const std::string output = check.value("output", "");
  std::string message = summary(output);
  if (message.empty() && leg == "gpu") {
    message = "not the same on a GPU: " + check.value("message", status_word(check.at("status")));
  }
  if (message.empty() && gave_value) {
    message =
        "another answer than without sanitizers: a value that was never set, or undefined"
        " behaviour";
  }
  if (message.empty()) message = check.value("message", status_word(check.at("status")));
  Json finding = {{"leg", leg},
                  {"check", check.at("id")},
                  {"exercise", check.at("exercise")},
                  {"message", text::harmless(message)}};
  if (const auto place = learners_line(output)) finding["location"] = location_json(*place);
  if (check.contains("first")) finding["case"] = check["first"]["case"];
  if (check.contains("replay")) {
    finding["replay"] = check["replay"].get<std::string>() + " --leg " + leg;
  }
  return finding;
}

/// The first thing that a leg without points saw; null when it saw nothing.
Json first_finding(const Json& verdict, const char* leg) {
  if (verdict.is_null()) return {};
  for (const Json& check : verdict.at("checks")) {
    if (is_finding(check)) return finding_of(check, check.at("status") == "fail", leg);
  }
  return {};
}

/// The first complaint of compute-sanitizer; null when there is none.
Json first_complaint(const Json& seen, const Json& verdict) {
  if (seen.is_null() || seen.at("complaints").empty()) return {};
  const Json& complaint = seen["complaints"][0];
  std::string message = text_at(complaint, "tool") + ": " + text_at(complaint, "what");
  if (complaint.contains("kernel")) message += " in " + text_at(complaint, "kernel");
  if (complaint.contains("thread")) message += ", by " + text_at(complaint, "thread");
  Json finding = {{"leg", "gpu_sanitizer"},
                  {"check", complaint.at("check")},
                  {"exercise", complaint.at("exercise")},
                  {"message", text::harmless(message)}};
  if (complaint.contains("location")) finding["location"] = complaint["location"];
  finding["replay"] = "nibble run " + text_at(verdict, "lab").substr(0, 2) + "." +
                      text_at(complaint, "exercise") + " --check " + text_at(complaint, "check") +
                      " --seed " + text_at(verdict, "seed") + " --leg gpu";
  return finding;
}

Json no_verdict(const Account& account, const Json& scheme) {
  int public_points = 0, hidden_points = 0;
  for (const Json& row : scheme.at("checks")) {
    (row.at("visibility") == "hidden" ? hidden_points : public_points) +=
        row.at("max_points").get<int>();
  }
  const bool with_hidden = !account.terms.salt.empty();
  return {{"lab", account.terms.lab},
          {"verdict", "no_compile"},
          {"exit", 3},
          {"points", 0},
          {"max_points", public_points + (with_hidden ? hidden_points : 0)},
          {"hidden", {{"run", false}, {"max_points", hidden_points}}},
          {"seed", account.terms.seed.empty() ? "0x0" : account.terms.seed},
          {"checks", Json::array()}};
}

/// What hidden checks would add. A handout has none, and every lab is worth 100.
int hidden_points(const Json& verdict, const Json& scheme) {
  const int known = verdict.at("hidden").at("max_points");
  if (known > 0) return known;
  int all = 0;
  for (const Json& row : scheme.at("checks")) all += row.at("max_points").get<int>();
  return std::max(0, 100 - all);
}

std::string speed_leg(const Account& account) {
  if (!account.speed_wanted) return "none";
  if (!account.speed_not_here.empty()) return "not_here";
  return account.speed.is_null() ? "not_run" : "ran";
}

/// "none", "ran", "not_here" or "not_run", of a leg that only a GPU can run.
std::string gpu_leg(const Account& account, const Json& seen, const std::string& not_here) {
  if (!build::is_cuda_lab(account.terms.lab) || build::has_host_code(account.terms.lab))
    return "none";
  if (!seen.is_null()) return "ran";
  return not_here.empty() ? "not_run" : "not_here";
}

/// Without a GPU there is nothing to look into.
std::string why_no_gpu_sanitizer(const Account& account) {
  return account.gpu_not_here.empty() ? account.gpu_sanitizer_not_here : account.gpu_not_here;
}

Json legs_of(const Account& account) {
  const bool only_sanitizers = account.terms.leg == build::Leg::kSanitizers;
  const bool ran = !account.verdict.is_null();
  const std::string gpu = gpu_leg(account, account.gpu, account.gpu_not_here);
  const std::string gpu_sanitizer =
      gpu_leg(account, account.gpu_sanitizer, why_no_gpu_sanitizer(account));
  if (build::is_cuda_lab(account.terms.lab)) {
    return {{"plain", "none"}, {"sanitizers", "none"},
            {"speed", "none"}, {"simt", ran ? "ran" : "not_run"},
            {"gpu", gpu},      {"gpu_sanitizer", gpu_sanitizer}};
  }
  std::string sanitizers = "not_run";
  if (account.sanitizers_not_here) sanitizers = "not_here";
  if (account.builds_differ) sanitizers = "no_compile";
  if (!account.sanitizers.is_null() || (only_sanitizers && ran)) sanitizers = "ran";
  return {{"plain", ran && !only_sanitizers ? "ran" : "not_run"},
          {"sanitizers", sanitizers},
          {"speed", speed_leg(account)},
          {"simt", "none"},
          {"gpu", gpu},
          {"gpu_sanitizer", gpu_sanitizer}};
}

/// Why this machine could not run a leg, by its name.
Json reasons_of(const Account& account, const Json& legs) {
  Json reasons = Json::object();
  const auto add = [&](const char* leg, const std::string& why) {
    if (legs.at(leg) == "not_here" && !why.empty()) reasons[leg] = text::harmless(why);
  };
  add("speed", account.speed_not_here);
  add("gpu", account.gpu_not_here);
  add("gpu_sanitizer", why_no_gpu_sanitizer(account));
  return reasons;
}

Json environment_of(const build::Kit& kit, const Account& account) {
  const Machine& machine = account.machine;
  return {{"cxx", kit.cxx_name},
          {"flags", joined(kit.flags(account.terms.lab, account.terms.leg))},
          {"cpu", machine.cpu},
          {"isa", machine.isa},
          {"gpu", machine.gpu ? Json(*machine.gpu) : Json(nullptr)},
          {"sandbox", machine.sandbox},
          {"limits", machine.limits},
          {"load", machine.load}};
}

Json manifest_of(const build::Kit& kit, const Account& account) {
  const KitHashes hashes = hash_kit(kit, account.terms.lab);
  const std::string file = build::source_name(account.terms.lab).filename().string();
  Json manifest = {{"source", {{file, build::sha256(account.source)}}},
                   {"kit", hashes.kit},
                   {"checks", hashes.checks}};
  if (!account.terms.salt.empty()) manifest["salt"] = build::sha256(account.terms.salt);
  return manifest;
}

Json needs_look(const Account& account, const Json& checks) {
  Json reasons = Json::array();
  if (!account.odd_imports.empty()) reasons.push_back("rule");
  if (account.builds_differ) reasons.push_back("leg");
  for (const Json& check : checks) {
    if (check.at("status") == "odd") reasons.push_back("odd");
    if (check.contains("speed") && check["speed"].value("in_doubt", false)) {
      reasons.push_back("noise");
    }
  }
  return reasons;
}

Json checks_of(const Json& verdict, const Json& scheme, const Account& account) {
  Json checks = verdict.at("checks");
  for (Json& check : checks) {
    mark_suspects(check, scheme);
    if (const auto place = place_of(text_at(check, "where"), account.terms.lab)) {
      check["location"] = location_json(*place);
    }
    check.erase("where");
    locate(check, account.sanitizers);
    if (check.contains("output")) {
      std::string output = check["output"].get<std::string>().substr(0, kMostText);
      if (check.at("leg") == "sanitizers") output = without_addresses(output);
      check["output"] = text::harmless(output);
    }
  }
  return checks;
}

}  // namespace

KitHashes hash_kit(const build::Kit& kit, const std::string& lab) {
  const std::string judge = build::read_file(kit.judge(lab));
  std::string parts = kit.version + "\n" + build::sha256(judge);
  for (const auto& object : build::runner_objects(kit, lab)) {
    parts += "\n" + build::sha256(build::read_file(object));
  }
  return {build::sha256(parts), build::sha256(judge)};
}

Json results_of(const build::Kit& kit, const Json& scheme, const Account& account) {
  const Json verdict = account.verdict.is_null() ? no_verdict(account, scheme)
                                                 : with_speed(account.verdict, account, scheme);
  const bool only_sanitizers = account.terms.leg == build::Leg::kSanitizers;
  Json finding =
      first_finding(only_sanitizers ? account.verdict : account.sanitizers, "sanitizers");
  if (finding.is_null()) finding = first_finding(account.gpu, "gpu");
  if (finding.is_null()) finding = first_complaint(account.gpu_sanitizer, verdict);
  const bool found = !finding.is_null();

  Json results = {{"nibble", kit.version}, {"schema", 1}, {"lab", account.terms.lab}};
  results["verdict"] = found ? Json("stopped") : verdict.at("verdict");
  results["exit"] = found ? Json(4) : verdict.at("exit");
  results["points"] = verdict.at("points");
  results["max_points"] = verdict.at("max_points");
  results["not_counted"] = verdict.value("not_counted", 0);
  results["hidden"] = {{"run", verdict.at("hidden").at("run")},
                       {"max_points", hidden_points(verdict, scheme)}};
  results["legs"] = legs_of(account);
  const Json reasons = reasons_of(account, results["legs"]);
  if (!reasons.empty()) results["not_here"] = reasons;
  results["seed"] = verdict.at("seed");
  results["started"] = account.started;
  results["seconds"] = std::round(account.seconds * 1e3) / 1e3;
  results["env"] = environment_of(kit, account);
  results["manifest"] = manifest_of(kit, account);
  results["needs_look"] = needs_look(account, verdict.at("checks"));
  if (!account.compile_message.empty()) {
    results["compile"] = {
        {"message", text::harmless(account.compile_message.substr(0, kMostText))}};
  }
  if (!account.odd_imports.empty()) results["odd_imports"] = account.odd_imports;
  if (!account.prints.empty()) results["prints"] = account.prints;
  if (found) results["finding"] = finding;
  if (!account.gpu_sanitizer.is_null()) results["gpu_sanitizer"] = account.gpu_sanitizer;
  results["checks"] = checks_of(verdict, scheme, account);
  return results;
}

std::string as_text(const Json& results) { return text::json_text(results, 2) + "\n"; }

bool is_results(const Json& json) {
  const auto has = [](const Json& object, std::initializer_list<const char*> keys, auto is_right) {
    return std::ranges::all_of(keys, [&](const char* key) {
      const auto member = object.find(key);
      return member != object.end() && is_right(*member);
    });
  };
  const auto is_text = [](const Json& one) { return one.is_string(); };
  const auto is_count = [](const Json& one) { return one.is_number_integer(); };
  const bool has_head = json.is_object() && has(json, {"lab", "verdict", "started"}, is_text) &&
                        has(json, {"points", "max_points"}, is_count) && json.contains("checks") &&
                        json["checks"].is_array() && json.contains("legs") &&
                        json["legs"].is_object() && std::ranges::all_of(json["legs"], is_text);
  return has_head && std::ranges::all_of(json["checks"], [&](const Json& check) {
           return check.is_object() && has(check, {"exercise", "id", "title", "status"}, is_text) &&
                  has(check, {"points", "max_points"}, is_count);
         });
}

std::string status_word(const std::string& status) {
  if (status == "crash") return "crashed";
  if (status == "timeout") return "too slow";
  if (status == "rule") return "broke a rule";
  if (status == "odd") return "not believable";
  if (status == "error") return "fault of the kit";
  return status;
}

}  // namespace nibble::report
