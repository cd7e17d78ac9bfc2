#include "worker.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "read.hpp"

namespace nibble::peers {

enum class Order : std::int32_t { kSetup, kCan, kAbout, kCheck, kTime };

struct Request {
  Order order = Order::kAbout;
  Work work = Work::kMultiply;
  Problem problem{};
  const std::int32_t* sums = nullptr;
  int calls = 0;
};

struct Reply {
  bool yes = false;
  Comparison comparison{};
  double seconds = 0;
  Sample sample{};
  std::array<char, 256> text{};  // ends with a zero
};

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// CPU time of all threads of this process.
double cpu_now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

template <typename T>
bool read_whole(int from, T& value) {
  auto* bytes = reinterpret_cast<char*>(&value);
  for (std::size_t done = 0; done < sizeof value;) {
    const ssize_t count = read(from, bytes + done, sizeof value - done);
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
    if (count > 0) done += std::size_t(count);
  }
  return true;
}

/// Both messages are smaller than PIPE_BUF, so a write is never partial.
template <typename T>
bool write_whole(int to, const T& value) {
  return write(to, &value, sizeof value) == ssize_t{sizeof value};
}

std::unique_ptr<Peer> open(const Contender& contender, const std::filesystem::path& folder) {
  void* const plugin = dlopen((folder / contender.plugin).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) throw std::runtime_error(dlerror());
  auto* const open_peer = reinterpret_cast<OpenPeer*>(dlsym(plugin, "open_peer"));
  if (open_peer == nullptr) throw std::runtime_error(dlerror());
  return std::unique_ptr<Peer>(open_peer(contender.variant.c_str()));
}

bool is_cold(Work work) { return work == Work::kGemvInt8 || work == Work::kGemvInt4; }

/// What a model's other layers do to the caches.
void forget_caches() {
  static const Lines<std::int8_t> other(std::size_t{96} << 20, 1);
  read_all(other);
}

Sample time_cold(Peer& peer, Work work, int calls) {
  Sample sum;
  for (int call = 0; call < calls; ++call) {
    forget_caches();
    const double wall = now(), cpu = cpu_now();
    peer.run(work);
    sum.cpu += cpu_now() - cpu;
    sum.wall += now() - wall;
  }
  return {sum.wall / calls, sum.cpu / calls};
}

Sample time_warm(Peer& peer, Work work, int calls) {
  if (calls > 1) peer.run(work);  // others ran in between
  const double wall = now(), cpu = cpu_now();
  for (int call = 0; call < calls; ++call) peer.run(work);
  return {(now() - wall) / calls, (cpu_now() - cpu) / calls};
}

double time_one(Peer& peer, Work work) {
  const double begin = now();
  peer.run(work);
  return now() - begin;
}

/// The contender's side of the pipes.
class Server {
 public:
  Server(const Contender& contender, const std::filesystem::path& folder)
      : peer_(open(contender, folder)) {}

  Reply answer(const Request& request) {
    Reply reply{.yes = true};
    switch (request.order) {
      case Order::kSetup:
        problem_ = request.problem;
        peer_->setup(problem_);
        break;
      case Order::kCan:
        reply.yes = peer_->can(request.work);
        break;
      case Order::kAbout:
        say(reply, peer_->about());
        break;
      case Order::kCheck:
        check(request, reply);
        break;
      case Order::kTime:
        reply.sample = is_cold(request.work) ? time_cold(*peer_, request.work, request.calls)
                                             : time_warm(*peer_, request.work, request.calls);
        break;
    }
    return reply;
  }

  static void say(Reply& reply, std::string_view text) {
    text.copy(reply.text.data(), reply.text.size() - 1);
  }

 private:
  void check(const Request& request, Reply& reply) {
    constexpr double kLong = 0.5;  // seconds
    reply.seconds = time_one(*peer_, request.work);
    if (reply.seconds < kLong) reply.seconds = time_one(*peer_, request.work);
    reply.comparison = compare(problem_, request.work, request.sums, peer_->is_exact(),
                               peer_->output(request.work));
  }

  std::unique_ptr<Peer> peer_;
  Problem problem_;
};

Reply refusal(const std::exception& error) {
  Reply reply{.yes = false};
  Server::say(reply, error.what());
  return reply;
}

/// Says first whether the contender could be opened, then answers until nobody asks any more.
[[noreturn]] void serve(const Contender& contender, const std::filesystem::path& folder,
                        int requests, int replies) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!contender.cap.empty()) setenv("ONEDNN_MAX_CPU_ISA", contender.cap.c_str(), 1);
  try {
    Server server(contender, folder);
    Request request{};
    for (Reply reply{.yes = true}; write_whole(replies, reply) && read_whole(requests, request);) {
      try {
        reply = server.answer(request);
      } catch (const std::exception& error) {
        reply = refusal(error);
      }
    }
  } catch (const std::exception& error) {
    write_whole(replies, refusal(error));
  }
  _exit(0);
}

}  // namespace

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
  return {reply.comparison, reply.seconds};
}

Sample Worker::time(Work work, int calls) {
  return ask({.order = Order::kTime, .work = work, .calls = calls}).sample;
}

}  // namespace nibble::peers
