// Every member of every record once, for both directions, in the order in which it is written.
#pragma once

#include "record/picture.hpp"
#include "record/result.hpp"
#include "record/scheme.hpp"
#include "record/speed_book.hpp"
#include "record/verdict.hpp"

namespace nibble::record {

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
  f.some("usual", x.usual, false);
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

}  // namespace nibble::record
