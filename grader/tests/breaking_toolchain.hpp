// A compiler whose assembler, linker and compiler proper can be broken and healed while others use
// it.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "files/files.hpp"
#include "lab/kit.hpp"
#include "process/command.hpp"

namespace nibble::compile {

class BreakingToolchain {
 public:
  /// `folder`: of its own; boxes must let a compiler read it.
  BreakingToolchain(const lab::Kit& kit, std::filesystem::path folder)
      : folder_(std::move(folder)) {
    for (const std::string& tool : tools()) {
      std::string real = process::run({.words = {kit.cxx, "-print-prog-name=" + tool}}).out;
      real.resize(real.find_last_not_of("\n ") + 1);
      healthy_.push_back("#!/bin/sh\nexec " + real + " \"$@\"\n");
    }
    heal();
  }

  /// The same kit with this compiler.
  lab::Kit kit_of(lab::Kit kit) const {
    const std::string folder = folder_.string() + "/";
    kit.common_flags.push_back("-B" + folder);
    kit.link_flags = {"-B" + folder};
    kit.linkers = {kit.link_flags};
    for (const std::string& tool : tools()) kit.compiler_parts.push_back(folder_ / tool);
    kit.compiler_folders.push_back(folder_);  // its boxes can read it
    kit.root = folder_ / "root";
    return kit;
  }

  static const std::vector<std::string>& tools() {
    static const std::vector<std::string> names{"cc1plus", "as", "ld"};
    return names;
  }

  void break_tool(std::size_t tool) const {
    replace(tools()[tool], "#!/bin/sh\necho " + tools()[tool] + ": not today >&2\nexit 1\n");
  }
  void heal() const {
    for (std::size_t i = 0; i < tools().size(); ++i) replace(tools()[i], healthy_[i]);
  }

 private:
  void replace(const std::string& tool, const std::string& script) const {
    const std::filesystem::path file = folder_ / tool, next = folder_ / (tool + ".next");
    files::write_atomically(next, script);
    std::filesystem::permissions(next, std::filesystem::perms(0755));
    std::filesystem::rename(next, file);
  }

  std::filesystem::path folder_;
  std::vector<std::string> healthy_;
};

/// Breaks one tool after the other and heals it, for as long as it lives.
class Weather {
 public:
  Weather(const BreakingToolchain& tools, std::chrono::milliseconds fine,
          std::chrono::milliseconds foul)
      : thread_([this, &tools, fine, foul](const std::stop_token& stop) {
          for (std::size_t turn = 0; !stop.stop_requested(); ++turn) {
            std::this_thread::sleep_for(fine);
            tools.break_tool(turn % BreakingToolchain::tools().size());
            std::this_thread::sleep_for(foul);
            tools.heal();
            ++breaks_;
          }
        }) {}
  int breaks() const { return breaks_; }

 private:
  std::atomic<int> breaks_ = 0;
  std::jthread thread_;
};

}  // namespace nibble::compile
