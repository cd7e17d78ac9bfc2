// Passes over the banks, for loads and for stores, of words and of 16 bytes: from addresses alone.
#include <algorithm>
#include <cstdio>
#include <set>
#include <vector>

/// Passes for one request: `words[lane]` is where a lane's access begins, `wide` how many words it
/// takes. 32 lanes are served at a time if it is one, 8 if it is four.
int passes(const std::vector<int>& words, int wide) {
  const int together = 32 / wide;
  int sum = 0;
  for (int first = 0; first < 32; first += together) {
    std::set<int> banks[32];  // the words that are wanted from each
    std::size_t most = 0;
    for (int lane = first; lane < first + together; ++lane) {
      for (int word = words[lane]; word < words[lane] + wide; ++word) {
        banks[word % 32].insert(word);
        most = std::max(most, banks[word % 32].size());
      }
    }
    sum += static_cast<int>(most);
  }
  return sum;
}

template <class Address>
int passes_of(int wide, const Address& address) {
  std::vector<int> words;
  for (int lane = 0; lane < 32; ++lane) words.push_back(address(lane));
  return passes(words, wide);
}

/// A tile with rows of `kept` words, `pitch` words apart. A warp stores 32 neighbouring words of
/// memory, and loads the same word of 32 rows (16 rows twice, where the block is 16 wide).
void print_words(int kept, int pitch) {
  const int rows = kept < 32 ? 16 : 32;
  const int store = passes_of(1, [&](int l) { return l / kept * pitch + l % kept; });
  const int load = passes_of(1, [&](int l) { return l % rows * pitch; });
  std::printf("%2d + %d words      %2d      %2d\n", kept, pitch - kept, store, load);
}

/// The same with pieces of four words: 16 rows are loaded, and 16 rows of two pieces stored,
/// neighbours in memory side by side or 16 lanes apart.
void print_pieces(int kept, int pitch) {
  const auto word = [&](int row, int piece) { return 4 * (row * pitch + piece); };
  const int beside = passes_of(4, [&](int l) { return word(l / kept, l % kept); });
  const int apart = passes_of(4, [&](int l) { return word(l % 16, l / 16); });
  const int load = passes_of(4, [&](int l) { return word(l % 16, 0); });
  std::printf("%d + %d pieces      %2d         %2d      %2d\n", kept, pitch - kept, beside, apart,
              load);
}

int main() {
  std::puts("a row of words   store    load    passes, of 32 lanes at a time");
  for (const int pitch : {16, 17, 18, 20}) print_words(16, pitch);
  for (const int pitch : {32, 33}) print_words(32, pitch);
  std::puts("\na row of pieces  store, neighbours       load    passes: four is the least");
  std::puts("                 beside     16 apart");
  for (const int pitch : {2, 3, 4}) print_pieces(2, pitch);
}
