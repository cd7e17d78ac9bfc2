// nibble glyphs: the images that the networks of the later labs learn, to look at.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <string>

#include "cli/commands.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "nibble/net/glyphs.hpp"
#include "nibble/net/idx.hpp"
#include "report/image_sheet.hpp"

namespace nibble::cli {
namespace {

namespace fs = std::filesystem;

Images some_images(const GlyphsOptions& options) {
  const auto count = static_cast<std::size_t>(options.count);
  if (options.mnist.empty()) return make_glyphs(count, options.seed);
  try {
    Images all = read_mnist(options.mnist, "t10k");
    all.labels.resize(std::min(all.size(), count));
    all.pixels.resize(all.size() * all.pixels_each());
    return all;
  } catch (const BadIdx& error) {
    throw Trouble(kUsage, error.what());
  }
}

}  // namespace

int glyphs_command(Context& context, const GlyphsOptions& options) {
  const Images images = some_images(options);
  Images shown = images;  // what a screen holds
  shown.labels.resize(std::min<std::size_t>(images.size(), 10));
  context.out << report::dotted_sheet(shown);
  const fs::path usual = fs::path(".nibble") / "glyphs.bmp";
  files::write_atomically(
      options.picture.empty() ? context.kit.root / usual : fs::path(options.picture),
      report::bitmap_sheet(images));
  context.out << fmt::format("wrote  {}   {} images\n",
                             options.picture.empty() ? usual.string() : options.picture,
                             images.size());
  return kPassed;
}

}  // namespace nibble::cli
