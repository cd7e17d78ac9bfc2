// How much memory the batch itself takes, by the number of submissions: a class in which all are
// graded already, and one in which everything is refused. Judges and compilers are processes of
// their own and do not count. Prints a table, and JSON on request.
//
//     batch-memory [--json FILE] [PEOPLE…]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "bench/batches/started.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "lab/kit.hpp"

namespace {

namespace fs = std::filesystem;
using namespace nibble;
using Json = nlohmann::ordered_json;

const std::string kLab = "03_symmetric";

struct Peaks {
  int people;
  long graded_kib, refused_kib;
};

std::string name_of(int person) { return fmt::format("{:06}", person); }

void hand_in(const fs::path& folder, int people, const std::string& text) {
  for (int i = 0; i < people; ++i) {
    const fs::path own = folder / name_of(i);
    fs::create_directories(own);
    files::write_atomically(own / "symmetric.cpp", text);
  }
}

/// The peak of its resident memory, in KiB.
long grade(const lab::Kit& kit, const fs::path& work) {
  bench::Started batch({(kit.build / "bin" / "nibble-teach").string(), "grade",
                        (work / "class").string(), "-o", (work / "grades").string(), "--resume",
                        "--lab", kLab, "--seed", "0x5", "--without-sanitizers"},
                       work / "log");
  while (!batch.has_ended()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  if (batch.exit_status() == 0) return batch.peak_kib();
  throw std::runtime_error("the batch failed; see " + (work / "log").string());
}

/// The same text has the same result, whoever handed it in: one is graded, the others get a copy.
long graded_already(const lab::Kit& kit, int people, const fs::path& work) {
  fs::remove_all(work);
  hand_in(work / "class", 1, "int main( {\n");
  grade(kit, work);
  const std::string result = files::read_file(work / "grades" / name_of(0) / (kLab + ".json"));
  hand_in(work / "class", people, "int main( {\n");
  for (int i = 0; i < people; ++i) {
    files::write_atomically(work / "grades" / name_of(i) / (kLab + ".json"), result);
  }
  return grade(kit, work);
}

long all_refused(const lab::Kit& kit, int people, const fs::path& work) {
  fs::remove_all(work);
  hand_in(work / "class", people, "");
  return grade(kit, work);
}

int run(int argc, char** argv) {
  CLI::App app{"Measures the memory of the batch."};
  std::vector<int> sizes;
  std::string json_file;
  app.add_option("--json", json_file);
  app.add_option("people", sizes)->check(CLI::Range(1, 1000000));
  CLI11_PARSE(app, argc, argv);
  if (sizes.empty()) sizes = {100, 1000, 10000};
  const lab::Kit kit = lab::this_kit();
  const files::ScratchFolder scratch(fs::temp_directory_path());
  const fs::path& work = scratch.path();
  Json rows = Json::array();
  std::cout << "| submissions | all graded already | all refused |\n| --: | --: | --: |\n";
  for (const int people : sizes) {
    const Peaks row{people, graded_already(kit, people, work), all_refused(kit, people, work)};
    std::cout << fmt::format("| {} | {:.1f} MiB | {:.1f} MiB |", row.people,
                             static_cast<double>(row.graded_kib) / 1024,
                             static_cast<double>(row.refused_kib) / 1024)
              << std::endl;
    rows.push_back({{"submissions", row.people},
                    {"graded_already_peak_kib", row.graded_kib},
                    {"refused_peak_kib", row.refused_kib}});
  }
  if (!json_file.empty()) files::write_atomically(json_file, rows.dump(1) + "\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "batch-memory: " << error.what() << '\n';
    return 1;
  }
}
