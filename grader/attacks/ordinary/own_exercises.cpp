// attack: replaces the table of exercises
// rule: V11
// expect: no_compile
namespace nibble::runner {
using Invoke = void (*)(std::byte*, std::byte*);
std::span<const Invoke> exercises() { return {}; }
}  // namespace nibble::runner
