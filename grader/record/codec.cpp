// Every member once, for both directions, in the order in which it is written.
#include "record/codec.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <type_traits>

#include "text/json_text.hpp"

namespace nibble::record {
namespace {

using Json = nlohmann::ordered_json;
using protocol::Leg;

/// Says which record a list of members is of.
template <class Record>
struct Of {};

// Of a field: f(name, member) must be there; f.since: a kit of before has not written it; f.some:
// it stands there unless it is empty; f.either: one of two words; f.is: always this value.

void members(Of<Location>, auto& x, auto f) {
  f("file", x.file);
  f("line", x.line);
}

void members(Of<Compared>, auto& x, auto f) {
  f("shape", x.shape);
  f("got", x.got);
  f("want", x.want);
  f("wrong", x.wrong);
}

void members(Of<FailedCase>, auto& x, auto f) {
  f("case", x.name);
  f.some("shrunk", x.shrunk);
  f.some("steps", x.steps);
  f.some("input", x.input);
  f.some("index", x.index);
  f.some("got", x.got);
  f.some("want", x.want);
  f.some("compared", x.compared);
}

void members(Of<Speed>, auto& x, auto f) {
  f("ratio", x.ratio);
  f.since("margin", x.margin);
  f("low", x.low);
  f("high", x.high);
  f("clock", x.clock);
  f("pairs", x.pairs);
  f.since("measurements", x.measurements);
  f.since("in_doubt", x.in_doubt);
  f("zero_at", x.zero_at);
  f("full_at", x.full_at);
  f.since("ns", x.ns);
  f.since("published_ns", x.published_ns);
  f.since("operations", x.operations);
  f.since("bytes", x.bytes);
  f.since("gops", x.gops);
  f.since("published_gops", x.published_gops);
  f.since("isa", x.isa);
  f.since("peak_gops", x.peak_gops);
  f.since("read_gbytes", x.read_gbytes);
}

void members(Of<Estimate>, auto& x, auto f) {
  f("ratio", x.ratio);
  f("points", x.points);
}

void members(Of<Access>, auto& x, auto f) {
  f("line", x.line);
  f("subject", x.subject);
  f.either("space", x.shared, "global", "shared");
  f("use", x.use);
  f("bytes", x.bytes);
  f("requests", x.requests);
  f("lanes", x.lanes);
  f("sectors", x.sectors);
  f("useful_bytes", x.useful_bytes);
  f("wavefronts", x.wavefronts);
  f("ideal_wavefronts", x.ideal_wavefronts);
  f("sample_lanes", x.sample_lanes);
  f("sample", x.sample);
}

void members(Of<Totals>, auto& x, auto f) {
  f("launches", x.launches);
  f("blocks", x.blocks);
  f("threads", x.threads);
  f("barriers", x.barriers);
  f("atomics", x.atomics);
  f("dp4a", x.dp4a);
  f("mma", x.mma);
  f("popc", x.popc);
  f("warp_collectives", x.warp_collectives);
  f("steps", x.steps);
  f("active_lanes", x.active_lanes);
}

void members(Of<ShownCase>, auto& x, auto f) {
  f("case", x.name);
  f("input", x.input);
  f("outcome", x.outcome);
}

void head(auto& x, auto f) {
  f("id", x.id);
  f("exercise", x.exercise);
  f("title", x.title);
  f.either("visibility", x.hidden, "public", "hidden");
  f("detail", x.detail);
}

void members(Of<Row>, auto& x, auto f) {
  head(x, f);
  f("max_points", x.max_points);
  f.either("leg", x.of_speed, "values", "speed");
  f("diagnosis", x.diagnosis);
}

void members(Of<Scheme>, auto& x, auto f) {
  f("lab", x.lab);
  f("exercises", x.exercises);
  f("checks", x.checks);
}

void members(Of<Check>, auto& x, auto f) {
  head(x, f);
  f("status", x.status);
  f("points", x.points);
  f("max_points", x.max_points);
  f("leg", x.leg);
  f("seconds", x.seconds);
  f.some("diagnosis", x.diagnosis);
  f.some("message", x.message);
  f.some("first", x.first);
  f.some("tolerance", x.tolerance);
  f.some("replay", x.replay);
  f.some("speed", x.speed);
  f.some("traffic", x.traffic);
  f.some("totals", x.totals);
  f.some("published_totals", x.published_totals);
  f.some("output", x.output);
  f.some("shown", x.shown);
  f.some("sure", x.sure, true);
  f.some("location", x.location);
  f.some("estimate", x.estimate);
}

void members(Of<Verdict::Hidden>, auto& x, auto f) {
  f("run", x.run);
  f("max_points", x.max_points);
}

void outcome(auto& x, auto f) {
  f("verdict", x.end);
  f.is("exit", exit_of(x.end));
  f("points", x.points);
  f("max_points", x.max_points);
  f("not_counted", x.not_counted);
  f("hidden", x.hidden);
}

void members(Of<Verdict>, auto& x, auto f) {
  f("lab", x.lab);
  outcome(x, f);
  f("seed", x.seed);
  f("checks", x.checks);
}

void members(Of<Legs>, auto& x, auto f) {
  f("plain", x.plain);
  f("sanitizers", x.sanitizers);
  f("speed", x.speed);
  f("simt", x.simt);
  f("gpu", x.gpu);
  f.some("gpu_sanitizer", x.gpu_sanitizer);
}

void members(Of<NotHere>, auto& x, auto f) {
  f.some("speed", x.speed);
  f.some("gpu", x.gpu);
  f.some("gpu_sanitizer", x.gpu_sanitizer);
}

void members(Of<Environment>, auto& x, auto f) {
  f("cxx", x.cxx);
  f("flags", x.flags);
  f("cpu", x.cpu);
  f("isa", x.isa);
  f("gpu", x.gpu);
  f("sandbox", x.sandbox);
  f.some("limits", x.limits);
  f("load", x.load);
}

void members(Of<Manifest>, auto& x, auto f) {
  f("source", x.source);
  f("kit", x.kit);
  f("checks", x.checks);
  f.some("salt", x.salt);
  f.some("key", x.key);
}

void members(Of<Student>, auto& x, auto f) {
  f("id", x.id);
  f.some("submitted", x.submitted);
}

void members(Of<Finding>, auto& x, auto f) {
  f("leg", x.leg);
  f("check", x.check);
  f("exercise", x.exercise);
  f("message", x.message);
  f.some("location", x.location);
  f.some("case", x.case_name);
  f.some("replay", x.replay);
}

void members(Of<GpuComplaint>, auto& x, auto f) {
  f("tool", x.tool);
  f("exercise", x.exercise);
  f("check", x.check);
  f("what", x.what);
  f("times", x.times);
  f.some("kernel", x.kernel);
  f.some("thread", x.thread);
  f.some("location", x.location);
}

void members(Of<GpuSanitizer>, auto& x, auto f) {
  f("tools", x.tools);
  f("complaints", x.complaints);
}

void members(Of<Result>, auto& x, auto f) {
  f("nibble", x.version);
  f.is("schema", 1);
  f("lab", x.lab);
  outcome(x, f);
  f("legs", x.legs);
  f.some("not_here", x.not_here);
  f("seed", x.seed);
  f("started", x.started);
  f("seconds", x.seconds);
  f("env", x.environment);
  f("manifest", x.manifest);
  f.some("student", x.student);
  f.since("needs_look", x.needs_look);
  f.some_in("compile", "message", x.compile_message);
  f.some("odd_imports", x.odd_imports);
  f.some("prints", x.prints);
  f.some("finding", x.finding);
  f.some("gpu_sanitizer", x.gpu_sanitizer);
  f("checks", x.checks);
}

void members(Of<SpeedBook::Page>, auto& x, auto f) {
  f("exercise", x.exercise);
  f("id", x.id);
  f("share", x.share);
}

void members(Of<SpeedBook>, auto& x, auto f) {
  f("lab", x.lab);
  f("cpu", x.cpu);
  f("isa", x.isa);
  f("rows", x.pages);
}

void members(Of<Clip>, auto& x, auto f) {
  f("name", x.name);
  f("at", x.at);
}

void members(Of<Clips>, auto& x, auto f) {
  f("top", x.top);
  f("counts", x.counts);
  f("clips", x.clips);
}

void members(Of<RulerRow>, auto& x, auto f) {
  f("name", x.name);
  f("marks", x.marks);
  f("bits", x.bits);
  f("smallest", x.smallest);
  f("largest", x.largest);
  f("up_to_two", x.up_to_two);
}

void members(Of<Curve>, auto& x, auto f) {
  f("name", x.name);
  f("low", x.low);
  f("high", x.high);
  f("lines", x.lines);
  f("values", x.values);
}

void members(Of<Picture>, auto& x, auto f) {
  f.some("clips", x.clips);
  f.some("staircase", x.staircase);
  f.some("ruler", x.ruler);
  f.some("block", x.block);
  f.some("notes", x.notes);
}

struct AnyField {
  void operator()(const char*, const auto&) const {}
  void since(const char*, const auto&) const {}
  void some(const char*, const auto&, bool = false) const {}
  void some_in(const char*, const char*, const auto&) const {}
  void either(const char*, bool, const char*, const char*) const {}
  void is(const char*, int) const {}
};

template <class T>
concept Record = requires(T& x) {
  members(Of<T>{}, x, AnyField{});
};

// --- A record as JSON ---------------------------------------------------------------------------

template <class T>
Json json_of(const T& value);

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json();
}

template <class T>
Json json_of(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(json_of(value));
  return json;
}

struct Writer {
  Json& json;

