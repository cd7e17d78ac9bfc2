// What loading 1024 floats costs a warp, for some ways of giving elements to threads: requests and
// sectors.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <set>

struct Cost {
  int requests = 0, sectors = 0;
};

// [request]
/// The sectors that 32 lanes touch, each with `bytes` bytes from its own address. One request.
int sectors(const std::function<std::int64_t(int)>& address_of_lane, int bytes) {
  std::set<std::int64_t> touched;
  for (int lane = 0; lane < 32; ++lane) {
    for (int byte = 0; byte < bytes; ++byte) touched.insert((address_of_lane(lane) + byte) / 32);
  }
  return static_cast<int>(touched.size());
}
// [/request]

/// 1024 floats, `per_lane` neighbours in each load; step s of lane l begins at element first(s, l).
Cost loads(int per_lane, const std::function<std::int64_t(int, int)>& first) {
  Cost cost;
  for (int step = 0; step < 1024 / 32 / per_lane; ++step) {
    ++cost.requests;
    cost.sectors += sectors([&](int lane) { return 4 * first(step, lane); }, 4 * per_lane);
  }
  return cost;
}

void print(const char* name, Cost cost) {
  std::printf("%-30s %8d %10d %8.1f %%\n", name, cost.requests, cost.sectors,
              100.0 * 1024 * 4 / (32.0 * cost.sectors));
}

int main() {
  std::printf("1024 floats                    requests    sectors    wanted\n");
  // [patterns]
  print("x[32 * step + lane]", loads(1, [](int step, int lane) { return 32 * step + lane; }));
  print("  one element further", loads(1, [](int step, int lane) { return 32 * step + lane + 1; }));
  print("x[32 * lane + step]", loads(1, [](int step, int lane) { return 32 * lane + step; }));
  print("float2, 64 * step + 2 * lane",
        loads(2, [](int s, int lane) { return 64 * s + 2 * lane; }));
  print("float4, 128 * step + 4 * lane",
        loads(4, [](int s, int lane) { return 128 * s + 4 * lane; }));
  print("float4, 32 * lane + 4 * step",
        loads(4, [](int s, int lane) { return 32 * lane + 4 * s; }));
  // [/patterns]
}
