#include "cli/keys.hpp"

#include <poll.h>
#include <unistd.h>

namespace nibble::cli {

Keys::Keys() {
  if (isatty(STDIN_FILENO) != 1 || tcgetattr(STDIN_FILENO, &before_) != 0) return;
  termios single = before_;
  single.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // signals stay: Ctrl-C ends watch
  single.c_cc[VMIN] = 1;
  single.c_cc[VTIME] = 0;
  present_ = tcsetattr(STDIN_FILENO, TCSANOW, &single) == 0;
}

Keys::~Keys() {
  if (present_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

char Keys::next() {
  if (!present_) return 0;
  pollfd ready{STDIN_FILENO, POLLIN, 0};
  char key = 0;
  if (poll(&ready, 1, 0) != 1) return 0;
  if (read(STDIN_FILENO, &key, 1) == 1) return key;
  present_ = false;  // the terminal is gone
  return 0;
}

}  // namespace nibble::cli
