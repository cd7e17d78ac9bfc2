// Many files read by a thread for each core: most of the time goes into what is made of their text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <future>
#include <span>
#include <thread>
#include <vector>

namespace nibble::files {

/// body(share) of each share of `all`, in order; each share is a run of neighbours, and none is
/// empty. Nothing of nothing. Throws what the first body does that throws.
template <class Body, class T>
auto in_shares(const std::vector<T>& all, Body body) {
  using Result = decltype(body(std::span<const T>(all)));
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t count = std::min(cores, all.size());
  std::vector<std::future<Result>> shares;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * all.size() / count, end = (i + 1) * all.size() / count;
    shares.push_back(
        std::async(std::launch::async, body, std::span(all).subspan(begin, end - begin)));
  }
  std::vector<Result> results;
  for (std::future<Result>& share : shares) results.push_back(share.get());
  return results;
}

}  // namespace nibble::files
