#include "page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <stdexcept>

#include "files/files.hpp"
#include "plots.hpp"
#include "raw.hpp"
#include "report/machine.hpp"
#include "tables.hpp"

namespace nibble::peers {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = "<!-- measured: begin -->\n", kEnd = "<!-- measured: end -->\n";

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

std::string measured(const Results& results, const std::string& command, const std::string& stem) {
  const report::Machine machine = report::this_machine();
  std::string out = fmt::format(
      "{}, on {} ({}), load {} when it began. {}; kernels of the labs compiled with `{}`.\n\n"
      "```console\n$ {}\n```\n\n"
      "Every sample: "
      "[{}.json]({}.json).\n\n![Bars]({}-bars.svg)\n\n![Roofline]({}-roofline.svg)\n\n",
      report::utc_now().substr(0, 10), machine.cpu, fmt::join(machine.isa, ", "), results.load,
      NIBBLE_COMPILER, NIBBLE_KERNEL_FLAGS, command, stem, stem, stem, stem);
  for (const TextTable& table : summary(results)) out += table.markdown();
  out += "<details><summary>Every product, with all contenders</summary>\n\n";
  for (const TextTable& table : details(results)) out += table.markdown();
  return out + "</details>\n\n";
}

}  // namespace

void write_page(const Results& results, const std::string& command, const fs::path& folder) {
  const std::string stem = report::utc_now().substr(0, 10) + "-cpu-kernels";
  write(folder / (stem + ".json"), raw(results, command));
  write(folder / (stem + "-bars.svg"), bar_chart(results));
  write(folder / (stem + "-roofline.svg"), roofline(results));
  const fs::path file = folder / "cpu-kernels.md";
  const std::string page = files::read_file(file);
  const std::size_t begin = page.find(kBegin), end = page.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    throw std::runtime_error(file.string() + " has lost its marks of what is measured");
  }
  write(file, page.substr(0, begin + kBegin.size()) + "\n" + measured(results, command, stem) +
                  page.substr(end));
}

}  // namespace nibble::peers
