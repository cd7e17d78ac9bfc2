// What compute-sanitizer prints, and how it is started.
#include "gpu/compute_sanitizer.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "files/files.hpp"
#include "process/command.hpp"

namespace nibble::gpu {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOutput =
    "========= COMPUTE-SANITIZER\n"
    "what the kernel printed\n"
    "========= Invalid __global__ write of size 4 bytes\n"
    "=========     at add_to_all+0x1b0 in labs/98_cuda_trial/cuda_trial.cu:12\n"
    "=========     by thread (32,0,0) in block (3,0,0)\n"
    "=========     Address 0x7f0e8a000fa0 is out of bounds\n"
    "=========     and is 1 bytes after the nearest allocation at 0x7f0e8a000000 of size 4000 "
    "bytes\n"
    "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
    "=========\n"
    "========= Invalid __global__ write of size 4 bytes\n"
    "=========     at add_to_all(const int *, int *, int, long)+0x1b0 in "
    "labs/98_cuda_trial/cuda_trial.cu:12\n"
    "=========     by thread (33,0,0) in block (3,0,0)\n"
    "=========\n"
    "========= Uninitialized __global__ memory read of size 4 bytes\n"
    "=========     at add_to_all+0x90\n"
    "=========     by thread (0,0,0) in block (0,0,0)\n"
    "=========\n"
    "========= Error: Race reported between Write access at 0xd0 in a.cu:7 and Read access\n"
    "=========\n"
    "========= Error: Race reported between Write access at add_to_all(const int *, int *)+0x110 "
    "in "
    "/somewhere/labs/98_cuda_trial/cuda_trial.cu:27\n"
    "=========     and Read access at add_to_all(const int *, int *)+0x1b0 in a.cu:31 [508 "
    "hazards]\n"
    "=========\n"
    "========= Error: no device\n"
    "========= ERROR SUMMARY: 4 errors\n";

TEST(ComputeSanitizer, ComplaintsAreReadAndFolded) {
  const std::vector<record::GpuComplaint> found = complaints_of(kOutput);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].what, "Invalid __global__ write of size 4 bytes");
  EXPECT_EQ(found[0].kernel, "add_to_all");
  EXPECT_EQ(found[0].location, (record::Location{"labs/98_cuda_trial/cuda_trial.cu", 12}));
  EXPECT_EQ(found[0].thread, "thread (32,0,0) in block (3,0,0)");
  EXPECT_EQ(found[0].times, 2);
  EXPECT_EQ(found[1].what, "Uninitialized __global__ memory read of size 4 bytes");
  EXPECT_EQ(found[1].location, std::nullopt);
  EXPECT_TRUE(found[2].what.starts_with("Error: Race reported")) << found[2].what;
  EXPECT_EQ(found[3].what, "Error: Race reported between Write access");
  EXPECT_EQ(found[3].kernel, "add_to_all");
  EXPECT_EQ(found[3].location,
            (record::Location{"/somewhere/labs/98_cuda_trial/cuda_trial.cu", 27}));
}

TEST(ComputeSanitizer, CleanRunHasNoComplaints) {
  EXPECT_TRUE(complaints_of("========= COMPUTE-SANITIZER\n"
                            "========= ERROR SUMMARY: 0 errors\n")
                  .empty());
  EXPECT_TRUE(complaints_of("").empty());
  EXPECT_TRUE(complaints_of("Invalid, said a kernel that printed\n").empty());
}

TEST(ComputeSanitizer, WrapperStandsWhereTheChildStood) {
  std::string pattern = (fs::temp_directory_path() / "nibble-it's-XXXXXX").string();
  const fs::path folder = mkdtemp(pattern.data());
  const fs::path tool = folder / "compute-sanitizer", child = folder / "child";
  std::ofstream(tool) << "#!/bin/sh\necho \"$@\" \"fences:$NIBBLE_NO_FENCES\"\n";
  fs::permissions(tool, fs::perms::owner_all);
  write_wrapper(folder / "wrapper", tool, child, Tool::kRacecheck);
  const process::Finished finished = process::run({.words = {(folder / "wrapper").string()}});
  EXPECT_EQ(finished.out, "--tool racecheck --print-limit 20 --report-api-errors no -- " +
                              child.string() + " fences:1\n")
      << finished.err;
  // Beside nvcc, where the toolkit's installer puts it.
  EXPECT_EQ(find_compute_sanitizer(folder / "nvcc"), tool);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace nibble::gpu
