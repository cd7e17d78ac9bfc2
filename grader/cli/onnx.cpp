// nibble onnx FILE: a model as a list, to see what was written, whoever wrote it.
#include <filesystem>
#include <ostream>
#include <span>
#include <string>

#include "cli/commands.hpp"
#include "cli/trouble.hpp"
#include "files/files.hpp"
#include "onnx/listing.hpp"

namespace nibble::cli {

int onnx_command(Context& context, const std::string& file) {
  if (!std::filesystem::is_regular_file(file)) throw usage(file + " is no file");
  const std::string text = files::read_file(file);
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  try {
    for (const std::string& line : onnx::listing(onnx::read_onnx(bytes))) {
      context.out << line << '\n';
    }
  } catch (const onnx::BadBytes& bad) {
    throw usage(file + " is no ONNX model, or is damaged: " + bad.what());
  }
  return kPassed;
}

}  // namespace nibble::cli
