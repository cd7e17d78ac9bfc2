// What was found as bytes and back, since archives are read in a process that nobody believes.
#include "intake/contents.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace nibble::intake {
namespace {

// A sequence of fields; a field is its length, then its bytes:
//     refusal · n · n x (lab, place, text, refusal, written) · n · n x name · manifest
using Length = std::uint32_t;

void put_number(std::string& bytes, std::size_t value) {
  const auto number = static_cast<Length>(value);
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof raw);
}

void put(std::string& bytes, const std::string& field) {
  put_number(bytes, field.size());
  bytes += field;
}

/// Takes fields from the front; after one that does not fit, good() is false for ever.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : rest_(bytes) {}

  std::size_t number() {
    Length value = 0;
    if (rest_.size() < sizeof value) return fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string field() {
    const std::size_t length = number();
    if (length > rest_.size()) fail();
    if (!good_) return "";
    std::string field(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return field;
  }
  bool good() const { return good_; }
  bool at_end() const { return good_ && rest_.empty(); }

 private:
  std::size_t fail() {
    good_ = false;
    rest_ = {};
    return 0;
  }
  std::string_view rest_;
  bool good_ = true;
};

/// 0 for what is no number.
std::int64_t seconds_in(const std::string& field) {
  std::int64_t seconds = 0;
  std::from_chars(field.data(), field.data() + field.size(), seconds);
  return seconds;
}

}  // namespace

bool holds(const Contents& contents, std::string_view place) {
  return std::ranges::find(contents.found, place, &FoundFile::place) != contents.found.end();
}

void note_file(Contents& contents, const std::string& path, const std::vector<Wanted>& wanted) {
  constexpr std::size_t kMost = 64;
  const std::string name = last_part(path);
  const bool is_one = std::ranges::find(wanted, name, &Wanted::file) != wanted.end();
  const bool is_close = std::ranges::any_of(
      wanted, [&](const Wanted& one) { return !nearest(one.file, {name}).empty(); });
  if (is_close && contents.others.size() < kMost) contents.others.push_back(is_one ? path : name);
}

std::string to_bytes(const Contents& contents) {
  std::string bytes;
  put(bytes, contents.refusal);
  put_number(bytes, contents.found.size());
  for (const FoundFile& found : contents.found) {
    for (const std::string* field : {&found.lab, &found.place, &found.text, &found.refusal}) {
      put(bytes, *field);
    }
    put(bytes, std::to_string(found.written));
  }
  put_number(bytes, contents.others.size());
  for (const std::string& name : contents.others) put(bytes, name);
  put(bytes, contents.manifest);
  return bytes;
}

std::optional<Contents> from_bytes(std::string_view bytes) {
  Fields fields(bytes);
  Contents contents;
  contents.refusal = fields.field();
  for (std::size_t left = fields.number(); left > 0 && fields.good(); --left) {
    FoundFile& found = contents.found.emplace_back();
    for (std::string* field : {&found.lab, &found.place, &found.text, &found.refusal}) {
      *field = fields.field();
    }
    found.written = seconds_in(fields.field());
  }
  for (std::size_t left = fields.number(); left > 0 && fields.good(); --left) {
    contents.others.push_back(fields.field());
  }
  contents.manifest = fields.field();
  if (!fields.at_end()) return std::nullopt;
  return contents;
}

}  // namespace nibble::intake
