// attack: doubles the work of the compiler thirty times
// rule: V14
// expect: no_compile
template <int Depth, int Path>
struct Tree {
  static constexpr long value =
      Tree<Depth - 1, 2 * Path>::value + Tree<Depth - 1, 2 * Path + 1>::value;
};
template <int Path>
struct Tree<0, Path> {
  static constexpr long value = Path;
};
static_assert(Tree<30, 0>::value != 0);
