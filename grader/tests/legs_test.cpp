// One plan of legs: their order, which of them a lab has, and what is run of a right submission
// with a GPU of the tests' own.
#include <gtest/gtest.h>

#include <algorithm>

#include "compile/compile.hpp"
#include "files/files.hpp"
#include "files/scratch_folder.hpp"
#include "legs/run_legs.hpp"
#include "record/codec.hpp"

namespace nibble::legs {
namespace {

using lab::LabKind;
using protocol::Leg;
using LegNames = std::vector<std::string>;

const Wanted kEverything{{Leg::kSpeed, Condition::kWhenRight},
                         {Leg::kGpuSanitizer, Condition::kWhenRight},
                         {Leg::kGpu, Condition::kWhenRight},
                         {Leg::kSanitizers, Condition::kWhenRight},
                         {Leg::kPlain, Condition::kAlways}};

record::Scheme paid_for_speed() {
  record::Row row;
  row.exercise = "copy";
  row.of_speed = true;
  row.max_points = 10;
  return {"90_copy", {"copy"}, {row}};
}

LegNames planned(LabKind kind, const LegRequest& asked) {
  const lab::Lab lab{.name = "90_copy", .kind = kind};
  LegNames names;
  for (const Step& step : plan_legs(lab, paid_for_speed(), asked).steps) {
    names.emplace_back(name_of(step.leg));
  }
  return names;
}

TEST(LegPlan, HasTheLegsOfTheLabInOneOrder) {
  EXPECT_EQ(planned(LabKind::kOrdinary, {{}, kEverything}),
            (LegNames{"plain", "sanitizers", "speed"}));
  EXPECT_EQ(planned(LabKind::kDevice, {{}, kEverything}),
            (LegNames{"plain", "gpu", "gpu_sanitizer", "speed"}));
  EXPECT_EQ(planned(LabKind::kHost, {{}, kEverything}), (LegNames{"plain", "speed"}));
}

TEST(LegPlan, SpeedIsOfAWholeExercise) {
  protocol::Terms terms;
  terms.exercise = "copy";
  EXPECT_EQ(planned(LabKind::kKernels, {terms, {{Leg::kSpeed, Condition::kAlways}}}),
            (LegNames{"plain", "speed"}));
  terms.check = "FollowsTheFormula";
  EXPECT_EQ(planned(LabKind::kKernels, {terms, {{Leg::kSpeed, Condition::kAlways}}}),
            LegNames{"plain"});
  terms = {};
  terms.exercise = "another";
  EXPECT_EQ(planned(LabKind::kKernels, {terms, {{Leg::kSpeed, Condition::kAlways}}}),
            LegNames{"plain"});
}

TEST(LegPlan, BeginsWithTheValuesWhateverWasAskedFor) {
  EXPECT_EQ(planned(LabKind::kOrdinary, {{}, {{Leg::kSanitizers, Condition::kAlways}}}),
            LegNames{"sanitizers"});
  // The engine looks at every access: the run that judges the values is the one that watches.
  EXPECT_EQ(planned(LabKind::kDevice, {{}, {{Leg::kSanitizers, Condition::kAlways}}}),
            LegNames{"plain"});
  EXPECT_EQ(planned(LabKind::kDevice, {{}, {{Leg::kGpu, Condition::kWhenRight}}}),
            (LegNames{"plain", "gpu"}));
}

/// A lab, 19 unless another is said, whose kernels are run on a GPU that says yes to everything.
class RunLegs : public testing::Test {
 protected:
  gpu::GpuLegs a_gpu() {
    return {.run =
                [this](const lab::Kit&, const gpu::GpuJob& job, run::Trial, const std::string&) {
                  said_.emplace_back("run on the GPU");
                  gpu::GpuLeg leg;
                  leg.executable = job.work / "child";
                  return leg;
                },
            .look_closer =
                [this](const lab::Kit&, run::Trial, const std::filesystem::path&) {
                  said_.emplace_back("looked closer");
                  return gpu::SanitizerLeg{record::GpuSanitizer{}, "", false};
                },
            .add_hidden = [this](const lab::Kit&,
                                 gpu::GpuLeg&) { said_.emplace_back("hidden on the GPU"); }};
  }

  std::optional<record::Result> run(const std::string& source, bool hidden,
                                    const std::string& number = "19",
                                    const std::string& exercise = "") {
    const lab::Lab& lab = kit_.lab(number);
    const record::Scheme scheme = record::read_scheme(files::read_file(kit_.scheme(lab.name)));
    const compile::Cache compiled(folder_.path() / "compiled");
    protocol::Terms terms;
    terms.seed = "0x71c3";
    terms.salt = "salt";
    terms.budget = kit_.budget;
    terms.exercise = exercise;
    const LegPlan plan = plan_legs(lab, scheme, {terms, kEverything, hidden});
    const Bench bench{
        .kit = kit_, .compiled = compiled, .work = folder_.path() / "work", .gpu = a_gpu()};
    return run_legs(bench, plan, scheme, source, [this](const Ran& ran) {
      said_.push_back(std::string("ran ") + name_of(ran.leg) + (ran.hidden ? ", hidden" : ""));
    });
  }

  const lab::Kit kit_ = lab::open_kit(NIBBLE_TEST_BUILD);
  const files::ScratchFolder folder_{testing::TempDir()};
  LegNames said_;
};

TEST_F(RunLegs, HiddenChecksComeAfterAllLegs) {
  const auto results =
      run(files::read_file(compile::published_solution(kit_, kit_.lab("19"))), true);
  ASSERT_TRUE(results);
  EXPECT_TRUE(results->passes());
  EXPECT_EQ(results->points, 100);
  EXPECT_EQ(said_, (LegNames{"ran plain", "run on the GPU", "ran gpu", "looked closer",
                             "ran gpu_sanitizer", "hidden on the GPU", "ran plain, hidden"}));
}

TEST_F(RunLegs, WrongValuesAreNotLookedAtAgain) {
  const lab::Lab& lab = kit_.lab("19");
  const auto results = run(files::read_file(kit_.source / lab.file()), false);
  ASSERT_TRUE(results);
  EXPECT_EQ(results->end, record::End::kFail);
  EXPECT_EQ(results->legs.gpu, record::LegState::kNotRun);
  EXPECT_EQ(said_, LegNames{"ran plain"});
}

TEST_F(RunLegs, AnArrayThatNobodySetIsNamedWithItsLine) {
  if (kit_.analyzer_flags.empty()) GTEST_SKIP() << "this compiler has no analyzer";
  if (kit_.find("21") == nullptr) GTEST_SKIP() << "lab 21 is not of this build";
  std::string source = files::read_file(compile::published_solution(kit_, kit_.lab("21")));
  const std::string set = "sums[kOutputs][kOutputs] = {};";
  ASSERT_NE(source.find(set), source.npos);
  source.replace(source.find(set), set.size(), "sums[kOutputs][kOutputs];");
  const std::size_t read = source.find("sums[r][s] +=");
  const auto line = 1 + std::count(source.begin(), source.begin() + std::ptrdiff_t(read), '\n');
  const auto results = run(source, false, "21", "matmul_register");
  ASSERT_TRUE(results);
  const std::string place =
      "labs/21_cuda_int8_matmul/cuda_int8_matmul.cu:" + std::to_string(line) + ":";
  EXPECT_NE(results->compile_message.find(place), std::string::npos) << results->compile_message;
  EXPECT_NE(results->compile_message.find("sums[r][s]"), std::string::npos);
}

}  // namespace
}  // namespace nibble::legs
