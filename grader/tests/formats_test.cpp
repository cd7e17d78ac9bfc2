// One product in every number format: codes, kernels against the definition, times, memory, the
// network, and the table that is told of them.
#include "formats/product.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "formats/codes.hpp"
#include "formats/net_accuracy.hpp"
#include "formats/problem.hpp"
#include "formats/resident.hpp"
#include "formats/statistics.hpp"
#include "formats/timing.hpp"
#include "nibble/net/glyphs.hpp"
#include "nibble/net/train.hpp"
#include "process/command.hpp"
#include "report/format_table.hpp"

namespace nibble::formats {
namespace {

using enum NumberFormat;

float rounded(NumberFormat format, float x) { return value_of(format, code_of(format, x)); }

TEST(Codes, OfEachFormat) {
  EXPECT_EQ(rounded(kFp32, 0.1f), 0.1f);
  EXPECT_EQ(rounded(kFp16, 0.1f), 0.0999755859375f);
  EXPECT_EQ(rounded(kBf16, 0.1f), 0.10009765625f);
  EXPECT_EQ(rounded(kFp8, 0.1f), 0.1015625f);
  EXPECT_EQ(rounded(kFp8, -1000.0f), -448.0f);
  EXPECT_EQ(rounded(kFp8, 0x1p-9f), 0x1p-9f);  // the smallest subnormal
  EXPECT_EQ(code_of(kInt8, 2.5f), 2u);         // ties to even
  EXPECT_EQ(code_of(kInt8, -1.0f), 0xFFu);
  EXPECT_EQ(rounded(kInt8, -300.0f), -127.0f);
  EXPECT_EQ(code_of(kInt4, -1.0f), 0xFu);
  EXPECT_EQ(rounded(kInt4, -3.5f), -4.0f);
  EXPECT_EQ(rounded(kInt4, 9.0f), 7.0f);
}

TEST(Codes, AScaleTakesTheLargestToTheLargestCode) {
  const std::vector<float> x = {1, -127, 3}, zeros = {0, 0};
  EXPECT_EQ(scale_for(kInt8, x), 1.0f);
  EXPECT_EQ(scale_for(kFp8, x), 127.0f / 448);
  EXPECT_EQ(scale_for(kInt4, x), 18.140625f);  // 127 / 7 as a half
  EXPECT_EQ(scale_for(kBf16, x), 1.0f);
  EXPECT_EQ(scale_for(kInt4, zeros), 1.0f);
  EXPECT_GT(scale_for(kInt4, std::vector<float>{1e-30f}), 0.0f);
}

// --- The product --------------------------------------------------------------------------------

/// A row as its format holds it.
std::vector<double> held(NumberFormat format, std::span<const float> row, std::size_t group_size) {
  std::vector<double> values;
  for (std::size_t first = 0; first < row.size(); first += group_size) {
    const auto group = row.subspan(first, std::min(group_size, row.size() - first));
    const float scale = scale_for(format, group);
    for (const float x : group) values.push_back(double{rounded(format, x / scale)} * scale);
  }
  return values;
}

std::vector<float> rows_of_weights(std::size_t n, std::size_t k) {
  std::vector<float> w(n * k);
  for (std::size_t j = 0; j < n; ++j) weights_row(j, std::span(w).subspan(j * k, k));
  return w;
}

/// Every output is within what rounding float32 sums explains: k additions of the largest sum.
void expect_the_product(NumberFormat format, Isa isa, std::size_t batch, ProblemSize size) {
  const auto [n, k] = size;
  const std::vector<float> x = some_activations(batch, k), w = rows_of_weights(n, k);
  const PackedWeights weights = packed_weights(format, size);
  Workspace workspace;
  std::vector<float> y(batch * weights.n, std::nanf(""));
  multiply(isa, activations_for(format, x, batch), weights, workspace, y);
  const std::size_t group_size = format == kInt4 ? kGroup : k;
  for (std::size_t i = 0; i < batch; ++i) {
    const auto a = held(activation_format(format), std::span(x).subspan(i * k, k), k);
    for (std::size_t j = 0; j < weights.n; ++j) {
      if (j >= n) {
        EXPECT_EQ(y[i * weights.n + j], 0.0f);
        continue;
      }
      const auto b = held(format, std::span(w).subspan(j * k, k), group_size);
      double right = 0, sizes = 0;
      for (std::size_t p = 0; p < k; ++p) {
        right += a[p] * b[p];
        sizes += std::abs(a[p] * b[p]);
      }
      const double allowed = sizes * static_cast<double>(k + 8) * 0x1p-24;
      ASSERT_LE(std::abs(y[i * weights.n + j] - right), allowed)
          << name_of(format) << " " << name_of(isa) << " batch " << batch << " at " << i << ", "
          << j;
    }
  }
}

TEST(FormatProduct, IsThatOfTheDefinition) {
  for (const Isa isa : {Isa::kScalar, widest_isa()}) {
    for (const NumberFormat format : kEveryNumberFormat) {
      for (const std::size_t batch : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 32u}) {
        expect_the_product(format, isa, batch, {20, 70});  // neither whole panels nor whole groups
      }
      expect_the_product(format, isa, 1, {16, 600});  // three slabs, the last one short
      expect_the_product(format, isa, 9, {16, 600});
    }
  }
}

TEST(FormatProduct, LargestCodesDoNotSaturate) {
  const std::size_t k = 64;
  const std::vector<float> x(k, -127.0f);
  for (const Isa isa : {Isa::kScalar, widest_isa()}) {
    for (const NumberFormat format : {kInt8, kInt4}) {
      const PackedWeights weights = pack(format, 16, k, [](std::size_t j, std::span<float> row) {
        std::ranges::fill(row, j % 2 == 0 ? 7.0f : -7.0f);
      });
      Workspace workspace;
      std::vector<float> y(16);
      multiply(isa, activations_for(format, x, 1), weights, workspace, y);
      EXPECT_FLOAT_EQ(y[0], -127.0f * 7 * k);
      EXPECT_FLOAT_EQ(y[1], 127.0f * 7 * k);
    }
  }
}

TEST(FormatProduct, BytesAreCountedWithScales) {
  const std::array<std::size_t, 6> wanted = {4 * 32 * 64,      2 * 32 * 64,      2 * 32 * 64,
                                             32 * 64 + 4 * 32, 32 * 64 + 4 * 32, 32 * 64 * 9 / 16};
  for (std::size_t f = 0; f < wanted.size(); ++f) {
    EXPECT_EQ(bytes_of(packed_weights(kEveryNumberFormat[f], {32, 64})), wanted[f]);
  }
  const std::vector<float> x = some_activations(2, 64);
  EXPECT_EQ(bytes_of(activations_for(kFp16, x, 2)), 2u * 2 * 64);
  EXPECT_EQ(bytes_of(activations_for(kInt4, x, 2)), 2u * 64 + 2 * 4);  // they are int8
}

TEST(FormatProduct, SaysWhatIsEmulated) {
  EXPECT_FALSE(is_emulated(kFp32));
  EXPECT_FALSE(is_emulated(kInt8));
  for (const NumberFormat format : {kFp16, kBf16, kFp8, kInt4}) {
    EXPECT_TRUE(is_emulated(format));
    EXPECT_NE(arithmetic_of(format, widest_isa()).find("as it is loaded"), std::string::npos);
    EXPECT_NE(arithmetic_of(format, Isa::kScalar).find("plain C++"), std::string::npos);
  }
  EXPECT_TRUE(cpu_has(widest_isa()));
}

// --- Times --------------------------------------------------------------------------------------

TEST(FormatTimes, AreSummedUpAsLab35Does) {
  const Quartiles odd = quartiles_of(std::vector<double>{2, 1, 8, 2, 3});
  EXPECT_EQ(odd.median, 2);
  EXPECT_EQ(odd.low, 2);
  EXPECT_EQ(odd.high, 3);
  EXPECT_EQ(quartiles_of(std::vector<double>{4, 1, 3, 2}).median, 2.5);
  const std::vector<double> twice = {2, 0.5}, ones = {1, 1}, halves = {0.5, 0.5};
  const PairedRatio same = paired_ratio(twice, ones, 1);
  EXPECT_DOUBLE_EQ(same.ratio, 1);  // a factor of two each way
  EXPECT_LT(same.low, 1);
  EXPECT_GT(same.high, 1);
  const PairedRatio half = paired_ratio(halves, ones, 1);
  EXPECT_DOUBLE_EQ(half.low, 0.5);
  EXPECT_DOUBLE_EQ(half.high, 0.5);
  EXPECT_NEAR(sqnr_db(std::vector<double>{10, 10}, std::vector<float>{11, 9}), 20, 1e-9);
}

TEST(FormatTimes, HoldEveryFormatAtEveryBatch) {
  const RoundPlan plan{{32, 256}, {1, 3}, 1, 4, std::size_t{1} << 16};
  const std::vector<TimedFormat> timed = time_formats(widest_isa(), plan);
  ASSERT_EQ(timed.size(), 12u);
  for (std::size_t i = 0; i < timed.size(); ++i) {
    EXPECT_EQ(timed[i].format, kEveryNumberFormat[i % 6]);
    EXPECT_EQ(timed[i].batch, i < 6 ? 1u : 3u);
    ASSERT_EQ(timed[i].seconds.size(), 4u);
    for (const double seconds : timed[i].seconds) EXPECT_GT(seconds, 0);
  }
  EXPECT_EQ(timed[6].bytes, 4u * (32 * 256 + 3 * 256 + 3 * 32));
  const std::array<double, 6> least = {110, 65, 45, 22, 33, 14}, most = {160, 80, 60, 35, 45, 26};
  for (std::size_t i = 0; i < timed.size(); ++i) {
    EXPECT_GT(timed[i].sqnr_db, least[i % 6]) << name_of(timed[i].format);
    EXPECT_LT(timed[i].sqnr_db, most[i % 6]) << name_of(timed[i].format);
  }
}

// --- Memory, and the network --------------------------------------------------------------------

TEST(FormatMemory, IsReadOffWhatTheSystemSays) {
  EXPECT_EQ(private_bytes("0 [rollup]\nRss:  10 kB\nPrivate_Dirty:      112 kB\n"), 112u * 1024);
  EXPECT_FALSE(private_bytes("Rss: 10 kB\n").has_value());
}

std::optional<double> grown(const std::string& format) {
  process::Command command;
  command.words = {FORMAT_TIMES, "memory", format};
  const process::Finished finished = process::run(command);
  EXPECT_TRUE(finished.ok()) << finished.err;
  const auto json = nlohmann::json::parse(finished.out);
  if (json.at("resident_bytes").is_null()) return {};
  return json.at("resident_bytes").get<double>();
}

TEST(FormatMemory, OfAProcessIsThatOfTheWeights) {
  const auto fp32 = grown("fp32"), int4 = grown("int4");
#ifdef __linux__
  ASSERT_TRUE(fp32 && int4);
  EXPECT_GT(*fp32, 4e6);
  EXPECT_LT(*int4, *fp32 / 2);
#endif
}

TEST(FormatProgram, RefusesOtherWords) {
  process::Command command;
  command.words = {FORMAT_TIMES, "memory", "fp64"};
  EXPECT_EQ(process::run(command).exit_status, 2);
  command.words = {FORMAT_TIMES};
  EXPECT_EQ(process::run(command).exit_status, 2);
}

TEST(FormatNet, InFp32IsTheNetwork) {
  const Mlp net = untrained(std::vector<std::size_t>{784, 128, 64, 10}, 1);
  const Images images = make_glyphs(20, 1);
  const std::vector<float> x = as_floats(images, 0, images.size());
  const std::vector<float> right = forward(net, x), got = scores_in(kFp32, widest_isa(), net, x);
  ASSERT_EQ(got.size(), right.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], right[i], 1e-4);
  const std::vector<float> int8 = scores_in(kInt8, widest_isa(), net, x);
  EXPECT_GT(sqnr_db(std::vector<double>(right.begin(), right.end()), int8), 25);
}

