// Whatever decides what a child is changes its key; a child that was kept is taken whole or not at
// all.
#include "compile/cache.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "compile/key.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "process/command.hpp"

namespace nibble::compile {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Json = nlohmann::ordered_json;

class InAFolder : public testing::Test {
 protected:
  fs::path write(const fs::path& file, const std::string& text) const {
    files::write_atomically(here() / file, text);
    return here() / file;
  }
  const fs::path& here() const { return folder_.path(); }

 private:
  files::ScratchFolder folder_{testing::TempDir()};
};

// --- The key -------------------------------------------------------------------------------------

/// A kit of a few files.
class Key : public InAFolder {
 protected:
  Key() {
    kit_.version = "1";
    kit_.cxx = "/usr/bin/c++";
    kit_.cxx_name = "g++ 12";
    kit_.build = here() / "build";
    kit_.headers = here() / "headers";
    kit_.compiler_parts = {write("cc1plus", "a compiler")};
    kit_.link_flags = {"-fuse-ld=mold"};
    write("build/contracts/03_symmetric/symmetric.hpp", "a contract");
    write("build/contracts/19_cuda_quantize/cuda_quantize.hpp", "a contract");
    write("build/pch/ordinary/plain/nibble/lab.hpp", "a prelude");
    write("headers/common/nibble/lab.hpp", "for all labs");
    write("headers/common/simt/include/nibble/simt/types.hpp", "for kernels");
    for (const char* const part :
         {"main", "loop", "crash_note", "device_engine", "03_symmetric", "19_cuda_quantize"}) {
      write("build/runner/" + std::string(part) + ".o", "an object");
    }
    write("build/simt/engine.o", "an engine");
  }

  /// Every change gives a key that none before it gave.
  void expect_another_key(const std::string& what) {
    EXPECT_TRUE(seen_.insert(key_of(kit_, job_)).second) << what << " does not change the key";
  }

