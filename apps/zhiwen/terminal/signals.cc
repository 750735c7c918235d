#include "terminal/signals.h"

#include <unistd.h>

#include <csignal>

namespace zhiwen {
namespace {

constexpr int kSignalStatus = 128;  // the shells' convention: 128 + the number of the signal

Cancellation* stop_request = nullptr;
volatile std::sig_atomic_t hung_up = 0;

void HandleStop(int signal) {
  if (stop_request->requested()) {
    if (signal == SIGHUP) return;
    _exit(kSignalStatus + signal);
  }
  if (signal == SIGHUP) hung_up = 1;
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
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

int StatusAfterSignals(int status) {
  return hung_up != 0 && status == kSignalStatus + SIGTERM ? kSignalStatus + SIGHUP : status;
}

}  // namespace zhiwen
