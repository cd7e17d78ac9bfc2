#include "language/spoken.hpp"

#include "language/screen_text.hpp"

namespace nibble::language {

class Spoken::Buffer : public std::streambuf {
 public:
  Buffer(std::streambuf* to, const Catalog& catalog) : to_(to), catalog_(catalog) {}

 protected:
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    begun_ += traits_type::to_char_type(c);
    return c != '\n' || write_begun() ? c : traits_type::eof();
  }

  int sync() override { return write_begun() && to_->pubsync() == 0 ? 0 : -1; }

 private:
  bool write_begun() {
    const std::string text = screen_text(catalog_, begun_).text;
    begun_.clear();
    const auto size = static_cast<std::streamsize>(text.size());
    return to_->sputn(text.data(), size) == size;
  }

  std::streambuf* const to_;
  const Catalog& catalog_;
  std::string begun_;
};

Spoken::Spoken(std::ostream& stream, const Catalog& catalog)
    : stream_(stream), own_(stream.rdbuf()), flags_(stream.flags()) {
  if (catalog.is_english()) return;
  buffer_ = std::make_unique<Buffer>(own_, catalog);
  stream_.rdbuf(buffer_.get());
  stream_.unsetf(std::ios::unitbuf);  // a sentence that comes in pieces is one sentence
}

Spoken::~Spoken() {
  if (buffer_ == nullptr) return;
  stream_.flush();
  stream_.rdbuf(own_);
  stream_.flags(flags_);
}

}  // namespace nibble::language
