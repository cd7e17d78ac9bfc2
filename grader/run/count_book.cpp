#include "run/count_book.hpp"

#include <stdexcept>

#include "run/judging.hpp"

namespace nibble::run {
namespace {

std::string counted_on(const lab::Kit& kit, const lab::Lab& lab, const std::filesystem::path& child,
                       const char* seed) {
  const Judged judged = judge(
      kit,
      {{.task = protocol::Terms::Task::kCountBook, .lab = lab.name, .seed = seed, .child = child}});
  if (!judged.has_verdict()) throw std::runtime_error(lab.name + ": " + judged.message);
  return judged.told;
}

}  // namespace

std::string count_book_of(const lab::Kit& kit, const lab::Lab& lab,
                          const std::filesystem::path& child) {
  const std::string book = counted_on(kit, lab, child, "0x1");
  if (counted_on(kit, lab, child, "0x2") == book) return book;
  throw std::runtime_error("what " + lab.name +
                           " counts follows from its data: no numbers to give");
}

}  // namespace nibble::run
