// The engine's report comes from a process that runs a stranger's kernels: it is shown,
// never trusted.
#include "judge/kernel_report.hpp"

#include <gtest/gtest.h>

#include <stdlib.h>
#include <sys/resource.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "judge/kernel_counts.hpp"
#include "judge/marks.hpp"
#include "process/command.hpp"
#include "protocol/arena.hpp"
#include "text/harmless.hpp"

namespace nibble::judge {
namespace {

using simt::EngineFinding;
using simt::Kind;
using simt::Report;

const bool kLab = register_marks("21_cuda_int8_matmul", {});

/// The first block of the outputs, with a report in its place.
std::vector<std::byte> outputs_with(const Report& report) {
  std::vector<std::byte> outputs(protocol::kGuardBytes);
  std::memcpy(outputs.data() + protocol::kReportOffset, &report, sizeof report);
  return outputs;
}

Report report_of(std::initializer_list<EngineFinding> findings) {
  Report report{};
  report.magic = Report::kMagic;
  for (const EngineFinding& finding : findings) report.finding[report.findings++] = finding;
  return report;
}

EngineFinding finding_of(Kind kind) {
  EngineFinding finding{};
  finding.kind = kind;
  finding.in_kernel = 1;
  finding.times = 1;
  finding.place.line = 32;
  finding.who = {{9, 9, 0}, {0, 1, 0}};
  finding.other_who = {{7, 9, 0}, {0, 1, 0}};
  std::strcpy(finding.subject, "As[9][9]");
  return finding;
}

TEST(KernelReport, IsAbsentWhenNoEngineWroteIt) {
  const std::vector<std::byte> nothing(protocol::kGuardBytes);
  EXPECT_FALSE(read_report(nothing.data()));
}

TEST(KernelReport, SaysNothingThatIsNoText) {
  EngineFinding finding = finding_of(Kind::kBadLaunch);
  std::memset(finding.detail, 0xFE, sizeof finding.detail);
  std::strcpy(finding.subject, "\xC3( \x1b[2J \xED\xA0\x80");
  Report report = report_of({finding});
  report.traffic = 1;
  std::memset(report.traffics[0].subject, 0xFF, sizeof report.traffics[0].subject);
  std::memset(report.refusal, 0x9B, sizeof report.refusal);
  std::memset(report.failed_name, 0xF8, sizeof report.failed_name);
  const auto read = read_report(outputs_with(report).data());
  ASSERT_TRUE(read);
  const auto failure = failure_of(*read, "");
  ASSERT_TRUE(failure);
  for (const std::string& text :
       {failure->message, std::string(read->finding[0].subject), std::string(read->refusal),
        std::string(read->failed_name), std::string(read->traffics[0].subject)}) {
    EXPECT_EQ(text, text::harmless(text));
    EXPECT_NE(text.find('?'), std::string::npos);
  }
}

TEST(KernelReport, OfALineInAFileWhoseNameIsNoTextIsText) {
  std::string folder = (std::filesystem::temp_directory_path() / "nibble-lines-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/a.cpp") << "#line 7 \"\\377\\376\\033[2J\"\nint main() { return 0; }\n";
  const std::string program = folder + "/a";
  ASSERT_TRUE(
      process::run({.words = {"c++", "-gdwarf-4", "-no-pie", folder + "/a.cpp", "-o", program}})
          .ok());
  std::istringstream symbols(process::run({.words = {"nm", program}}).out);
  std::uint64_t main_at = 0;
  for (std::string line; std::getline(symbols, line);) {
    if (line.ends_with(" T main")) main_at = std::stoull(line, nullptr, 16);
  }
  const simt::Place place{main_at + 1, 0, 0};
  EXPECT_EQ(lines_of(program, std::span(&place, 1)).front(), "???[2J:7");
  std::filesystem::remove_all(folder);
}

TEST(KernelReport, CountsBeyondItsSizeAreCut) {
  Report report = report_of({finding_of(Kind::kSharedRace)});
  report.findings = 0xFFFF'FFFF;
  report.traffic = 0xFFFF'FFFF;
  const auto read = read_report(outputs_with(report).data());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->findings, Report::kFindings);
  EXPECT_EQ(read->traffic, Report::kTraffic);
}

TEST(KernelReport, AnyBytesMakeASentence) {
  std::mt19937 random(7);
  for (int i = 0; i < 200; ++i) {
    Report report;
    auto* const bytes = reinterpret_cast<unsigned char*>(&report);
    for (std::size_t k = 0; k < sizeof report; ++k) bytes[k] = static_cast<unsigned char>(random());
    report.magic = Report::kMagic;
    const auto read = read_report(outputs_with(report).data());
    ASSERT_TRUE(read);
    const auto failure = failure_of(*read, "no/such/executable");
    ASSERT_TRUE(failure);
    EXPECT_FALSE(failure->code.empty());
    EXPECT_LT(failure->message.size(), 2000u);
  }
}

TEST(KernelReport, NamesLineThreadAndOtherSide) {
  EngineFinding race = finding_of(Kind::kSharedRace);
  race.is_write = 1;
  race.times = 4608;
  const auto failure = failure_of(report_of({race}), "");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, "N-RACE");
  EXPECT_EQ(failure->where, "cuda_int8_matmul.cu:32");
  EXPECT_EQ(failure->message,
            "cuda_int8_matmul.cu:32: thread (9,9,0) of block (0,1,0) writes As[9][9], and thread "
            "(7,9,0) of block (0,1,0) reads it: no __syncthreads lies between  (x4608)");
}