  void operator()(const char* name, const auto& value) const { json[name] = json_of(value); }
  void since(const char* name, const auto& value) const { json[name] = json_of(value); }
  template <class T>
  void some(const char* name, const T& value, T usual = {}) const {
    if (!(value == usual)) json[name] = json_of(value);
  }
  template <class T>
  void some(const char* name, const std::optional<T>& value) const {
    if (value) json[name] = json_of(*value);
  }
  void some_in(const char* outer, const char* name, const std::string& value) const {
    if (!value.empty()) json[outer][name] = value;
  }
  void either(const char* name, bool value, const char* no, const char* yes) const {
    json[name] = value ? yes : no;
  }
  void is(const char* name, int value) const { json[name] = value; }
};

template <class T>
Json json_of(const T& value) {
  if constexpr (Record<T>) {
    Json json = Json::object();
    members(Of<T>{}, value, Writer{json});
    return json;
  } else if constexpr (std::is_enum_v<T>) {
    return name_of(value);
  } else {
    return value;
  }
}

// --- And back -----------------------------------------------------------------------------------

/// Where in a text something is: "checks[3].status".
using Where = std::string;

[[noreturn]] void refuse(const Where& where, const char* why) {
  throw std::invalid_argument(where + " is " + why);
}

void must(bool holds, const Where& where) {
  if (!holds) refuse(where, "not what it should be");
}

template <class T>
void read(const Json& json, const Where& where, T& value);

template <std::size_t Count>
void read(const Json& json, const Where& where, std::array<std::int64_t, Count>& values) {
  must(json.is_array() && json.size() == Count, where);
  for (std::size_t i = 0; i < Count; ++i) {
    must(json[i].is_number_integer(), where);
    values[i] = json[i].get<std::int64_t>();
  }
}

void read(const Json& json, const Where& where, std::map<std::string, std::string>& values) {
  must(json.is_object(), where);
  for (const auto& [name, value] : json.items()) read(value, where, values[name]);
}

template <class Enum, std::size_t Count>
void read_name(const Json& json, const Where& where, const std::array<const char*, Count>& names,
               Enum& value) {
  const auto name = std::ranges::find(names, json.is_string() ? json.get<std::string>() : "");
  must(name != names.end(), where);
  value = static_cast<Enum>(name - names.begin());
}

void read(const Json& json, const Where& where, Leg& value) {
  read_name(json, where, protocol::kLegNames, value);
}
void read(const Json& json, const Where& where, CheckStatus& value) {
  read_name(json, where, kStatusNames, value);
}
void read(const Json& json, const Where& where, Detail& value) {
  read_name(json, where, kDetailNames, value);
}
void read(const Json& json, const Where& where, End& value) {
  read_name(json, where, kEndNames, value);
}
void read(const Json& json, const Where& where, LegState& value) {
  read_name(json, where, kLegStateNames, value);
}

template <class T>
void read(const Json& json, const Where& where, std::optional<T>& value) {
  if (!json.is_null()) read(json, where, value.emplace());
}

template <class T>
void read(const Json& json, const Where& where, std::vector<T>& values) {
  must(json.is_array(), where);
  for (const Json& each : json) {
    const Where place = where + "[" + std::to_string(values.size()) + "]";
    read(each, place, values.emplace_back());
  }
}

struct Reader {
  const Json& json;
  const Where& where;

