// What a learner types, for the two programs that understand it.
#pragma once

#include <functional>
#include <string>

#include "cli/commands.hpp"

namespace nibble::cli {

/// The commands that look closer than a verdict does. Few runs are theirs, and they are half of the
/// code: they are a program of their own, nibble-look, built when one of them is first called. What
/// Python takes is another, nibble-python.
struct Looks {
  std::function<int(Context&, const BenchOptions&)> bench;
  std::function<int(Context&, const AsmOptions&)> assembly;
  std::function<int(Context&, const TrafficOptions&)> traffic;
  std::function<int(Context&, const std::string&)> report;
  std::function<int(Context&, const GlyphsOptions&)> glyphs;
  std::function<int(Context&, const std::string&)> onnx;
  std::function<int(Context&, const PythonOptions&)> python;
};

/// All of a program. Returns its exit code.
int obey_words(int argc, char** argv, const Looks& looks, const GpuProgram& gpu = {});

}  // namespace nibble::cli
