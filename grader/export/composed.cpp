#include "export/composed.hpp"

#ifdef NIBBLE_HAS_UTF8PROC
#include <utf8proc.h>

#include <cstdlib>
#include <memory>
#endif

namespace nibble::gradebook {

#ifdef NIBBLE_HAS_UTF8PROC
std::string composed(std::string_view name) {
  utf8proc_uint8_t* found = nullptr;
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(name.data());
  constexpr auto kForm = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  const auto size = utf8proc_map(bytes, std::ssize(name), &found, kForm);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(found, &std::free);
  if (size < 0) return std::string(name);
  return {reinterpret_cast<const char*>(found), static_cast<std::size_t>(size)};
}
#else
std::string composed(std::string_view name) { return std::string(name); }
#endif

}  // namespace nibble::gradebook
