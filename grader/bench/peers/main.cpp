// The kernels of labs 14 to 17 beside the libraries that people use, in one run and in turn.
//
//     cmake --build build/default --target benchmarks        all of it, into docs/benchmarks/
//     build/default/bin/peers --plugins build/default/peers [--quick] [--shapes 512x512x512 …]
//                             [--only "lab 15" --only oneDNN] [--threads 1]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>

#include "ceilings.hpp"
#include "page.hpp"
#include "report/machine.hpp"
#include "roster.hpp"
#include "sections.hpp"
#include "tables.hpp"

namespace {

using namespace nibble::peers;
using nibble::MatmulShape;
namespace fs = std::filesystem;

struct CommandLine {
  fs::path plugins = "build/default/peers";
  fs::path write;  ///< empty: only the screen
  bool quick = false, products_only = false;
  std::vector<std::string> shapes, only;
  std::vector<int> threads = {1, 2};
  double seconds = 8;
};

CommandLine read_options(int argc, char** argv) {
  CommandLine options;
  CLI::App app("Times int8 products, conversions and single rows; checks them first.");
  app.add_option("--plugins", options.plugins, "folder of the contenders");
  app.add_option("--write", options.write, "folder of cpu-kernels.md: put the results there");
  app.add_flag("--quick", options.quick, "a fifth of the time, five rounds, two shapes");
  app.add_flag("--products-only", options.products_only, "no conversions and no single rows");
  app.add_option("--shapes", options.shapes, "MxNxK, several");
  app.add_option("--only", options.only, "contenders whose name has this in it, several");
  app.add_option("--threads", options.threads, "1, 2 or both");
  app.add_option("--seconds", options.seconds, "for one shape and one number of threads");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  return options;
}

MatmulShape parse_shape(const std::string& text) {
  MatmulShape shape{};
  if (std::sscanf(text.c_str(), "%dx%dx%d", &shape.m, &shape.n, &shape.k) != 3) {
    throw std::runtime_error("a shape is written MxNxK, not " + text);
  }
  return shape;
}

Contest contest_of(const CommandLine& options) {
  Contest contest{.shapes = every_shape(), .threads = options.threads};
  contest.pace.seconds = options.seconds;
  if (options.quick) {
    contest.shapes = {{.m = 256, .n = 256, .k = 256}, {.m = 32, .n = 4096, .k = 4096}};
    contest.pace = {.rounds = 5, .seconds = options.seconds / 5};
  }
  if (!options.shapes.empty()) contest.shapes.clear();
  for (const std::string& text : options.shapes) contest.shapes.push_back(parse_shape(text));
  contest.has_conversions = contest.has_gemv = !options.products_only;
  return contest;
}

/// Every contender that is wanted, each in its process; says who is not here.
std::vector<Seat> take_seats(const CommandLine& options, Results& results) {
  std::vector<Seat> seats;
  for (const Contender& contender : roster()) {
    const auto has = [&](const std::string& part) {
      return contender.name.find(part) != std::string::npos;
    };
    if (!options.only.empty() && std::ranges::none_of(options.only, has)) continue;
    auto worker = std::make_unique<Worker>(contender, options.plugins);
    if (worker->absent().empty()) {
      seats.push_back({contender, std::move(worker)});
    } else {
      results.absences.push_back({contender.name, worker->absent(), "everywhere"});
    }
  }
  return seats;
}

std::string command_of(const CommandLine& options) {
  if (!options.quick && options.shapes.empty() && options.only.empty()) {
    return "cmake --build build/default --target benchmarks";
  }
  return "build/default/bin/peers, with options that leave some of it out";
}

void run(const CommandLine& options) {
  std::signal(SIGPIPE, SIG_IGN);  // a contender that ended is told from what it does not answer
  const Contest contest = contest_of(options);
  Results results{.load = nibble::report::this_machine().load};
  if (results.load > 0.5) {
    fmt::print(stderr, "other programs run here (load {}): times of two threads will mean little\n",
               results.load);
  }
  InheritedArena arena(std::size_t{1} << 30);
  std::vector<Seat> seats = take_seats(options, results);
  fmt::print(stderr, "ceilings\n");
  results.ceilings = measure_ceilings(options.quick ? 5 : 15);
  measure_products(seats, contest, arena, results);
  if (contest.has_conversions) measure_conversions(seats, contest, arena, results);
  if (contest.has_gemv) measure_gemv(seats, contest, arena, results);
  for (const TextTable& table : details(results)) std::cout << table.text();
  for (const TextTable& table : summary(results)) std::cout << table.text();
  if (!options.write.empty()) write_page(results, command_of(options), options.write);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(read_options(argc, argv));
  } catch (const std::exception& error) {
    std::cerr << "peers: " << error.what() << '\n';
    return 1;
  }
}