  lab::Kit kit_;
  Job job_{.lab = "03_symmetric", .source = "int f();"};
  std::set<std::string> seen_;
};

TEST_F(Key, FollowsFromEverythingThatDecides) {
  expect_another_key("nothing");
  const std::vector<std::pair<std::string, std::function<void()>>> changes = {
      {"source", [&] { job_.source = "int g();"; }},
      {"what stands in for it", [&] { job_.ready = "int h();"; }},
      {"leg", [&] { job_.leg = protocol::Leg::kSanitizers; }},
      {"more flags", [&] { job_.more_flags = {"-O3"}; }},
      {"lab's name",
       [&] {
         job_.lab = {"19_cuda_quantize", lab::LabKind::kDevice};
       }},
      {"static", [&] { job_.boxes.run = sandbox::Level::kStatic; }},
      {"linker", [&] { kit_.link_flags.clear(); }},
      {"version", [&] { kit_.version = "2"; }},
      {"compiler", [&] { kit_.cxx = "/usr/bin/clang++"; }},
      {"compiler's name", [&] { kit_.cxx_name = "g++ 13"; }},
      {"compiler's parts", [&] { write("cc1plus", "a newer compiler"); }},
      {"common flags", [&] { kit_.common_flags = {"-Wall"}; }},
      {"contract", [&] { write("build/contracts/19_cuda_quantize/cuda_quantize.hpp", "another"); }},
      {"common header", [&] { write("headers/common/nibble/lab.hpp", "of another length"); }},
      {"kernels' header",
       [&] { write("headers/common/simt/include/nibble/simt/types.hpp", "changed"); }},
      {"prelude",
       [&] {
         kit_.cuda.prelude = {"-include", "nibble/cuda_lab.hpp"};
       }},
      {"runner", [&] { write("build/runner/main.o", "another object"); }},
      {"engine", [&] { write("build/simt/engine.o", "another engine"); }},
      {"compilers' box", [&] { job_.boxes.compile = sandbox::Level::kNamespaces; }},
      {"linker in the box", [&] { job_.boxes.link_flags = {"-fuse-ld=lld"}; }},
  };
  for (const auto& [what, change] : changes) {
    change();
    expect_another_key(what);
  }
}

TEST_F(Key, OfKernelsFollowsFromAllThreeBuilds) {
  job_.lab = {"19_cuda_quantize", lab::LabKind::kDevice};
  expect_another_key("nothing");
  kit_.cuda.sanitizer_flags = {"-fsanitize=thread"};
  expect_another_key("the watched build");
  kit_.cuda.counter_flags = {"-fsanitize=thread", "-O1"};
  expect_another_key("the counted build");
}

/// A batch goes on with the children of a kit of the same version; a rewriter that was changed
/// since makes others of the same text.
TEST_F(Key, FollowsFromTheRewriter) {
  EXPECT_EQ(key_of(kit_, job_, "this code"), key_of(kit_, job_, "this code"));
  EXPECT_NE(key_of(kit_, job_, "this code"), key_of(kit_, job_, "a rewriter that was changed"));
  EXPECT_NE(key_of(kit_, job_), key_of(kit_, job_, ""));
}

/// As OwnCode.cmake writes it for sources in a folder.
class OwnCode : public InAFolder {
 protected:
  OwnCode() {
    write("compile/compile.cpp", "one");
    write("simt/rewriter/rewrite.cpp", "two");
  }
  std::string hash() const {
    process::Command command;
    command.words = {"cmake", "-DGRADER=" + here().string(), "-DOUT=" + (here() / "out").string(),
                     "-P", NIBBLE_OWN_CODE};
    EXPECT_TRUE(process::run(command).ok());
    return files::read_file(here() / "out");
  }
};

TEST_F(OwnCode, FollowsFromEverySource) {
  std::set<std::string> seen{hash()};
  for (const char* const file :
       {"compile/compile.cpp", "simt/rewriter/rewrite.cpp", "simt/rewriter/guards.hpp"}) {
    write(file, "changed");
    EXPECT_TRUE(seen.insert(hash()).second) << file;
  }
  write("simt/rewriter/tests/rewrite_test.cpp", "no part of it");
  EXPECT_FALSE(seen.insert(hash()).second);
}

TEST_F(OwnCode, IsThatOfTheSourcesHere) {
  fs::remove_all(here() / "compile");
  fs::remove_all(here() / "simt");
  for (const char* const room : {"compile", "simt/rewriter"}) {
    fs::create_directories(here() / room);
    fs::copy(fs::path(NIBBLE_OWN_CODE).parent_path().parent_path() / room, here() / room);
  }
  EXPECT_NE(hash().find(own_code()), std::string::npos);
}

TEST_F(Key, IsTheSameWhereTheKitLiesElsewhere) {
  const std::string before = key_of(kit_, job_);
  job_.work = "/elsewhere";
  job_.cpu_limit = 1s;
  job_.is_kept = true;
  fs::rename(here() / "build", here() / "moved");
  kit_.build = here() / "moved";
  EXPECT_EQ(key_of(kit_, job_), before);
}

// --- What is kept --------------------------------------------------------------------------------

class Kept : public InAFolder {
 protected:
  Built compiled(const std::string& bytes) const {
    Built built;
    built.ok = true;
    built.executable = write("work" + std::to_string(getpid()) + "/child", bytes);
    write("work" + std::to_string(getpid()) + "/child.watched", "watched " + bytes);
    built.diagnostics = "a warning";
    built.prints = {"puts"};
    return built;
  }
  fs::path entry() const { return here() / "cache" / key_; }

  const std::string key_ = "0123";
  Cache cache_{here() / "cache"};
};

TEST_F(Kept, IsTheChildWithAllThatWasSaidOfIt) {
  EXPECT_FALSE(cache_.find(key_));
  const Built put = cache_.put(key_, compiled("child"));
  EXPECT_FALSE(put.reused);
  const auto found = cache_.find(key_);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->ok && found->reused);
  EXPECT_EQ(found->executable, put.executable);
  EXPECT_EQ(files::read_file(found->executable), "child");
  EXPECT_EQ(files::read_file(companions(found->executable)[0]), "watched child");
  EXPECT_EQ(found->diagnostics, "a warning");
  EXPECT_EQ(found->prints, std::vector<std::string>{"puts"});
  EXPECT_FALSE(cache_.find("4567"));
}

