// What each box may see of the file system, as options of bubblewrap and as rules of Landlock.
#include "sandbox/box.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>

namespace nibble::sandbox {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kLauncherInBox = "/box-init";
constexpr const char* kDisableNamespaces = "--disable-userns";

void append(Words& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// What every program needs of the system before its main() runs.
std::vector<fs::path> libraries() {
  return {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"};
}

/// The devices of a GPU, and those that any program may have.
std::vector<fs::path> gpu_devices() {
  std::vector<fs::path> devices{"/dev/null", "/dev/zero", "/dev/urandom"};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/dev", none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("nvidia") || name == "dxg") devices.push_back(entry.path());
  }
  return devices;
}

/// Where a driver looks for the bus and the processor.
constexpr const char* kSystem = "/sys";

/// What a compiler needs besides.
std::vector<fs::path> toolchain() {
  return {"/lib", "/lib64", "/bin", "/usr", "/etc/ld.so.cache", "/etc/alternatives"};
}

/// The same places in the box: a link where the system has a link,
/// or /lib would hide behind /usr/lib.
void bind(Words& words, const fs::path& path, const char* how) {
  std::error_code ignored;
  if (fs::is_symlink(path, ignored) && path.parent_path() == "/") {
    append(words, {"--symlink", fs::read_symlink(path, ignored).string(), path.string()});
  } else if (fs::exists(path, ignored)) {
    append(words, {how, path.string(), path.string()});
  }
}

/// No /proc, no /etc but two files, no network, no other process. A namespace of its own is what
/// the filter refuses; bubblewrap does, too, where it can.
Words bubblewrap(const Tools& tools) {
  Words words{tools.bubblewrap.string(), "--unshare-all", "--unshare-user"};
  if (tools.disables_namespaces) words.emplace_back(kDisableNamespaces);
  append(words, {"--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "box",
                 "--uid", "65534", "--gid", "65534"});
  return words;
}

/// True when a user that owns nothing can walk to that file, and run it.
bool everybody_may_reach(const fs::path& file) {
  std::error_code error;
  for (fs::path step = file;; step = step.parent_path()) {
    const fs::perms rights = fs::status(step, error).permissions();
    if (error || (rights & fs::perms::others_exec) == fs::perms::none) return false;
    if (step == step.parent_path()) return true;
  }
}

Words landlock_rules(const std::vector<fs::path>& readable, const std::vector<fs::path>& writable) {
  Words words{"--landlock"};
  for (const fs::path& path : readable) append(words, {"--read", path.string()});
  for (const fs::path& path : writable) append(words, {"--write", path.string()});
  return words;
}

void append(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// For bubblewrap: a /proc of the box's own processes, the devices.
Words gpu_mounts() {
  Words words{"--proc", "/proc"};
  bind(words, kSystem, "--ro-bind");
  for (const fs::path& device : gpu_devices()) bind(words, device, "--dev-bind");
  return words;
}

/// For Landlock: the /proc of everybody, to be read, and the names of its own threads.
Words gpu_rules() {
  Words words{"--read", "/proc", "--read", kSystem, "--device", "/proc/self/task"};
  for (const fs::path& device : gpu_devices()) append(words, {"--device", device.string()});
  return words;
}

}  // namespace

namespace {

/// What a program can be told stands in its help, and that in the program: every judge asks, so
/// that it is read and not started.
bool says(const fs::path& program, std::string_view word) {
  std::ifstream file(program, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.find(word) != std::string::npos;
}

}  // namespace

Tools find_tools(const fs::path& folder) {
  Tools tools;
  if (access((folder / "box-init").c_str(), X_OK) == 0) tools.launcher = folder / "box-init";
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string one; tools.bubblewrap.empty() && std::getline(folders, one, ':');) {
    const fs::path program = fs::path(one) / "bwrap";
    if (access(program.c_str(), X_OK) == 0) tools.bubblewrap = program;
  }
  tools.disables_namespaces = says(tools.bubblewrap, kDisableNamespaces);
  return tools;
}

Tools tools_beside_this_program() {
  std::error_code none;
  return find_tools(fs::read_symlink("/proc/self/exe", none).parent_path());
}

Words words_for_tool(const ToolBox& box) {
  const std::string opening = std::to_string(kToolOpeningFd);
  const int most = box.gpu ? kGpuThreads : box.untrusted_program ? 0 : kToolProcesses;
  const std::string processes = std::to_string(most);
  std::vector<fs::path> readable = box.untrusted_program ? libraries() : toolchain();
  readable.insert(readable.end(), box.readable.begin(), box.readable.end());
  Words words;
  if (box.level == Level::kNamespaces) {
    words = bubblewrap(box.tools);
    for (const fs::path& path : readable) bind(words, path, "--ro-bind");
    if (!box.untrusted_program) append(words, {"--dev-bind", "/dev/null", "/dev/null"});
    if (box.gpu) append(words, gpu_mounts());
    for (const fs::path& path : box.writable) bind(words, path, "--bind");
    append(words, {"--ro-bind", box.tools.launcher.string(), kLauncherInBox});
    append(words, {"--remount-ro", "/", "--chdir",
                   box.writable.empty() ? "/" : box.writable.front().string(), kLauncherInBox});
    append(words, {"--opening", opening});
    append(words, {"--processes", processes});
  } else {
    words = {box.tools.launcher.string(), "--opening", opening};
    std::vector<fs::path> writable = box.writable;
    if (!box.untrusted_program) writable.emplace_back("/dev/null");
    if (box.level == Level::kLandlock) append(words, landlock_rules(readable, writable));
    if (box.level == Level::kLandlock && box.gpu) append(words, gpu_rules());
    append(words, {most == 0 ? "--processes" : "--more-processes", processes});
  }
  const char* const filter = box.gpu                       ? "gpu"
                             : !box.untrusted_program      ? "tools"
                             : box.level == Level::kStatic ? "no-paths"
                                                           : "run";
  append(words, {"--filter", filter, "--"});
  return words;
}

Words words_for_runner(const RunBox& box) {
  const std::string opening = std::to_string(kOpeningFd);
  Words words;
  if (box.level == Level::kNamespaces) {
    words = bubblewrap(box.tools);
    for (const fs::path& path : libraries()) bind(words, path, "--ro-bind");
    if (box.sanitized) {
      append(words, {"--ro-bind-data", std::to_string(kProgramCopyFd), "/runner", "--symlink",
                     "/runner", "/proc/self/exe"});
    }
    if (everybody_may_reach(box.tools.launcher)) {
      append(words, {"--ro-bind", box.tools.launcher.string(), kLauncherInBox});
    } else {  // a copy, by descriptor, which takes a millisecond longer
      append(words,
             {"--perms", "0555", "--ro-bind-data", std::to_string(kLauncherFd), kLauncherInBox});
    }
    if (box.gpu) append(words, gpu_mounts());
    append(words, {"--remount-ro", "/", "--chdir", "/", kLauncherInBox, "--opening", opening});
  } else {
    words = {"box-init", "--opening", opening};
    if (box.level == Level::kLandlock) append(words, landlock_rules(libraries(), {}));
    if (box.level == Level::kLandlock && box.gpu) append(words, gpu_rules());
  }
  append(words, {"--address-space", std::to_string(box.address_space), "--cpu", "300"});
  if (box.gpu) {  // inside a user namespace the threads are the box's alone
    const bool own = box.level == Level::kNamespaces;
    append(words,
           {own ? "--processes" : "--more-processes", std::to_string(kGpuThreads), "--descriptors",
            "256", "--file-size", std::to_string(kGpuFileBytes), "--filter", "gpu"});
  } else {
    append(words, {"--processes", "0", "--descriptors", "32", "--file-size", "0", "--filter",
                   box.level == Level::kStatic ? "no-paths" : "run"});
  }
  append(words, {"--program", std::to_string(kProgramFd)});
  return words;
}

}  // namespace nibble::sandbox
