// A source in its definitions, and what of them a mistake concerns.
#include "proofs/definitions.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace nibble::proofs {
namespace {

Definitions cut(const std::string& text) {
  const auto found = definitions_of(text, "lab.cpp", "lab.hpp");
  EXPECT_TRUE(found.has_value()) << text;
  return found.value_or(Definitions{});
}

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

/// The names of each definition, a "+" before those of a type.
std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (const Definition& one : cut(text).list) {
    names.push_back((one.is_type ? "+" : "") + joined(one.names));
  }
  return names;
}

using Lines = std::vector<std::string>;

TEST(Definitions, AreCalledWhatTheyDefine) {
  EXPECT_EQ(names_in("int f(int x) { return x; }\nint g(int);"), (Lines{"f", "g"}));
  EXPECT_EQ(names_in("template <class T, int kN = 3>\nstd::vector<T> f(T x = {}) { return {x}; }"),
            (Lines{"f"}));
  EXPECT_EQ(names_in("[[nodiscard]] int f() noexcept { return 1; }"), (Lines{"f"}));
  EXPECT_EQ(names_in("NIBBLE_KERNEL void __launch_bounds__(256) k(int n) {}"), (Lines{"k"}));
  EXPECT_EQ(names_in("NIBBLE_LAUNCH(k, .block_x = 256);"), (Lines{"k k_launch"}));
  EXPECT_EQ(names_in("constexpr int kA = 1, kB = kA / 2;"), (Lines{"kA kB"}));
  EXPECT_EQ(names_in("constexpr std::array<int, 2> kA = {1, 2};\nint a[3]{1};"),
            (Lines{"kA", "a"}));
  EXPECT_EQ(names_in("const auto twice = [](int x) { return 2 * x; };"), (Lines{"twice"}));
  EXPECT_EQ(names_in("const std::function<int(int)> g = f;"), (Lines{"g"}));
  EXPECT_EQ(names_in("struct A { int f() { return 1; } };\nint A::g() { return 2; }"),
            (Lines{"+A", "A"}));
  EXPECT_EQ(names_in("A::A(int x) : a_{x}, b_(x) { a_ = 1; }\nint f();"), (Lines{"A", "f"}));
  EXPECT_EQ(names_in("enum class E : int { kOne };\nenum { kTwo = 2, kThree };"),
            (Lines{"+E", "+kThree kTwo"}));
  EXPECT_EQ(names_in("using Bytes = std::vector<int>;\nusing std::span;"),
            (Lines{"+Bytes", "+span"}));
  EXPECT_EQ(names_in("bool operator<(A a, A b) { return a.x < b.x; }"), (Lines{"+operator"}));
  EXPECT_EQ(names_in("static_assert(sizeof(int) == 4);"), (Lines{""}));
}

TEST(Definitions, StandWhereTheyStood) {
  const Definitions found =
      cut("#include \"lab.hpp\"\n#include <map>\n\nnamespace nibble {\nnamespace {\n"
          "#define TWICE(x) \\\n  (2 * (x))\n"
          "#if defined(__x86_64__)\nNIBBLE_BEGIN_AVX2\nint f() { return 1; }\nNIBBLE_END\n"
          "#else\nint f() { return TWICE(g()); }\n#endif\n}  // namespace\n}\n");
  EXPECT_EQ(found.includes, "#include <map>\n");
  EXPECT_EQ(found.macros, "#define TWICE(x) \\\n  (2 * (x))\n");
  ASSERT_EQ(found.list.size(), 2U);
  const std::string spaces = "namespace nibble {\nnamespace {\n";
  EXPECT_EQ(found.list[0].open, spaces + "#if defined(__x86_64__)\nNIBBLE_BEGIN_AVX2\n");
  EXPECT_EQ(found.list[0].close, "NIBBLE_END\n#endif\n}\n}\n");
  EXPECT_EQ(found.list[0].line, "#line 10 \"lab.cpp\"\n");
  EXPECT_EQ(found.list[0].text, "int f() { return 1; }\n");
  EXPECT_EQ(found.list[1].open, spaces + "#if defined(__x86_64__)\n#else\n");
  EXPECT_EQ(found.list[1].line, "#line 13 \"lab.cpp\"\n");
}

TEST(Definitions, ASourceThatIsWrittenOtherwiseIsLeftAlone) {
  for (const char* const text :
       {"#undef A\n", "#define A 1\n#include <map>\n", "#if A\n#include <map>\n#endif\n",
        "namespace nibble {\n", "}\n", "int f() {\n", "int a = 1", "using namespace std;",
        "#if A\nnamespace nibble {\n#endif\n}\n", "#pragma GCC optimize(\"O3\")\n",
        "const char* a = \"no end;\n"}) {
    EXPECT_FALSE(definitions_of(text, "lab.cpp", "lab.hpp").has_value()) << text;
  }
}

const std::string kContract = "struct Pair { int a, b; };\nint f(Pair x);\nint g(int x);";
const std::string kRight =
    "// One\nint low() { return 0; }\nint high() { return 9; }\n"
    "int f(Pair x) { return x.a + low(); }\nint g(int x) { return x + high(); }";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kRight;
  text.replace(text.find(from), from.size(), to);
  const Changed found = changed_definitions(cut(kContract).list, cut(kRight).list, cut(text).list);
  std::string told = joined(found.names) + ":";
  for (const Definition& one : found.of_contract) told += " " + joined(one.names);
  told += ";";
  for (const Definition& one : found.of_file) told += " " + joined(one.names);
  return told;
}

TEST(Definitions, WhatMentionsAChangeChanges) {
  EXPECT_EQ(changed("x + high", "x - high"), "g: g; g");
  EXPECT_EQ(changed("return 9", "return 8"), "g high: g; high g");
  EXPECT_EQ(changed("int low() { return 0; }\n", ""), "f low: f; f");
  EXPECT_EQ(changed("int high", "int low(int);\nint high"), "f low: f; low low f");
  EXPECT_EQ(changed("// One\n", "// Two\n"), ":;");
}

TEST(Definitions, AMacroMentionsForWhoUsesIt) {
  const std::string right =
      "#define NINE high()\nint high() { return 9; }\nint g() { return NINE; }";
  const auto other = cut("#define NINE high()\nint high() { return 8; }\nint g() { return NINE; }");
  EXPECT_EQ(joined(changed_definitions({}, cut(right).list, other.list).names), "g high");
}

}  // namespace
}  // namespace nibble::proofs