EngineFinding of_host_code(Kind kind, const char* subject, const char* detail) {
  EngineFinding finding = finding_of(kind);
  finding.in_kernel = 0;
  std::strcpy(finding.subject, subject);
  std::strcpy(finding.detail, detail);
  return finding;
}

TEST(KernelReport, TellsOfHostCode) {
  const auto message = [](const EngineFinding& finding) {
    return failure_of(report_of({finding}), "")
        ->message.substr(std::strlen("cuda_int8_matmul.cu:"));
  };
  EXPECT_EQ(message(of_host_code(Kind::kLeak, "stream 1", "cudaStreamDestroy")),
            "32: stream 1 is taken here and never given back: cudaStreamDestroy is missing");
  EXPECT_EQ(message(of_host_code(Kind::kUncheckedError, "cudaMalloc",
                                 "the code goes on with cudaMemcpy")),
            "32: cudaMalloc failed, and nobody asked: the code goes on with cudaMemcpy");
  EXPECT_EQ(message(of_host_code(Kind::kBadFree, "buffer 1", "a second time")),
            "32: host code gives back buffer 1, a second time");
}

TEST(KernelReport, AnErrorNobodyAskedAboutComesBeforeWhatItCauses) {
  const auto failure = failure_of(
      report_of({finding_of(Kind::kGlobalUninitialised),
                 of_host_code(Kind::kUncheckedError, "a launch", "a grid of 0 x 1 x 1 blocks")}),
      "");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, "N-UNCHECKED");
}

TEST(KernelReport, TellsTheCauseBeforeWhatFollowsFromIt) {
  const auto failure = failure_of(
      report_of({finding_of(Kind::kSharedUninitialised), finding_of(Kind::kSharedRace)}), "");
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code, "N-RACE");
  EXPECT_NE(failure->message.find("1 more finding, which may follow from it"), std::string::npos);
}

TEST(KernelReport, EveryKindHasItsWords) {
  for (int kind = 1; kind < static_cast<int>(Kind::kKinds); ++kind) {
    const auto failure = failure_of(report_of({finding_of(static_cast<Kind>(kind))}), "");
    ASSERT_TRUE(failure);
    EXPECT_NE(failure->code, "N-PROTOCOL") << kind;
    EXPECT_EQ(failure->message.find('{'), std::string::npos) << failure->message;
  }
}

