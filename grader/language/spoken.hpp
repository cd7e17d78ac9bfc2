// A stream that speaks the language of its reader.
#pragma once

#include <memory>
#include <ostream>
#include <streambuf>
#include <string>

#include "language/catalog.hpp"

namespace nibble::language {

/// While it lives, what is written to `stream` is translated: a line when it ends, and what was
/// begun when somebody flushes. English changes nothing.
class Spoken {
 public:
  Spoken(std::ostream& stream, const Catalog& catalog);
  Spoken(const Spoken&) = delete;
  Spoken& operator=(const Spoken&) = delete;
  ~Spoken();

 private:
  class Buffer;

  std::ostream& stream_;
  std::streambuf* const own_;
  const std::ios::fmtflags flags_;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace nibble::language
