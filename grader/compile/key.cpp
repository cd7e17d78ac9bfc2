// Hashes all that decides what a child becomes; a file that is unchanged is read once.
#include "compile/key.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>

#include "files/files.hpp"
#include "files/sha256.hpp"

namespace nibble::compile {
namespace {

namespace fs = std::filesystem;
using protocol::Leg;
using sandbox::Level;

/// Parts with their lengths: none can run into the next.
class Parts {
 public:
  void add(std::string_view part) {
    text_ += std::to_string(part.size()) + ":";
    text_ += part;
  }
  void add(const std::vector<std::string>& list) {
    add(std::to_string(list.size()));
    for (const std::string& one : list) add(one);
  }
  std::string hash() const {
    return files::sha256(text_).substr(std::string_view("sha256:").size());
  }

 private:
  std::string text_;
};

/// Of what a file holds, which is read again when something was done to the file.
std::string content_hash(const fs::path& file) {
  struct Known {
    std::string state, hash;
  };
  static std::mutex mutex;
  static std::map<fs::path, Known> all;
  const std::string state = file_state(file);
  const std::lock_guard lock(mutex);
  Known& known = all[file];
  if (known.hash.empty() || known.state != state) {
    known = {state, files::sha256(files::read_file(file))};
  }
  return known.hash;
}

/// A compiler is as good as the programs it consists of, which are too large to be read.
std::string size_and_time(const fs::path& program) {
  std::error_code gone;
  const auto size = fs::file_size(program, gone);
  const auto time = fs::last_write_time(program, gone);
  return gone ? "" : std::to_string(size) + " " + std::to_string(time.time_since_epoch().count());
}

/// Kernels are compiled to be run, to be watched and to be counted.
std::vector<Leg> legs_of(const Job& job) {
  if (!job.lab.is_cuda() || job.leg != Leg::kPlain) return {job.leg};
  return {job.leg, Leg::kSanitizers, Leg::kCounters};
}

}  // namespace

std::string key_of(const lab::Kit& kit, const Job& job, std::string_view code) {
  Parts parts;
  parts.add(code);
  for (const std::string& part :
       {std::string("child 1"), kit.version, job.lab.name, job.source, job.ready, kit.cxx,
        kit.cxx_name, std::string(job.boxes.run == Level::kStatic ? "static" : "dynamic"),
        std::string(name_of(job.boxes.compile))}) {
    parts.add(part);
  }
  for (const fs::path& program : kit.compiler_parts) {
    parts.add(program.string());
    parts.add(size_and_time(program));
  }
  for (const Leg leg : legs_of(job)) {
    parts.add(protocol::name_of(leg));
    parts.add(kit.flags(job.lab.kind, leg));
    for (const fs::path& header : headers_for(kit, job.lab, leg)) {
      if (header.extension() == ".gch") continue;  // follows from the others, and is large
      parts.add(header.filename().string());
      parts.add(content_hash(header));
    }
  }
  parts.add(kit.recipe(job.lab.kind).prelude);
  parts.add(job.more_flags);
  parts.add(job.boxes.compile == Level::kLimits ? kit.link_flags : job.boxes.link_flags);
  for (const fs::path& object : runner_objects(kit, job.lab)) parts.add(content_hash(object));
  return parts.hash();
}

std::vector<fs::path> headers_for(const lab::Kit& kit, const lab::Lab& lab, Leg leg) {
  std::vector<fs::path> folders = kit.folders(lab), headers;
  folders.push_back(kit.compiled_ahead(lab.kind, leg));
  std::error_code gone;
  for (const fs::path& folder : folders) {
    const auto first = static_cast<std::ptrdiff_t>(headers.size());
    for (const auto& entry : fs::recursive_directory_iterator(folder, gone)) {
      const fs::path ending = entry.path().extension();
      if (ending == ".hpp" || ending == ".h" || ending == ".gch") headers.push_back(entry.path());
    }
    std::sort(headers.begin() + first, headers.end());
  }
  return headers;
}

std::string file_state(const fs::path& file) {
  struct stat now {};
  std::string text = file.string();
  if (stat(file.c_str(), &now) != 0) return text;
  for (const auto part :
       {static_cast<long long>(now.st_ino), static_cast<long long>(now.st_size),
        static_cast<long long>(now.st_mtim.tv_sec), static_cast<long long>(now.st_mtim.tv_nsec),
        static_cast<long long>(now.st_ctim.tv_sec), static_cast<long long>(now.st_ctim.tv_nsec)}) {
    text += " " + std::to_string(part);
  }
  return text;
}

}  // namespace nibble::compile
