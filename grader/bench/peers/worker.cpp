#include "worker.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <stdexcept>
#include <utility>

#include "process/pipes.hpp"
#include "process/spawn.hpp"
#include "server.hpp"

namespace nibble::peers {

Worker::Worker(const Contender& contender, const std::filesystem::path& folder) {
  if (!exists(folder / contender.plugin)) {
    absent_ = "not here";
    return;
  }
  process::Pipe there = process::make_pipe(), back = process::make_pipe();
  child_ = process::fork_to([&] {
    there.write_end = process::Descriptor();
    back.read_end = process::Descriptor();
    serve(contender, folder, there.read_end.get(), back.write_end.get());
  });
  requests_ = std::move(there.write_end);
  replies_ = std::move(back.read_end);
  there.read_end = process::Descriptor();
  back.write_end = process::Descriptor();
  Reply opened{};
  if (!read_whole(replies_.get(), opened)) {
    absent_ = "ended while it was opened";
  } else if (!opened.yes) {
    absent_ = opened.text.data();
  }
  kill(child_, SIGSTOP);
}

Worker::~Worker() {
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

/// Only one contender runs at a time: the others stand still, spinning threads and all.
Reply Worker::ask(const PeerRequest& request) {
  kill(child_, SIGCONT);
  Reply reply{};
  if (!write_whole(requests_.get(), request) || !read_whole(replies_.get(), reply)) {
    absent_ = "ended by itself";
    throw std::runtime_error(absent_);
  }
  kill(child_, SIGSTOP);
  return reply;
}

std::string Worker::setup(const Problem& problem) {
  const Reply reply = ask({.question = Question::kSetup, .problem = problem});
  return reply.yes ? "" : reply.text.data();
}

bool Worker::can(Operation work) { return ask({.question = Question::kCan, .work = work}).yes; }

std::string Worker::about() { return ask({.question = Question::kAbout}).text.data(); }

Worker::Trial Worker::check(Operation work, const std::int32_t* sums) {
  const Reply reply = ask({.question = Question::kCheck, .work = work, .sums = sums});
  if (!reply.yes) throw std::runtime_error(reply.text.data());
  return {reply.comparison, reply.sample};
}

Sample Worker::time(Operation work, int calls) {
  return ask({.question = Question::kTime, .work = work, .calls = calls}).sample;
}

}  // namespace nibble::peers
