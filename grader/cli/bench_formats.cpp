// nibble bench 35: one product in every number format, and the network's accuracy in each. What is
// measured is a program of its own, so that each process whose memory counts is a fresh one.
#include <ostream>

#include "cli/announcer.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "lab/on_demand.hpp"
#include "process/command.hpp"
#include "report/format_table.hpp"
#include "text/json_text.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// What format-times answers to these words; nothing where it was interrupted.
Json ask(const Context& context, std::vector<std::string> words) {
  process::Command command;
  command.words = {(context.kit.build / "bin" / "format-times").string()};
  command.words.insert(command.words.end(), words.begin(), words.end());
  command.wall_limit = std::chrono::seconds{600};
  command.kept_bytes = std::size_t{1} << 20;
  command.cancelled = was_interrupted;
  const process::Finished finished = process::run(command);
  if (finished.cancelled) return {};
  const Json json = text::json_of(finished.out);
  if (finished.ok() && json.is_object()) return json;
  throw kit_fault(finished.timed_out ? "the formats take longer than 600 s" : finished.err);
}

/// Null: it was interrupted.
Json measure_all(const Context& context) {
  const report::Machine machine = report::this_machine();
  Json measured = {{"nibble", context.kit.version},
                   {"bench", 1},
                   {"lab", "35_roofline"},
                   {"started", report::utc_now()},
                   {"env", {{"cpu", machine.cpu}, {"isa", machine.isa}, {"load", machine.load}}}};
  Announcer announcer(context.err);
  announcer.say("one product in six formats, at three batches, in turn");
  measured["times"] = ask(context, {"times"});
  announcer.say("the network in six formats");
  measured["net"] = ask(context, {"net"});
  announcer.say("memory, in a process for each format");
  measured["memory"] = Json::object();
  for (const char* const format : {"fp32", "fp16", "bf16", "fp8", "int8", "int4"}) {
    if (was_interrupted()) return {};
    const Json grown = ask(context, {"memory", format});
    if (grown.is_object()) measured["memory"][format] = grown.at("resident_bytes");
  }
  return was_interrupted() ? Json() : measured;
}

}  // namespace

int bench_formats(Context& context, const BenchOptions& options) {
  if (!lab::have_built(context.kit, {"format-times"})) {
    throw kit_fault("what measures number formats is not built: the lines above say why");
  }
  const Json measured = measure_all(context);
  if (measured.is_null()) return kInterrupted;
  const report::FormatTable table = report::read_format_table(measured);
  context.out << report::format_table_text(table, context.paint);
  const fs::path usual = fs::path(".nibble") / "out" / "35_roofline" / "formats.svg";
  const fs::path drawing = options.svg.empty() ? context.kit.root / usual : fs::path(options.svg);
  files::write_atomically(drawing, report::format_table_svg(table));
  context.out << "drawing    " << (options.svg.empty() ? usual : drawing).string() << '\n';
  if (!options.json.empty()) files::write_atomically(options.json, text::file_text(measured));
  return kPassed;
}

}  // namespace nibble::cli
