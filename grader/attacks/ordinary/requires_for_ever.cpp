// attack: asks of a concept what takes for ever to say
// rule: V14
// expect: no_compile
template <int N, class T>
struct Tree : Tree<N - 1, T*>, Tree<N - 1, const T*> {};
template <class T>
struct Tree<0, T> {};
template <class T>
constexpr int count(int n) {
  return n == 0 ? 1 : count<T>(n - 1) + count<T>(n - 1);
}
template <int N, class T>
requires(sizeof(Tree<N, T>) > 0) constexpr int asked = count<T>(N);
static_assert(asked<30, int> == 0);
