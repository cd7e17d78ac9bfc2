// When a transfer in chunks ends, with one copy engine for each direction and one chunk computed at
// a time: a model, in units of the time that the whole copy to the device takes.
#include <algorithm>
#include <cstdio>
#include <vector>

struct Times {
  double in, compute, out, start;  ///< of all data; and what each piece of work costs to start
};

// [end]
/// Chunk i is given to stream i % streams. Each engine takes one piece of work at a time,
/// in the order given.
double end_of(const Times& all, int chunks, int streams) {
  double in_free = 0, compute_free = 0, out_free = 0;
  std::vector<double> stream_free(static_cast<std::size_t>(streams));
  for (int i = 0; i < chunks; ++i) {
    double& stream = stream_free[static_cast<std::size_t>(i % streams)];
    const auto run = [&](double& engine, double work) {
      stream = engine = std::max(stream, engine) + all.start + work / chunks;
    };
    run(in_free, all.in);
    run(compute_free, all.compute);
    run(out_free, all.out);
  }
  return *std::max_element(stream_free.begin(), stream_free.end());
}
// [/end]

int main() {
  const Times quantize{1.0, 0.1, 0.25, 0.002};
  std::printf("chunks   1 stream   2 streams   3 streams\n");
  for (const int chunks : {1, 2, 4, 8, 32, 128, 512}) {
    std::printf("%6d %10.3f %11.3f %11.3f\n", chunks, end_of(quantize, chunks, 1),
                end_of(quantize, chunks, 2), end_of(quantize, chunks, 3));
  }
}