/// A tool that is made to take all the memory there is stands for tables of lines that make it do
/// so.
TEST(KernelReport, WhatReadsAnExecutableTakesOnlySoMuch) {
  std::string folder = (std::filesystem::temp_directory_path() / "nibble-lines-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string tool = folder + "/addr2line", path = getenv("PATH");
  std::ofstream(tool) << "#!/bin/sh\nexec tail /dev/zero\n";
  std::filesystem::permissions(tool, std::filesystem::perms(0755));
  setenv("PATH", (folder + ":" + path).c_str(), 1);
  const simt::Place place{0x1234, 0, 0};
  EXPECT_EQ(lines_of(folder + "/program", std::span(&place, 1)), std::vector<std::string>{""});
  setenv("PATH", path.c_str(), 1);
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  EXPECT_LT(used.ru_maxrss, 600 << 10) << "KiB";
  std::filesystem::remove_all(folder);
}

TEST(KernelReport, NothingFoundIsNoFailure) { EXPECT_FALSE(failure_of(report_of({}), "")); }

simt::Traffic load(std::uint64_t requests, std::uint64_t sectors) {
  simt::Traffic traffic{};
  traffic.requests = requests;
  traffic.sectors = sectors;
  traffic.useful_bytes = 128 * requests;
  traffic.bytes = 4;
  std::strcpy(traffic.subject, "x");
  return traffic;
}

Counted counted_of(std::uint64_t got, std::uint64_t published) {
  Counted counted;
  counted.got.traffic = {load(10, got)};
  counted.got.lines = [] { return std::vector<std::string>{"cuda_int8_matmul.cu:12"}; };
  counted.published.traffic = {load(10, published)};
  return counted;
}

TEST(KernelCounts, UpToTheFactorIsAllowed) {
  Expect expect;
  EXPECT_TRUE(at_most(expect, kGlobalBytes, 1.1, counted_of(44, 40)));
  EXPECT_FALSE(expect.failure());
}

/// Who reads by atomicOr(p, 0) and writes by atomicExch has moved as many bytes.
TEST(KernelCounts, AtomicOperationsReadAndWrite) {
  Counted both = counted_of(320, 40);
  both.got.traffic.front().use = simt::Use::kAtomic;
  for (const Measure* measure : {&kGlobalBytes, &kGlobalLoadBytes, &kGlobalStoreBytes}) {
    Expect expect;
    EXPECT_FALSE(at_most(expect, *measure, 1.1, both)) << measure->name;
  }
}

TEST(KernelCounts, TooMuchNamesTheCostliestLine) {
  Expect expect;
  EXPECT_FALSE(at_most(expect, kGlobalBytes, 1.1, counted_of(320, 40)));
  ASSERT_TRUE(expect.failure());
  EXPECT_EQ(expect.failure()->code, "N-COALESCE");
  EXPECT_EQ(
      expect.failure()->message,
      "bytes of global memory moved: 10,240, where the published solution needs 1,280 and 1.1 "
      "times that is allowed; most beyond that at cuda_int8_matmul.cu:12: loads of x: 32.00 "
      "sectors a request, 12 % of their bytes wanted");
}

/// What costs most may have to: it is the rest that is too much.
TEST(KernelCounts, TooMuchNamesWhatIsBeyondThePublished) {
  Counted counted = counted_of(400, 400);
  simt::Traffic scales = load(40, 40);
  std::strcpy(scales.subject, "scales");
  counted.published.traffic.push_back(scales);
  for (int warp = 0; warp < 3; ++warp) counted.got.traffic.push_back(scales);
  counted.got.lines = [] { return std::vector<std::string>{"a.cu:1", "a.cu:2", "", ""}; };
  Expect expect;
  EXPECT_FALSE(at_most(expect, kGlobalBytes, 1.1, counted));
  EXPECT_NE(expect.failure()->message.find("most beyond that at a.cu:2: loads of scales"),
            std::string::npos)
      << expect.failure()->message;
}

TEST(KernelCounts, ExactMeansExact) {
  Counted counted = counted_of(40, 40);
  counted.got.totals.dp4a = 63;
  Expect expect;
  EXPECT_FALSE(exactly(expect, kDp4a, 64, counted));
  EXPECT_EQ(expect.failure()->message, "__dp4a: 63, and it takes 64");
}

}  // namespace
}  // namespace nibble::judge
