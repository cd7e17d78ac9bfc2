// How often does a product fetch a line of memory? Six orders of the same three loops, counted with
// a small model of a cache instead of a clock: the same numbers on every machine.
#include <array>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <list>
#include <unordered_map>

// [cache]
/// A cache of 64 lines of 64 bytes; the line not used for longest makes room.
class Cache {
 public:
  void touch(std::size_t address) {
    const std::size_t line = address / 64;
    if (const auto found = where_.find(line); found != where_.end()) {
      lines_.splice(lines_.begin(), lines_, found->second);
      return;
    }
    ++fetched;
    lines_.push_front(line);
    where_[line] = lines_.begin();
    if (lines_.size() > 64) {
      where_.erase(lines_.back());
      lines_.pop_back();
    }
  }
  long fetched = 0;

 private:
  std::list<std::size_t> lines_;
  std::unordered_map<std::size_t, std::list<std::size_t>::iterator> where_;
};
// [/cache]

constexpr std::size_t kSize = 96;  // m, n and k

/// Lines fetched per 1000 products when the loops run over `order`, the innermost last.
double fetches(const char* order) {
  const std::size_t b = kSize * kSize, c = 2 * b;  // a begins at 0; int8, int8, int32
  Cache cache;
  std::array<std::size_t, 128> at{};  // by the name of the index
  for (std::size_t x = 0; x < kSize; ++x) {
    for (std::size_t y = 0; y < kSize; ++y) {
      for (std::size_t z = 0; z < kSize; ++z) {
        at[std::size_t(order[0])] = x;
        at[std::size_t(order[1])] = y;
        at[std::size_t(order[2])] = z;
        const std::size_t i = at['i'], j = at['j'], p = at['p'];
        cache.touch(i * kSize + p);
        cache.touch(b + p * kSize + j);
        cache.touch(c + 4 * (i * kSize + j));
      }
    }
  }
  return 1000.0 * static_cast<double>(cache.fetched) / (kSize * kSize * kSize);
}

int main() {
  std::puts("order   lines fetched per 1000 products");
  for (const char* order : {"ijp", "jip", "ipj", "pij", "jpi", "pji"}) {
    std::printf("%s     %6.1f\n", order, fetches(order));
  }
}
