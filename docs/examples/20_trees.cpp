// Three trees over 256 words of shared memory: which warps are at work in each step, and how often
// each has to go over the 32 banks.
#include <algorithm>
#include <array>
#include <cstdio>
#include <initializer_list>
#include <set>

constexpr int kThreads = 256, kNobody = -1;

// [passes]
/// A warp gets one word from each bank at a time: it goes over them as often as the fullest bank
/// has words that it wants.
int passes(const std::array<int, 32>& words) {
  std::array<std::set<int>, 32> banks;
  for (const int word : words) {
    if (word != kNobody) banks[word % 32].insert(word);
  }
  int most = 0;
  for (const auto& bank : banks) most = std::max(most, static_cast<int>(bank.size()));
  return most;
}
// [/passes]

// [trees]
/// The word that thread t joins its partner to, in the step that joins words `apart` from each
/// other.
int sequential(int t, int apart) { return t < apart ? t : kNobody; }
int interleaved(int t, int apart) { return 2 * apart * t < kThreads ? 2 * apart * t : kNobody; }
int scattered(int t, int apart) { return t % (2 * apart) == 0 ? t : kNobody; }
// [/trees]

using Tree = int (*)(int t, int apart);

/// Of one access in one step: a warp asks when one of its threads is at work.
struct Step {
  int requests = 0, passes = 0;
};

Step count(Tree tree, int apart) {
  Step step;
  for (int warp = 0; warp < kThreads / 32; ++warp) {
    std::array<int, 32> words{};
    for (int lane = 0; lane < 32; ++lane) words[lane] = tree(32 * warp + lane, apart);
    const int needed = passes(words);
    step.requests += needed > 0 ? 1 : 0;
    step.passes += needed;
  }
  return step;
}

int main() {
  std::printf("words    sequential         interleaved        scattered\n");
  std::printf("apart    requests passes    requests passes    requests passes\n");
  std::array<Step, 3> all{};
  for (int apart = 1; apart < kThreads; apart *= 2) {
    std::printf("%5d", apart);
    int which = 0;
    for (const Tree tree : {sequential, interleaved, scattered}) {
      const Step step = count(tree, apart);
      std::printf("    %8d %6d", step.requests, step.passes);
      all[which].requests += step.requests;
      all[which++].passes += step.passes;
    }
    std::printf("\n");
  }
  std::printf("  all");
  for (const Step& step : all) std::printf("    %8d %6d", step.requests, step.passes);
  std::printf("\n");
}
