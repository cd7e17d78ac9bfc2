// Fuzz target: an archive as nibble-unpack reads it, and the answer that it writes, read back.
#include "intake/archive.hpp"

#include <cstdint>
#include <cstdlib>

#include "intake/source_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace nibble::intake;
  static const std::vector<Wanted> wanted{{"03_symmetric", "symmetric.cpp"},
                                          {"19_cuda_quantize", "cuda_quantize.cu"}};
  const Contents contents = read_archive(std::as_bytes(std::span(data, size)), wanted);
  for (const FoundFile& found : contents.found) {
    const bool ours = found.lab == wanted[0].lab || found.lab == wanted[1].lab;
    const bool fits = found.text.size() <= kLargestSource;
    const bool stays = plain_path(found.place) == found.place;
    if (!ours || !fits || !stays) std::abort();
    why_not_source_text(found.text);
  }
  const std::string bytes = to_bytes(contents);
  const auto back = from_bytes(bytes);
  if (!back || to_bytes(*back) != bytes) std::abort();
  from_bytes({reinterpret_cast<const char*>(data), size});  // whatever it says
  return 0;
}
