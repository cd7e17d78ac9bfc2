// attack: defines functions of the judge and of its test library
// rule: V1
// expect: points 0
#define OWN_QUANTIZE
namespace nibble::judge {
struct Submission {
  void perform(unsigned, std::size_t, const std::vector<int>&) {}
};
bool is_near(double, double, const int&) { return true; }
int total_points() { return 100; }
}  // namespace nibble::judge

namespace testing {
struct UnitTest {
  bool Passed() const { return true; }
};
}  // namespace testing

namespace nibble {

SymmetricTensor quantize_symmetric(std::span<const float> x, int num_bits) { return {}; }

}  // namespace nibble
