#include "judge/marks.hpp"

namespace nibble::judge {
namespace {

std::string& name() {
  static std::string lab;
  return lab;
}

std::vector<Row>& rows() {
  static std::vector<Row> all;
  return all;
}

}  // namespace

bool register_marks(const char* lab, std::span<const Mark> marks) {
  name() = lab;
  for (const Mark& mark : marks) rows().push_back({mark, false, Detail::kFull});
  return true;
}

bool register_hidden_marks(std::span<const Mark> marks, Detail detail) {
  for (const Mark& mark : marks) rows().push_back({mark, true, detail});
  return true;
}

const std::string& lab_name() { return name(); }
const std::vector<Row>& all_rows() { return rows(); }

}  // namespace nibble::judge
