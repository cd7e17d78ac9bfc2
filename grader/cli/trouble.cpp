#include "cli/trouble.hpp"

#include <system_error>

#include "compile/toolchain.hpp"
#include "legs/run_legs.hpp"

namespace nibble::cli {

Trouble file_trouble(const std::filesystem::filesystem_error& error) {
  const std::string file = error.path1().string();
  const std::error_code code = error.code();
  if (code == std::errc::no_space_on_device) {
    return usage("the disk is full, " + file +
                 " could not be written: make room and try again; your own file is as it was");
  }
  if (code == std::errc::permission_denied || code == std::errc::read_only_file_system ||
      code == std::errc::operation_not_permitted) {
    return usage("not allowed to use " + file +
                 ": nibble keeps its notes in .nibble/ of the project; make that folder yours"
                 " (chown, chmod), or copy the project to a folder you can write");
  }
  if (code == std::errc::no_such_file_or_directory) {
    return usage(file +
                 " is not there: a file of the kit is missing; ./nibble builds the kit again");
  }
  if (code == std::errc::not_a_directory || code == std::errc::file_exists) {
    return usage("cannot use " + file +
                 ": something that is not a folder stands where a folder has to be; move it away");
  }
  return usage(file + ": " + code.message());
}

void rethrow_as_trouble() {
  try {
    throw;
  } catch (const Trouble&) {
    throw;
  } catch (const std::filesystem::filesystem_error&) {
    throw;
  } catch (const legs::NothingToJudge& nothing) {
    throw usage(nothing.what());
  } catch (const compile::CannotStart& error) {
    throw Trouble(kNotHere, std::string(error.what()) +
                                ": install it, or run ./nibble, which finds one and builds the kit"
                                " for it");
  } catch (const std::runtime_error& error) {
    throw kit_fault(error.what());
  }
}

}  // namespace nibble::cli
