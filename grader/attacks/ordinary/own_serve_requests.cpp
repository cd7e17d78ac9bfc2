// attack: replaces the loop of the runner
// rule: V11
// expect: no_compile
#include <cstddef>
namespace nibble::runner {
void serve_requests(int, std::byte*, std::byte*) {}
}  // namespace nibble::runner