TEST(FormatNet, HasAnAccuracyForEverySeed) {
  const auto accuracies = net_accuracies(widest_isa(), {{1, 2}, 1000, 200});
  ASSERT_EQ(accuracies.size(), 6u);
  for (const std::vector<double>& seeds : accuracies) {
    ASSERT_EQ(seeds.size(), 2u);
    for (const double accuracy : seeds) {
      EXPECT_GT(accuracy, 0.3);
      EXPECT_LE(accuracy, 1.0);
    }
  }
}

}  // namespace
}  // namespace nibble::formats

// --- What is told -------------------------------------------------------------------------------

namespace nibble::report {
namespace {

using Json = nlohmann::ordered_json;

/// fp32 in 400 us; int4 in 100, or between half and twice the time.
Json measured(bool sure) {
  const auto cell = [](double bytes, double median, const Json& ratio, double sqnr) {
    return Json{{"batch", 1},     {"operations", 2e6},
                {"bytes", bytes}, {"seconds", {median * 0.9, median, median * 1.1}},
                {"ratio", ratio}, {"sqnr_db", sqnr}};
  };
  const Json ratio = sure ? Json{0.24, 0.25, 0.26} : Json{0.5, 1.0, 2.0};
  const Json fp32 = {{"format", "fp32"},
                     {"arithmetic", "float32, a < b"},
                     {"emulated", false},
                     {"weight_bytes", 4 << 20},
                     {"batches", {cell(4e6, 400e-6, {1, 1, 1}, 136.4)}}};
  const Json int4 = {{"format", "int4"},
                     {"arithmetic", "made int8 as it is loaded"},
                     {"emulated", true},
                     {"weight_bytes", 576 << 10},
                     {"batches", {cell(6e5, 100e-6, ratio, 20.5)}}};
  return {{"started", "2026-10-01T14:02:11Z"},
          {"env", {{"cpu", "x86-64, 2 cores"}, {"isa", {"avx2", "avx512_vnni"}}, {"load", 0.3}}},
          {"times",
           {{"n", 1024},
            {"k", 1024},
            {"isa", "avx2"},
            {"compiler", "g++ 12.2.0 -O3"},
            {"rounds", 21},
            {"ceilings", {{"fp32_gops", 80.0}, {"int8_gops", 150.0}, {"read_gbytes", 20.0}}},
            {"formats", {fp32, int4}}}},
          {"net",
           {{"seeds", {1, 2}},
            {"images", 5000},
            {"accuracy", {{"fp32", {0.95, 0.94}}, {"int4", {0.94, 0.935}}}}}},
          {"memory", {{"fp32", 4214784}, {"int4", nullptr}}}};
}

std::string line_with(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) return "";
  const std::size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

TEST(FormatTable, IsRead) {
  const FormatTable table = read_format_table(measured(true));
  ASSERT_EQ(table.rows.size(), 2u);
  const FormatCell& int4 = table.rows[1].cells[0];
  EXPECT_DOUBLE_EQ(int4.gops(), 20.0);
  EXPECT_TRUE(int4.differs_from_fp32());
  EXPECT_FALSE(table.rows[1].resident_bytes.has_value());
  EXPECT_DOUBLE_EQ(table.roof_of(table.rows[0], table.rows[0].cells[0]), 10.0);  // memory's
  EXPECT_DOUBLE_EQ(table.rows[1].peak_gops, 150.0);
  EXPECT_DOUBLE_EQ(spread_of(table.rows[0].accuracies).middle, 0.945);
  EXPECT_THROW(read_format_table({{"started", "now"}}), nlohmann::json::exception);
}

TEST(FormatTable, IsALineForEachFormat) {
  const std::string text = format_table_text(read_format_table(measured(true)), Paint{});
  EXPECT_EQ(line_with(text, "fp32       400 us"),
            "  fp32       400 us  1                    136.4 dB    5.0    50 %  |"
            "####################");
  EXPECT_EQ(line_with(text, "int4 *     100 us"),
            "  int4 *     100 us  0.25 [0.24-0.26]      20.5 dB   20.0    30 %  |#####");
  EXPECT_EQ(line_with(text, "0.141"),
            "  int4 *    576 KiB   0.141   not told   93.8 % [93.5-94.0]   -0.75 [-1.00 to -0.50]");
  for (const char* const part :
       {"w [1024, 1024]", "batch 1\n", "int4       made int8 as it is loaded\n",
        "this CPU has avx512_vnni, which no kernel", "float32 80, int8 150 GOPS by avx2; 20.0 GB/s",
        "medians of 21 rounds", "5000 test images for each of 2 seeds",
        "2026-10-01T14:02:11Z on x86-64, 2 cores, load 0.3; g++ 12.2.0 -O3\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  }
}

TEST(FormatTable, SaysWhereNoDifferenceIsKnown) {
  const std::string text = format_table_text(read_format_table(measured(false)), Paint{});
  EXPECT_EQ(line_with(text, "int4 *     100 us"),
            "  int4 *     100 us  1.00 [0.50-2.00] ~    20.5 dB   20.0    30 %  |"
            "##########------------------------------");
}

TEST(FormatTable, WithoutACeilingHasNoRoof) {
  Json plain = measured(true);
  plain["times"]["ceilings"]["fp32_gops"] = 0.0;
  const FormatTable table = read_format_table(plain);
  EXPECT_NE(format_table_text(table, Paint{}).find("roof       not known"), std::string::npos);
  EXPECT_EQ(format_table_svg(table).find("inf"), std::string::npos);
}

TEST(FormatTable, IsDrawn) {
  const std::string svg = format_table_svg(read_format_table(measured(true)));
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  for (const char* const part : {"batch 1: time", "int4 *", "0.25 · 100 us · 20.5 dB", "int8 150",
                                 "float32, a &lt; b", "g++ 12.2.0 -O3"}) {
    EXPECT_NE(svg.find(part), std::string::npos) << part << svg;
  }
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace nibble::report
