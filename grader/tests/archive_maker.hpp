// Makes archives for tests of the intake, honest ones and others:
// what is written is what is asked for.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nibble::intake {

/// One entry of an archive.
struct Entry {
  std::string name;
  std::string text{};
  unsigned type = AE_IFREG;
  std::string link{};        ///< of a symbolic link
  std::string hard_link{};   ///< the entry that it is another name of
  std::int64_t written = 0;  ///< seconds since 1970; 0: it knows no time
};

enum class Format { kZip, kTar, kTarGz, kEncryptedZip };

class ArchiveMaker {
 public:
  explicit ArchiveMaker(Format format) : writer_(archive_write_new(), archive_write_free) {
    const bool zip = format == Format::kZip || format == Format::kEncryptedZip;
    zip ? archive_write_set_format_zip(writer_.get()) : archive_write_set_format_pax(writer_.get());
    if (format == Format::kTarGz) archive_write_add_filter_gzip(writer_.get());
    if (format == Format::kEncryptedZip) {
      archive_write_set_options(writer_.get(), "zip:encryption=zipcrypt");
      archive_write_set_passphrase(writer_.get(), "secret");
    }
    archive_write_set_bytes_in_last_block(writer_.get(), 1);
    const auto append = [](archive*, void* bytes, const void* from, std::size_t size) {
      static_cast<std::string*>(bytes)->append(static_cast<const char*>(from), size);
      return static_cast<la_ssize_t>(size);
    };
    archive_write_open(writer_.get(), &bytes_, nullptr, append, nullptr);
  }

  ArchiveMaker& add(const Entry& what) {
    begin(what, what.text.size());
    write(what.text);
    return *this;
  }

  /// `size` zero bytes, which compress to next to nothing.
  ArchiveMaker& add_zeros(const std::string& name, std::size_t size) {
    begin({name}, size);
    const std::string block(std::size_t{1} << 20, '\0');
    for (std::size_t done = 0; done < size; done += block.size()) {
      write(std::string_view(block).substr(0, size - done));
    }
    return *this;
  }

  std::string finish() {
    EXPECT_EQ(archive_write_close(writer_.get()), ARCHIVE_OK);
    return bytes_;
  }

 private:
  void begin(const Entry& what, std::size_t size) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                         archive_entry_free);
    archive_entry_set_pathname(entry.get(), what.name.c_str());
    archive_entry_set_filetype(entry.get(), what.type);
    archive_entry_set_perm(entry.get(), 0644);
    if (what.written > 0) archive_entry_set_mtime(entry.get(), what.written, 0);
    if (what.type == AE_IFREG) archive_entry_set_size(entry.get(), static_cast<la_int64_t>(size));
    if (!what.link.empty()) archive_entry_set_symlink(entry.get(), what.link.c_str());
    if (!what.hard_link.empty()) archive_entry_set_hardlink(entry.get(), what.hard_link.c_str());
    EXPECT_GE(archive_write_header(writer_.get(), entry.get()), ARCHIVE_WARN)
        << archive_error_string(writer_.get());
  }
  void write(std::string_view text) {
    if (!text.empty()) archive_write_data(writer_.get(), text.data(), text.size());
  }

  std::string bytes_;
  std::unique_ptr<archive, int (*)(archive*)> writer_;
};

inline std::string make_archive(Format format, const std::vector<Entry>& entries) {
  ArchiveMaker maker(format);
  for (const Entry& entry : entries) maker.add(entry);
  return maker.finish();
}

}  // namespace nibble::intake
