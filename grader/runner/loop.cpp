#include "runner/loop.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

#include "nibble/check.hpp"
#include "protocol/message.hpp"
#include "runner/kernel_session.hpp"
#include "runner/serve.hpp"

namespace nibble::runner {
namespace {

using protocol::Answer;
using protocol::Request;
using protocol::Status;

void set_text(Answer& answer, std::string_view text) {
  const std::size_t size = std::min(text.size(), sizeof answer.text);
  std::copy_n(text.begin(), size, answer.text);
}

/// What a CUDA lab wants done before and after a call; nothing in the others.
class Kernels {
 public:
  Kernels(const Request& request, std::byte* outputs) {
    if (begin_kernels != nullptr) begin_kernels(request, outputs);
  }
  ~Kernels() {
    if (end_kernels != nullptr) end_kernels();
  }
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;
};

/// Calls the exercise that is asked for; an exception becomes a status and a text.
void perform(const Request& request, std::byte* inputs, std::byte* outputs, Answer& answer) {
  const auto failed = [&](Status status, std::string_view text) {
    answer.status = status;
    set_text(answer, text);
  };
  try {
    const Kernels around(request, outputs);
    exercises()[request.function](inputs, outputs);
    answer.status = Status::kReturned;
  } catch (const NotImplemented& error) {
    failed(Status::kNotImplemented, error.what());
  } catch (const std::invalid_argument& error) {
    failed(Status::kInvalidArgument, error.what());
  } catch (const std::bad_alloc& error) {
    failed(Status::kOutOfMemory, error.what());
  } catch (const protocol::TooLarge& error) {
    failed(Status::kResultTooLarge, error.what());
  } catch (const LaunchRefused& error) {
    failed(Status::kLaunchRefused, error.what());
  } catch (const std::exception& error) {
    failed(Status::kOtherException, error.what());
  } catch (...) {
    failed(Status::kOtherException, "something that is not a std::exception");
  }
}

}  // namespace

void serve_requests(int socket, std::byte* inputs, std::byte* outputs) {
  Request request{};
  while (recv(socket, &request, sizeof request, 0) == sizeof request) {
    Answer answer{};
    answer.nonce = request.nonce;
    if (request.function < exercises().size()) {
      perform(request, inputs, outputs, answer);
      std::fflush(stdout);  // what was printed belongs to this call
    }
    if (send(socket, &answer, sizeof answer, 0) != sizeof answer) return;
  }
}

}  // namespace nibble::runner
