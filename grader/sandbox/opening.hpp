// The channel on which a box says that it is closed and its program about to start. It is no exit
// status, for a submission can end with any: what breaks before the word is said is the kit's
// fault.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <stdexcept>

namespace nibble::sandbox {

/// What the launcher writes just before exec; anything else is the reason why there is no box.
inline constexpr char kReady = 'R';

/// The box could not be made: no submission's fault.
struct BoxBroke : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Opening {
 public:
  Opening();  ///< throws std::system_error
  ~Opening();
  Opening(const Opening&) = delete;
  Opening& operator=(const Opening&) = delete;

  int theirs() const { return theirs_; }  ///< close-on-exec; the launcher's end

  /// Called in the parent after fork. Waits until the program runs; its process, as seen from here:
  /// inside a box it has another number. Throws BoxBroke.
  pid_t wait(std::chrono::seconds longest = std::chrono::seconds(60));

 private:
  int ours_ = -1, theirs_ = -1;
};

}  // namespace nibble::sandbox
