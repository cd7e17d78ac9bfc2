// Takes orders from a pipe: sets a problem up, runs it cold or
// warm, checks it, and answers with a time.
#include "server.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "messages.hpp"
#include "read.hpp"

namespace nibble::peers {
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

std::unique_ptr<Peer> open(const Contender& contender, const std::filesystem::path& folder) {
  void* const plugin = dlopen((folder / contender.plugin).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) throw std::runtime_error(dlerror());
  auto* const open_peer = reinterpret_cast<OpenPeer*>(dlsym(plugin, "open_peer"));
  if (open_peer == nullptr) throw std::runtime_error(dlerror());
  return std::unique_ptr<Peer>(open_peer(contender.variant.c_str()));
}

/// What a model's other layers do to the caches.
void forget_caches() {
  static const Lines<std::int8_t> other(std::size_t{96} << 20, 1);
  read_all(other);
}

Sample time_cold(Peer& peer, Operation work, int calls) {
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

Sample time_warm(Peer& peer, Operation work, int calls) {
  if (calls > 1) peer.run(work);  // others ran in between
  const double wall = now(), cpu = cpu_now();
  for (int call = 0; call < calls; ++call) peer.run(work);
  return {(now() - wall) / calls, (cpu_now() - cpu) / calls};
}

/// The contender's side of the pipes.
class Server {
 public:
  Server(const Contender& contender, const std::filesystem::path& folder)
      : peer_(open(contender, folder)) {}

  Reply answer(const PeerRequest& request) {
    Reply reply{.yes = true};
    switch (request.question) {
      case Question::kSetup:
        problem_ = request.problem;
        peer_->setup(problem_);
        break;
      case Question::kCan:
        reply.yes = peer_->can(request.work);
        break;
      case Question::kAbout:
        say(reply, peer_->about());
        break;
      case Question::kCheck:
        check(request, reply);
        break;
      case Question::kTime:
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
  void check(const PeerRequest& request, Reply& reply) {
    constexpr double kLong = 0.5;  // seconds
    reply.sample = time_warm(*peer_, request.work, 1);
    if (reply.sample.wall < kLong) reply.sample = time_warm(*peer_, request.work, 1);
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

}  // namespace

void serve(const Contender& contender, const std::filesystem::path& folder, int requests,
           int replies) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!contender.cap.empty()) setenv("ONEDNN_MAX_CPU_ISA", contender.cap.c_str(), 1);
  try {
    Server server(contender, folder);
    PeerRequest request{};
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

}  // namespace nibble::peers
