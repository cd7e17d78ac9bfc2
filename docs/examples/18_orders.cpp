// All orders in which the work of two streams may happen,
// and how many of them are right.
#include <cstdio>
#include <string>
#include <vector>

// [right]
/// Work of stream 0: a, b, c; of stream 1: A, B, C. Both quantize (c, C) with the larger of both
/// maxima (b, B), so that each has to come after both.
bool is_right(const std::string& order) {
  const auto at = [&](char work) { return order.find(work); };
  return at('c') > at('B') && at('C') > at('b');
}
// [/right]

/// Work of stream 0: b, a, k; of stream 1: A, K. Both multiply (k, K) by what b brings.
bool is_product(const std::string& order) { return order.find('K') > order.find('b'); }

/// Adds every order that keeps each stream's own: the streams `a` and `b` have that much left.
void add_orders(const std::string& done, const std::string& a, const std::string& b,
                std::vector<std::string>& all) {
  if (a.empty() && b.empty()) return all.push_back(done);
  if (!a.empty()) add_orders(done + a[0], a.substr(1), b, all);
  if (!b.empty()) add_orders(done + b[0], a, b.substr(1), all);
}

struct Streams {
  const char *first, *second;  ///< their work
  bool (*is_right)(const std::string& order);
};

template <class Rule>
void print(const char* name, const Streams& streams, const Rule& is_allowed) {
  std::vector<std::string> all;
  add_orders("", streams.first, streams.second, all);
  int allowed = 0, right = 0;
  for (const std::string& order : all) {
    if (!is_allowed(order)) continue;
    ++allowed;
    right += streams.is_right(order) ? 1 : 0;
  }
  std::printf("%-34s %7d %7d\n", name, allowed, right);
}

int main() {
  const auto any = [](const std::string&) { return true; };
  const auto before = [](char first, char second) {
    return [=](const std::string& order) { return order.find(first) < order.find(second); };
  };
  std::printf("                                   allowed   right\n");
  const Streams maxima{"abc", "ABC", is_right};
  const auto bC = before('b', 'C'), Bc = before('B', 'c');
  print("no event", maxima, any);
  print("one: C waits for b", maxima, bC);
  print("two: and c for B", maxima, [&](const std::string& o) { return bC(o) && Bc(o); });
  print("all of stream 0, then stream 1", maxima, before('c', 'A'));

  std::printf("\na product                          allowed   right\n");
  const Streams product{"bak", "AK", is_product};
  print("no event", product, any);
  print("one: K waits for b", product, before('b', 'K'));
}