  Where place(const char* name) const { return where.empty() ? name : where + "." + name; }

  template <class T>
  void operator()(const char* name, T& value) const {
    if (!json.contains(name)) refuse(place(name), "missing");
    read(json[name], place(name), value);
  }
  template <class T>
  void since(const char* name, T& value) const {
    if (json.contains(name)) read(json[name], place(name), value);
  }
  template <class T>
  void some(const char* name, T& value, bool = false) const {
    since(name, value);
  }
  void some_in(const char* outer, const char* name, std::string& value) const {
    if (!json.contains(outer)) return;
    must(json[outer].is_object(), place(outer));
    Reader{json[outer], outer}.since(name, value);
  }
  void either(const char* name, bool& value, const char* no, const char* yes) const {
    std::string word;
    (*this)(name, word);
    must(word == no || word == yes, place(name));
    value = word == yes;
  }
  void is(const char* name, int value) const {
    int told = 0;
    (*this)(name, told);
    must(told == value, place(name));
  }
};

/// A number of things is never below 0.
template <class T>
void read_count(const Json& json, const Where& where, T& value) {
  must(json.is_number_unsigned(), where);
  const auto count = json.get<std::uint64_t>();
  must(count <= static_cast<std::uint64_t>(std::numeric_limits<T>::max()), where);
  value = static_cast<T>(count);
}

template <class T>
void read(const Json& json, const Where& where, T& value) {
  if constexpr (Record<T>) {
    must(json.is_object(), where.empty() ? "the text" : where);
    members(Of<T>{}, value, Reader{json, where});
  } else if constexpr (std::is_same_v<T, bool>) {
    must(json.is_boolean(), where);
    value = json.get<bool>();
  } else if constexpr (std::is_same_v<T, double>) {
    must(json.is_number(), where);
    value = json.get<double>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    must(json.is_string(), where);
    value = json.get<std::string>();
  } else {
    read_count(json, where, value);
  }
}

template <class T>
T read_whole(const std::string& text) {
  T value;
  read(text::json_of(text), "", value);
  return value;
}

/// Files are called by it: "05_per_channel".
void must_be_a_lab(const std::string& name) {
  const auto is_of_a_name = [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
  };
  must(name.size() > 3 && std::isdigit(static_cast<unsigned char>(name[0])) != 0 &&
           std::isdigit(static_cast<unsigned char>(name[1])) != 0 && name[2] == '_' &&
           std::ranges::all_of(name, is_of_a_name),
       "lab");
}

}  // namespace

std::string text_of(const Result& result) { return text::file_text(json_of(result)); }
std::string text_of(const Verdict& verdict) { return text::json_text(json_of(verdict)); }
std::string text_of(const Scheme& scheme) { return text::json_text(json_of(scheme), 1) + "\n"; }
std::string text_of(const SpeedBook& book) { return text::json_text(json_of(book), 1) + "\n"; }
std::string text_of(const Picture& picture) { return text::json_text(json_of(picture)); }

Result read_result(const std::string& text) {
  auto result = read_whole<Result>(text);
  must_be_a_lab(result.lab);
  return result;
}

Verdict read_verdict(const std::string& text) { return read_whole<Verdict>(text); }
Scheme read_scheme(const std::string& text) { return read_whole<Scheme>(text); }
SpeedBook read_speed_book(const std::string& text) { return read_whole<SpeedBook>(text); }
Picture read_picture(const std::string& text) { return read_whole<Picture>(text); }

}  // namespace nibble::record