TEST_F(Kept, ThatIsDamagedIsNoChildAndGivesWayToAnother) {
  cache_.put(key_, compiled("child"));
  const Json note = Json::parse(files::read_file(entry() / "note.json"));
  std::vector<std::function<void()>> damages = {
      [&] { std::ofstream(entry() / "child", std::ios::app) << "poison"; },
      [&] { std::ofstream(entry() / "child.watched", std::ios::app) << "poison"; },
      [&] { fs::rename(entry() / "child.watched", entry() / "child.counted"); },
      [&] { fs::remove(entry() / "child"); },
      [&] { fs::remove(entry() / "note.json"); },
      [&] { files::write_atomically(entry() / "note.json", "[]"); },
      [&] { files::write_atomically(entry() / "note.json", "{"); },
      [&] { fs::remove_all(entry()), std::ofstream(entry()) << "no folder"; }};
  for (const auto& [name, value] : note.items()) {
    for (const Json& wrong : {Json(7), Json(nullptr), Json::array({7}), Json{{"a", 1}}}) {
      Json damaged = note;
      damaged[name] = wrong;
      damages.emplace_back(
          [=, this] { files::write_atomically(entry() / "note.json", damaged.dump()); });
    }
  }
  for (std::size_t i = 0; i < damages.size(); ++i) {
    damages[i]();
    EXPECT_FALSE(cache_.find(key_)) << i;
    EXPECT_EQ(files::read_file(cache_.put(key_, compiled("child")).executable), "child") << i;
    EXPECT_TRUE(cache_.find(key_)) << i;
  }
}

TEST_F(Kept, IsNeverSeenByHalfWhileOthersPutTheSame) {
  std::vector<pid_t> others;
  for (int i = 0; i < 4; ++i) {
    others.push_back(fork());
    if (others.back() > 0) continue;
    bool good = true;
    for (int round = 0; round < 50; ++round) {
      const Built put = cache_.put(key_, compiled(std::string(100'000, 'x')));
      const auto found = cache_.find(key_);
      good = good && found && fs::file_size(put.executable) == 100'000;
    }
    _exit(good ? 0 : 1);
  }
  for (const pid_t pid : others) {
    int status = 1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const std::vector<fs::path> left(fs::directory_iterator(here() / "cache"), {});
  EXPECT_EQ(left, std::vector<fs::path>{entry()}) << "nothing else is left";
}

TEST_F(Kept, LastIsKeptLongest) {
  const Cache few(here() / "cache", 2);
  few.put("a", compiled("a"));
  std::this_thread::sleep_for(10ms);
  few.put("b", compiled("b"));
  std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(few.find("a")) << "which is used now";
  std::this_thread::sleep_for(10ms);
  few.put("c", compiled("c"));
  EXPECT_TRUE(few.find("a") && few.find("c"));
  EXPECT_FALSE(few.find("b"));
}

TEST_F(Kept, IsSweptWhenNobodyUsedIt) {
  cache_.put("old", compiled("old"));
  cache_.put("new", compiled("new"));
  fs::last_write_time(here() / "cache" / "old", fs::file_time_type::clock::now() - 3h);
  cache_.sweep(2h);
  EXPECT_TRUE(cache_.find("new"));
  EXPECT_FALSE(cache_.find("old"));
}

// --- With a compiler: on lab 03, which must be built ---------------------------------------------

TEST_F(Kept, ChildThatWasExchangedIsCompiledAnew) {
  const lab::Kit kit = lab::open_kit(NIBBLE_TEST_BUILD);
  Job job{.lab = kit.lab("03"),
          .source = files::read_file(published_solution(kit, kit.lab("03"))),
          .work = here() / "work"};
  const Built first = cache_.get(kit, job);
  ASSERT_TRUE(first.ok) << first.diagnostics;
  const auto bytes = fs::file_size(first.executable);
  const Built again = cache_.get(kit, job);
  EXPECT_TRUE(again.reused);
  EXPECT_EQ(again.executable, first.executable);
  std::ofstream(first.executable, std::ios::app) << "poison";
  const Built anew = cache_.get(kit, job);
  EXPECT_FALSE(anew.reused);
  EXPECT_EQ(fs::file_size(anew.executable), bytes);
  job.source += "int broken = undeclared;\n";
  EXPECT_FALSE(cache_.get(kit, job).ok);
}

}  // namespace
}  // namespace nibble::compile
