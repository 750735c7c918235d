#include "signals.h"

#include <unistd.h>

#include <csignal>

namespace zhiwen {
namespace {

constexpr int kSignalStatus = 128;  // the shells' convention: 128 + the number of the signal

Cancellation* stop_request = nullptr;

void HandleStop(int signal) {
  if (stop_request->requested()) _exit(kSignalStatus + signal);
  stop_request->Request(signal == SIGINT ? ErrorCode::kInterrupted : ErrorCode::kTerminated);
}

}  // namespace

void StopOnSignals(Cancellation& cancellation) {
  stop_request = &cancellation;
  struct sigaction action {};
  action.sa_handler = HandleStop;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace zhiwen
