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

/// Calls exercise `function`; an exception becomes a status and a text.
void perform(std::uint32_t function, std::byte* inputs, std::byte* outputs, Answer& answer) {
  const auto failed = [&](Status status, std::string_view text) {
    answer.status = status;
    set_text(answer, text);
  };
  try {
    exercises()[function](inputs, outputs);
    answer.status = Status::kReturned;
  } catch (const NotImplemented& error) {
    failed(Status::kNotImplemented, error.what());
  } catch (const std::invalid_argument& error) {
    failed(Status::kInvalidArgument, error.what());
  } catch (const std::bad_alloc& error) {
    failed(Status::kOutOfMemory, error.what());
  } catch (const protocol::TooLarge& error) {
    failed(Status::kResultTooLarge, error.what());
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
      perform(request.function, inputs, outputs, answer);
      std::fflush(stdout);  // what was printed belongs to this call
    }
    if (send(socket, &answer, sizeof answer, 0) != sizeof answer) return;
  }
}

}  // namespace nibble::runner
