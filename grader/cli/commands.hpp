// The learner's commands, one file each. Every one returns nibble's exit code and may throw
// Trouble.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/attempt.hpp"
#include "cli/context.hpp"
#include "report/estimate.hpp"

namespace nibble::cli {

struct RunOptions {
  std::string target;
  protocol::Terms terms{};  ///< a check, a case, a seed
  std::vector<std::string>
      leg;  ///< "plain", "sanitizers", "speed", "gpu"; empty: plain, then those that are worth it
  bool hidden = false;      ///< hidden checks too
  std::string json, junit;  ///< files to write as well
  bool exit_zero = false;
};

int run_command(Context& context, const RunOptions& options);
int next_command(Context& context, bool placement);
int list_command(Context& context, bool json);
int watch_command(Context& context, const std::string& target);
int hint_command(Context& context, const std::string& exercise, int level);
int explain_command(Context& context, const std::string& code);

struct ShowOptions {
  std::string exercise;
  protocol::Terms terms{};  ///< a check, a case, a seed
};
int show_command(Context& context, const ShowOptions& options);
/// `contract`: the headers as they were handed out, instead of the learner's file.
int reset_command(Context& context, const std::string& target, bool contract);
int solution_command(Context& context, const std::string& exercise, bool give_up);

struct PackOptions {
  std::vector<std::string> labs;       ///< as people name them; empty: all
  std::string out = "submission.tar";  ///< the archive
  bool force = false;                  ///< also what does not compile
};
int pack_command(Context& context, const PackOptions& options);

int progress_command(Context& context);
int progress_export(Context& context, const std::string& file);
int progress_import(Context& context, const std::string& file);
int doctor_command(Context& context);
/// To `file`; empty: .nibble/report.html.
int report_command(Context& context, const std::string& file);

struct BenchOptions {
  std::string target;
  std::string json, svg;  ///< files; without `svg` the drawing goes to .nibble/out/
};
int bench_command(Context& context, const BenchOptions& options);
/// One product in every number format, and the network's accuracy in each.
int bench_formats(Context& context, const BenchOptions& options);
/// The kernels of a lab; rows go to `json_file`, unless that is empty.
int bench_on_gpu(Context& context, const Target& target, const std::string& json_file);

struct AsmOptions {
  std::string target, function;
  bool all = false, diff = false;  ///< the whole function; beside the published solution
};
int asm_command(Context& context, const AsmOptions& options);

struct TrafficOptions {
  std::string target, svg;
  int line = 0;  ///< whose access is drawn; 0: the costliest
};
int traffic_command(Context& context, const TrafficOptions& options);

struct GlyphsOptions {
  int count = 100;
  std::uint64_t seed = 1;
  std::string mnist;    ///< a folder with MNIST's files; empty: QGlyphs
  std::string picture;  ///< empty: .nibble/glyphs.bmp
};
int glyphs_command(Context& context, const GlyphsOptions& options);
/// `file`: an ONNX model, whoever wrote it.
int onnx_command(Context& context, const std::string& file);

struct PythonOptions {
  bool solutions = false;          ///< the published ones, in place of the learner's
  std::vector<std::string> words;  ///< for the interpreter: a script and its own; none: it talks
};

/// What the checks of an exercise earned in the last run, which may be less than all where it is
/// done: speed is paid in part, or by an instructor. `last`: the newest results of the lab.
int points_of(const MarkedLab& lab, const MarkedExercise& exercise, const Progress& progress,
              const std::optional<record::Result>& last);

/// What of the lab's points is left to an instructor, as the last runs found it.
report::Elsewhere elsewhere_of(const MarkedLab& lab, const Progress& progress);

/// One attempt, shown and written down: what `run` and `next` do.
int judge_and_show(Context& context, Order order, const RunOptions& options);

/// What doctor says in one line: "g++ 12.2.0 · mold · avx512_vnni · no CUDA device: …".
std::string doctor_line(const Context& context);

}  // namespace nibble::cli
