#include "python/library.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "cli/children.hpp"
#include "cli/interrupt.hpp"
#include "cli/trouble.hpp"
#include "compile/compile.hpp"
#include "compile/key.hpp"
#include "files/file_lock.hpp"
#include "files/files.hpp"
#include "files/sha256.hpp"
#include "process/command.hpp"

namespace nibble::python {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

fs::path table_of(const lab::Kit& kit, const lab::Lab& lab) {
  return kit.build / "python" / "tables" / (lab.name + ".o");
}

/// The flags of the plain leg. Where a library will lie is not known: -fPIC.
compile::Job job_of(const lab::Kit& kit, const CallableLab& one, const fs::path& folder) {
  compile::Job job;
  job.lab = *one.lab;
  job.source = one.source;
  job.work = folder / "work";
  job.more_flags = {"-fPIC"};
  job.cancelled = cli::was_interrupted;
  return job;
}

/// Of everything that decides what comes of it.
std::string hash_of_all(const lab::Kit& kit, const compile::Job& job) {
  std::string all = kit.cxx_name + '\n' + job.source + '\n';
  for (const std::string& flag : kit.flags(job.lab.kind, job.leg)) all += flag + '\n';
  all += files::read_file(table_of(kit, job.lab));
  for (const fs::path& header : compile::headers_for(kit, job.lab, job.leg)) {
    if (header.extension() != ".gch") all += files::read_file(header);
  }
  return files::sha256(all).substr(std::string_view("sha256:").size(), 32);
}

/// Names of one lab are nobody else's: two labs may define the same.
constexpr const char* kOneName = "{ global: nibble_lab; local: *; };\n";

void link(const lab::Kit& kit, const compile::Job& job, const fs::path& object,
          const fs::path& library) {
  files::write_atomically(job.work / "names", kOneName);
  process::Command command;
  command.words = {kit.cxx, "-shared", object.string(), table_of(kit, job.lab).string()};
  command.words.insert(command.words.end(), kit.link_flags.begin(), kit.link_flags.end());
  command.words.push_back("-Wl,--version-script=" + (job.work / "names").string());
  command.words.insert(command.words.end(), {"-o", library.string()});
  command.wall_limit = 60s;
  const process::Finished linked = process::run(command);
  if (!linked.ok()) throw cli::kit_fault("lab " + job.lab.number() + " for Python: " + linked.err);
}

/// Whoever has an old one open keeps it; nobody opens it any more.
void remove_others(const fs::path& folder, const fs::path& library) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".so" && entry.path() != library) fs::remove(entry.path());
  }
}

}  // namespace

fs::path library_of(const lab::Kit& kit, const CallableLab& one) {
  const fs::path folder = fs::absolute(cli::work_folder(kit, *one.lab) / "python");
  const files::FileLock lock(folder / "lock");
  const compile::Job job = job_of(kit, one, folder);
  const fs::path library = folder / (hash_of_all(kit, job) + ".so");
  if (fs::exists(library)) return library;
  const compile::Built object =
      cli::told_as_trouble([&] { return compile::compile_object(kit, job); });
  if (object.cancelled) throw cli::Trouble(cli::kInterrupted, "interrupted");
  if (!object.ok) return {};
  const fs::path fresh = library.string() + ".fresh";
  link(kit, job, object.executable, fresh);
  fs::rename(fresh, library);
  remove_others(folder, library);
  return library;
}

}  // namespace nibble::python
