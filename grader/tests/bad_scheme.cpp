// A judge whose mark scheme is wrong in the way that BAD_SCHEME says: it must refuse to start.
#include <gtest/gtest.h>

#include "judge/cases.hpp"
#include "judge/marks.hpp"

namespace nibble::judge {
namespace {

constexpr Mark marks[] = {
#if BAD_SCHEME == 1  // adds up to 90
    {"f", "A", 90, "", ""},
#elif BAD_SCHEME == 2  // a row without a check
    {"f", "A", 50, "", ""},
    {"f", "Missing", 50, "", ""},
#elif BAD_SCHEME == 3  // a check without a row
    {"f", "Other", 100, "", ""},
#else
    {"f", "A", 100, "", ""},
#endif
};
const bool registered = register_marks("98_bad", marks);

TEST(f, A) {
#if BAD_SCHEME != 4  // a check that runs no case
  once([](Expect& expect) { expect.that(true, ""); });
#endif
}
#if BAD_SCHEME == 3
TEST(f, Other) {
  once([](Expect&) {});
}
#endif

}  // namespace
}  // namespace nibble::judge
