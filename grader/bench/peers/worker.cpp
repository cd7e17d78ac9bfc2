#include "worker.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "server.hpp"

namespace nibble::peers {

Worker::Worker(const Contender& contender, const std::filesystem::path& folder) {
  if (!exists(folder / contender.plugin)) {
    absent_ = "not here";
    return;
  }
  std::array<int, 2> there{}, back{};
  if (pipe(there.data()) != 0 || pipe(back.data()) != 0) throw std::runtime_error("no pipe");
  child_ = fork();
  if (child_ < 0) throw std::runtime_error("no process");
  if (child_ == 0) {
    close(there[1]);
    close(back[0]);
    serve(contender, folder, there[0], back[1]);
  }
  close(there[0]);
  close(back[1]);
  requests_ = there[1];
  replies_ = back[0];
  Reply opened{};
  if (!read_whole(replies_, opened)) {
    absent_ = "ended while it was opened";
  } else if (!opened.yes) {
    absent_ = opened.text.data();
  }
  kill(child_, SIGSTOP);
}

Worker::~Worker() {
  if (child_ < 0) return;
  close(requests_);
  close(replies_);
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

/// Only one contender runs at a time: the others stand still, spinning threads and all.
Reply Worker::ask(const Request& request) {
  kill(child_, SIGCONT);
  Reply reply{};
  if (!write_whole(requests_, request) || !read_whole(replies_, reply)) {
    absent_ = "ended by itself";
    throw std::runtime_error(absent_);
  }
  kill(child_, SIGSTOP);
  return reply;
}

std::string Worker::setup(const Problem& problem) {
  const Reply reply = ask({.order = Order::kSetup, .problem = problem});
  return reply.yes ? "" : reply.text.data();
}

bool Worker::can(Work work) { return ask({.order = Order::kCan, .work = work}).yes; }

std::string Worker::about() { return ask({.order = Order::kAbout}).text.data(); }

Worker::Trial Worker::check(Work work, const std::int32_t* sums) {
  const Reply reply = ask({.order = Order::kCheck, .work = work, .sums = sums});
  if (!reply.yes) throw std::runtime_error(reply.text.data());
  return {reply.comparison, reply.sample};
}

Sample Worker::time(Work work, int calls) {
  return ask({.order = Order::kTime, .work = work, .calls = calls}).sample;
}

}  // namespace nibble::peers
