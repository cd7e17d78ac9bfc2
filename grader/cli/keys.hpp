// Single keys, where there is a terminal to press them on.
#pragma once

#include <termios.h>

namespace nibble::cli {

class Keys {
 public:
  Keys();   ///< takes the terminal out of its line-by-line mode, if there is one
  ~Keys();  ///< and puts it back
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  bool present() const { return present_; }

  /// The next key, 0 when none was pressed. Never waits.
  char next();

  int descriptor() const { return present_ ? 0 : -1; }

 private:
  bool present_ = false;
  termios before_{};
};

}  // namespace nibble::cli
