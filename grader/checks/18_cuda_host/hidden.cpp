// Lab 18: the hidden checks, which no handout holds. The published solution says what is right;
// the inputs follow from the course's secret salt.
#include "cuda_host.hpp"

#include "checks/18_cuda_host/copy_through_device.hpp"
#include "checks/18_cuda_host/count_codes.hpp"
#include "checks/18_cuda_host/multiply_on_device.hpp"
#include "checks/18_cuda_host/quantize_in_chunks.hpp"
#include "checks/18_cuda_host/quantize_on_device.hpp"
#include "checks/18_cuda_host/quantize_with_own_scale.hpp"
#include "checks/18_cuda_host/right.hpp"
#include "judge/product.hpp"

namespace nibble::judge::lab_18_cuda_host {
namespace {

TEST(copy_through_device, EqualsTheDefinition) {
  copying.is_right(copies({4, 91, 5003}, hidden_seed(0)));
}

TEST(quantize_on_device, EqualsTheDefinition) {
  in_blocks.is_right(in_parts<Blocks>({{5, 2}, {99, 64}, {1300, 96}, {9001, 512}}, hidden_seed(1)));
}

TEST(count_codes, EqualsTheDefinition) {
  counting.is_right(code_lists({6, 700, 20011}, hidden_seed(2)));
}

TEST(quantize_in_chunks, EqualsTheDefinition) {
  in_chunks.is_right(in_parts<Chunks>({{30, 10}, {101, 25}, {4099, 513}}, hidden_seed(3)));
}

TEST(quantize_with_own_scale, EqualsTheDefinition) {
  by_own_scale.is_right(with_largest_everywhere({12, 1025, 7001}, hidden_seed(4)));
}

TEST(multiply_on_device, EqualsTheDefinition) {
  multiplying.is_right(random_products({{6, 4, 9}, {19, 70, 31}, {130, 9, 64}}, hidden_seed));
}

}  // namespace
}  // namespace nibble::judge::lab_18_cuda_host
