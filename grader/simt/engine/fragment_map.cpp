#include "fragment_map.hpp"

#include <initializer_list>

namespace nibble::simt {

namespace {

bool is_transposed_product(const Fragment& fragment) { return fragment.n == 32; }

bool lines_are_neighbours_in_memory(const Fragment& fragment, bool row_major) {
  if (fragment.matrix == Matrix::kA) return row_major;
  if (fragment.matrix == Matrix::kB) return !row_major;
  return row_major != is_transposed_product(fragment);
}

/// Blocks two by two: first down the lines, then on along them.
void square(FragmentMap& map, std::size_t line) {
  for (const Block& block : {Block{line, 0}, {line + 8, 0}, {line, 8}, {line + 8, 8}})
    map.block[map.blocks++] = block;
}

void accumulator_blocks(FragmentMap& map, const Fragment& fragment) {
  if (fragment.m == 16) return square(map, 0);
  for (std::size_t line = 0; line < 32; line += 8) map.block[map.blocks++] = {line, 0};
}

void operand_blocks(FragmentMap& map, const Fragment& fragment) {
  const std::size_t lines = fragment.matrix == Matrix::kA ? fragment.m : fragment.n;
  const bool first = is_first_operand(fragment);
  for (std::size_t line = 0; line < lines; line += first ? 16 : 8) {
    if (map.element_size == 2 && first) {
      square(map, line);
    } else if (map.element_size == 2) {
      map.block[map.blocks++] = {line, 0};
      map.block[map.blocks++] = {line, 8};
    } else {
      map.block[map.blocks++] = {line, 0};
      if (first) map.block[map.blocks++] = {line + 8, 0};
    }
  }
}

}  // namespace

std::size_t element_size(Element element) {
  switch (element) {
    case Element::kS8:
    case Element::kU8:
    case Element::kE4m3:
      return 1;
    case Element::kHalf:
    case Element::kBfloat16:
      return 2;
    default:
      return 4;
  }
}

bool is_first_operand(const Fragment& fragment) {
  return (fragment.matrix == Matrix::kB) == is_transposed_product(fragment);
}

FragmentMap fragment_map(const Fragment& fragment, bool row_major) {
  FragmentMap map{};
  map.element_size = element_size(fragment.element);
  map.straight = lines_are_neighbours_in_memory(fragment, row_major);
  if (fragment.matrix == Matrix::kAccumulator) {
    map.per_lane = 2;
    accumulator_blocks(map, fragment);
  } else {
    map.per_lane = 4 / map.element_size;
    operand_blocks(map, fragment);
  }
  return map;
}

}  // namespace nibble::simt
