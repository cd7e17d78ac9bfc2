// Reads the words, hands them to a command, and turns whatever goes wrong into one line with a
// remedy and an exit code.
#include "cli/words.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/labs.hpp"
#include "cli/trouble.hpp"
#include "language/speech.hpp"
#include "text/harmless.hpp"

namespace nibble::cli {
namespace {

/// What was typed, and which command it belongs to.
class Words {
 public:
  Words(Context& context, const Looks& looks, language::Speech& speech)
      : context_(context), looks_(looks), speech_(speech) {
    app_.set_version_flag("--version", "Nibble " + context.kit.version);
    app_.require_subcommand(0, 1);
    app_.set_help_all_flag("--help-all", "the options of every command");
    add_learning();
    add_reading();
    add_kernels();
    add_python();
    add_keeping();
    if (std::filesystem::exists(context.kit.source / "solutions"))  // not in a handout
      app_.footer("For instructors and authors of labs:  ./nibble teach --help");
  }

  int obey(int argc, char** argv) {
    const std::string first = argc > 1 ? argv[1] : "";
    const bool is_option = first.empty() || first.starts_with('-');
    const std::vector<std::string> commands = command_names();
    if (!is_option && std::ranges::find(commands, first) == commands.end()) throw no_command(first);
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return app_.exit(error, context_.out, context_.err) == 0 ? kPassed : kUsage;
    }
    return app_.get_subcommands().empty() ? next_command(context_, false) : exit_code_;
  }

 private:
  std::vector<std::string> command_names() const {
    std::vector<std::string> names;
    for (const CLI::App* const one : app_.get_subcommands({})) names.push_back(one->get_name());
    return names;
  }

  /// What a word could have been that is no command: a lab to be judged, or a slip.
  Trouble no_command(const std::string& word) const {
    try {
      const std::vector<MarkedLab> labs = read_labs(context_.kit);
      const Target target = find_target(labs, word);  // points into them
      return usage(fmt::format("{} is no command; to judge {}: ./nibble run {}", word,
                               target.subject(), word));
    } catch (const Trouble&) {
      return usage(fmt::format("no command is called {}: {}./nibble --help lists them",
                               text::harmless(word), did_you_mean(command_names(), word)));
    }
  }

  template <class Action>
  void does(CLI::App* command, Action action) {
    command->callback([this, action] { exit_code_ = action(); });
  }

  void add_learning() {
    CLI::App* const run = app_.add_subcommand("run", "judge a lab or an exercise");
    run->add_option("target", run_.target, "03, symmetric, 03.quantize_symmetric")->required();
    run->add_option("--check", run_.terms.check, "only this check");
    run->add_option("--case", run_.terms.only_case, "only this case of it");
    run->add_option("--seed", run_.terms.seed, "repeat a run: 0x71c3");
    run->add_option("--leg", run_.leg, "plain, sanitizers, speed, gpu")
        ->delimiter(',')
        ->check(CLI::IsMember({"plain", "sanitizers", "speed", "gpu"}));
    run->add_flag("--hidden", run_.hidden, "hidden checks too");
    run->add_option_function<std::string>("--legs",
                                          [this](const auto& old) { run_.hidden = old == "all"; })
        ->check(CLI::IsMember({"public", "all"}))
        ->group("");  // what --hidden was called
    run->add_option("--json", run_.json, "write results.json there as well");
    run->add_option("--junit", run_.junit, "write JUnit XML there");
    run->add_flag("--exit-zero", run_.exit_zero, "end with 0 whatever the verdict");
    does(run, [this] { return run_command(context_, run_); });

    CLI::App* const next = app_.add_subcommand("next", "judge the next unfinished exercise");
    next->add_flag("--placement", placement_, "try a lab's last exercise; it stands for all");
    does(next, [this] { return next_command(context_, placement_); });

    CLI::App* const watch = app_.add_subcommand("watch", "judge on every save");
    watch->add_option("target", target_, "a lab or an exercise; otherwise all labs");
    does(watch, [this] { return watch_command(context_, target_); });
  }

