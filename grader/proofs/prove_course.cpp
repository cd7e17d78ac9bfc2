#include "files/files.hpp"
#include "proofs/course.hpp"
#include "proofs/proofs.hpp"

namespace nibble::proofs {
namespace {

constexpr const char* kPaths = "## Paths through it";

/// From that heading to the next one.
std::string paths_of(const std::string& readme) {
  const std::size_t begin = readme.find(kPaths);
  if (begin == readme.npos) return "";
  return readme.substr(begin, readme.find("\n## ", begin) - begin);
}

}  // namespace

Proof prove_course(const std::filesystem::path& top) {
  Proof proof{"the course is drawn, and has paths"};
  try {
    const std::vector<CourseStep> course = read_course(top);
    proof.count(files::read_file(top / "docs/course.svg") == draw_course(course),
                "docs/course.svg shows other labs than their READMEs: ./nibble teach map");
    const std::string paths = paths_of(files::read_file(top / "README.md"));
    for (const CourseStep& one : course) {
      const std::string number = one.name.substr(0, 2);
      proof.count(paths.find(number) != paths.npos, "no path in README.md leads to lab " + number);
    }
  } catch (const std::exception& error) {
    proof.count(false, std::string("the course: ") + error.what());
  }
  return proof;
}

}  // namespace nibble::proofs
