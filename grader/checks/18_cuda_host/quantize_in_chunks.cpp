// Lab 18, quantize_in_chunks: the checks.
#include "checks/18_cuda_host/quantize_in_chunks.hpp"

namespace nibble::judge::lab_18_cuda_host {
namespace {

// Whole chunks: one, one for each stream, the first that comes back to a stream, many.
TEST(quantize_in_chunks, EveryOrderOfStreams) {
  in_chunks.is_right(
      in_parts<Chunks>({{64, 64}, {128, 64}, {192, 64}, {256, 64}, {90, 9}, {4000, 500}}, seed(0)));
}

// Nothing; one; fewer than a chunk, which no memory would hold; a last chunk of one, of all but
// one; chunks of one; chunks larger than a block.
const std::vector<Parts> kChunks = {
    {0, 8},      {1, 8},      {7, 8},       {7, std::int64_t{1} << 40},
    {9, 8},      {15, 8},     {17, 8},      {5, 1},
    {1000, 300}, {1201, 300}, {20000, 7001}};

TEST(quantize_in_chunks, EverySize) { in_chunks.is_right(in_parts<Chunks>(kChunks, seed(1))); }

TEST(quantize_in_chunks, RunsClean) {
  in_chunks.runs_clean(
      in_parts<Chunks>({{0, 8}, {5, 8}, {20, 8}, {90, 9}, {700, 300}}, seed(2)),
      [](Expect& expect, const Chunks& c, const auto& answer) {
        if (std::ssize(c.x) > c.part) uses_both_streams(expect, answer);
        const auto& work = answer.work;
        expect.that(work.unpinned_copies == 0,
                    std::to_string(work.unpinned_copies) +
                        " copies from or to memory that is not pinned: nothing goes on beside them",
                    "N-SERIAL");
        // Twice what two streams need, of 4 bytes and 1 an element, on either side.
        const std::uint64_t enough = 40 * static_cast<std::uint64_t>(c.part);
        expect.that(work.taken_bytes <= enough,
                    "takes " + std::to_string(work.taken_bytes) +
                        " bytes of memory: a chunk for each stream, used again, is enough",
                    "N-MEMORY");
      });
}

TEST(quantize_in_chunks, EveryErrorComesBack) {
  in_chunks.returns_every_error(in_parts<Chunks>({{20, 8}}, seed(3)));
}

}  // namespace
}  // namespace nibble::judge::lab_18_cuda_host