  void add_reading() {
    CLI::App* const list = app_.add_subcommand("list", "the labs, points, and where you stand");
    list->add_flag("--json", as_json_);
    does(list, [this] {
      if (as_json_) speech_.leave_output_alone();
      return list_command(context_, as_json_);
    });

    CLI::App* const hint = app_.add_subcommand("hint", "the next hint");
    hint->add_option("exercise", target_, "otherwise the one you work on");
    hint->add_option("--level", level_, "1 where to look, 2 the idea, 3 nearly the code")
        ->check(CLI::Range(1, 3));
    does(hint, [this] { return hint_command(context_, target_, level_); });

    CLI::App* const explain = app_.add_subcommand("explain", "one page on a diagnosis");
    explain->add_option("code", target_, "N-AXIS; nothing lists them");
    does(explain, [this] { return explain_command(context_, target_); });

    CLI::App* const show =
        app_.add_subcommand("show", "the inputs of a check, and what came; a picture");
    show->add_option("exercise", show_.exercise);
    show->add_option("--check", show_.terms.check);
    show->add_option("--case", show_.terms.only_case);
    show->add_option("--seed", show_.terms.seed);
    does(show, [this] { return show_command(context_, show_); });

    CLI::App* const glyphs = app_.add_subcommand("glyphs", "the images that networks learn here");
    glyphs->add_option("--count", glyphs_.count, "so many, all in the picture (100)")
        ->check(CLI::Range(1, 10'000));
    glyphs->add_option("--seed", glyphs_.seed, "others (1)");
    glyphs->add_option("--mnist", glyphs_.mnist,
                       "a folder with t10k-images-idx3-ubyte, and labels");
    glyphs->add_option("-o", glyphs_.picture, "the picture (.nibble/glyphs.bmp)");
    does(glyphs, [this] { return looks_.glyphs(context_, glyphs_); });

    CLI::App* const onnx =
        app_.add_subcommand("onnx", "an ONNX model as a list: nodes, tensors, the first values");
    onnx->add_option("file", file_, "model.onnx")->required();
    does(onnx, [this] { return looks_.onnx(context_, file_); });

    CLI::App* const doctor = app_.add_subcommand("doctor", "what this machine has");
    does(doctor, [this] { return doctor_command(context_); });
  }

  void add_kernels() {
    CLI::App* const bench = app_.add_subcommand("bench", "how fast: the ladder and the roofline");
    bench->add_option("lab", bench_.target, "a lab of kernels; 35: every number format");
    bench->add_option("--json", bench_.json, "write the figures there as well");
    bench->add_option("--svg", bench_.svg, "draw the roofline there");
    does(bench, [this] { return looks_.bench(context_, bench_); });

    CLI::App* const assembly = app_.add_subcommand("asm", "what the compiler made of your loops");
    assembly->add_option("target", asm_.target, "a lab or an exercise");
    assembly->add_option("--fn", asm_.function, "this function");
    assembly->add_flag("--all", asm_.all, "all of it, not the hot loop alone");
    assembly->add_flag("--diff", asm_.diff, "counts beside the published solution's");
    does(assembly, [this] { return looks_.assembly(context_, asm_); });

    CLI::App* const traffic =
        app_.add_subcommand("traffic", "what each line of your kernels asks of the memory");
    traffic->add_option("target", traffic_.target, "a CUDA lab or an exercise of one");
    traffic->add_option("--line", traffic_.line, "draw the accesses of this line");
    traffic->add_option("--svg", traffic_.svg, "write that drawing there as well");
    does(traffic, [this] { return looks_.traffic(context_, traffic_); });
  }

  void add_python() {
    CLI::App* const python = app_.add_subcommand("python", "call what you wrote: import nibble");
    python->add_flag("--solutions", python_.solutions, "the published ones instead");
    python->prefix_command();
    does(python, [this, python] {
      python_.words = python->remaining();
      return looks_.python(context_, python_);
    });
  }

  void add_keeping() {
    CLI::App* const reset = app_.add_subcommand("reset", "the starter again; keeps your file");
    reset->add_option("target", target_, "a lab or an exercise")->required();
    reset->add_flag("--contract", contract_,
                    "the lab's headers as they were handed out; your file stays");
    does(reset, [this] { return reset_command(context_, target_, contract_); });

    CLI::App* const solution = app_.add_subcommand("solution", "the reference, after passing");
    solution->add_option("exercise", target_)->required();
    solution->add_flag("--give-up", give_up_, "before passing; it is written down");
    does(solution, [this] { return solution_command(context_, target_, give_up_); });

    CLI::App* const pack = app_.add_subcommand("pack", "the archive to hand in: your files alone");
    pack->add_option("lab", pack_.labs, "labs; none: all that you have begun");
    pack->add_option("-o", pack_.out, "the archive to write (submission.tar)");
    pack->add_flag("--force", pack_.force, "also what does not compile");
    does(pack, [this] { return pack_command(context_, pack_); });

    CLI::App* const progress = app_.add_subcommand("progress", "what you did so far");
    progress->require_subcommand(0, 1);
    CLI::App* const exporting = progress->add_subcommand("export", "into a file");
    exporting->add_option("file", file_)->required();
    CLI::App* const importing = progress->add_subcommand("import", "from another machine");
    importing->add_option("file", file_)->required();
    does(progress, [this, exporting, importing] {
      if (exporting->parsed()) return progress_export(context_, file_);
      if (importing->parsed()) return progress_import(context_, file_);
      return progress_command(context_);
    });

    CLI::App* const report = app_.add_subcommand("report", "all of it as a page for a browser");
    report->add_option("-o", file_, "the page (.nibble/report.html)");
    does(report, [this] { return looks_.report(context_, file_); });
  }

  Context& context_;
  const Looks& looks_;
  language::Speech& speech_;
  CLI::App app_{
      "Nibble: learn neural-network quantization by writing it. Alone: the next exercise.",
      "nibble"};
  RunOptions run_;
  ShowOptions show_;
  BenchOptions bench_;
  AsmOptions asm_;
  TrafficOptions traffic_;
  GlyphsOptions glyphs_;
  PythonOptions python_;
  PackOptions pack_;
  std::string target_, file_;
  int level_ = 0, exit_code_ = 0;
  bool placement_ = false, as_json_ = false, give_up_ = false, contract_ = false;
};

void begin(language::Speech& speech, const Context& context) {
  try {
    speech.begin(context.kit.catalogs());
  } catch (const std::invalid_argument& error) {
    throw usage(std::string(error.what()) + " (NIBBLE_LANGUAGE)");
  }
}

int start(int argc, char** argv, const Looks& looks, const GpuProgram& gpu,
          language::Speech& speech) {
  catch_interrupts();
  Context context = open_context(std::cout, std::cerr, gpu);
  begin(speech, context);
  const int code = Words(context, looks, speech).obey(argc, argv);
  return was_interrupted() ? kInterrupted : code;
}

int complain(int code, const std::string& message) {
  std::cout.flush();
  std::cerr << "nibble: " << message << '\n';
  return code;
}

int complain(const Trouble& trouble) {
  if (trouble.exit_code != kKitFault) return complain(trouble.exit_code, trouble.what());
  return complain(
      kKitFault,
      std::string("a fault of the kit, not of your code; this is no verdict: ") + trouble.what());
}

}  // namespace

int obey_words(int argc, char** argv, const Looks& looks, const GpuProgram& gpu) {
  language::Speech speech;
  try {
    return start(argc, argv, looks, gpu, speech);
  } catch (const Trouble& trouble) {
    return complain(trouble);
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(file_trouble(error));
  } catch (const std::exception& error) {
    return complain(kit_fault(error.what()));
  }
}

}  // namespace nibble::cli
