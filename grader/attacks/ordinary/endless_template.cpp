// attack: instantiates a template without end
// rule: V14
// expect: no_compile
template <int N>
struct Deep {
  static constexpr int value = Deep<N + 1>::value;
};
static_assert(Deep<0>::value == 0);
