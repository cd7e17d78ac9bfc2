#include "text/pattern.hpp"

#include <iterator>
#include <regex>

namespace nibble::text {
namespace {

using Place = std::match_results<std::string_view::const_iterator>;

Found found_at(const Place& place) {
  Found found;
  found.groups.assign(place.begin(), place.end());
  found.begin = static_cast<std::size_t>(place.position(0));
  return found;
}

}  // namespace

struct Pattern::Compiled {
  std::regex regex;
};

Pattern::Pattern(const std::string& ecmascript)
    : compiled_(std::make_shared<Compiled>(Compiled{std::regex(ecmascript)})) {}

std::optional<Found> Pattern::match(std::string_view text) const {
  Place place;
  if (!std::regex_match(text.begin(), text.end(), place, compiled_->regex)) return {};
  return found_at(place);
}

std::optional<Found> Pattern::search(std::string_view text) const {
  Place place;
  if (!std::regex_search(text.begin(), text.end(), place, compiled_->regex)) return {};
  return found_at(place);
}

std::vector<Found> Pattern::all(std::string_view text) const {
  std::vector<Found> places;
  using Iterator = std::regex_iterator<std::string_view::const_iterator>;
  for (Iterator i(text.begin(), text.end(), compiled_->regex), end; i != end; ++i) {
    places.push_back(found_at(*i));
  }
  return places;
}

std::string Pattern::replaced(std::string_view text, const std::string& by) const {
  std::string changed;
  std::regex_replace(std::back_inserter(changed), text.begin(), text.end(), compiled_->regex, by);
  return changed;
}

}  // namespace nibble::text
