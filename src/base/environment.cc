#include "zhiwen/environment.h"

#include <ctime>

namespace zhiwen {
namespace {

std::chrono::nanoseconds Read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

class PosixClock final : public Clock {
 public:
  std::chrono::nanoseconds Monotonic() const override { return Read(CLOCK_MONOTONIC); }
  std::chrono::nanoseconds ProcessorTime() const override { return Read(CLOCK_PROCESS_CPUTIME_ID); }
  std::chrono::sys_seconds Now() const override {
    return std::chrono::sys_seconds(
        std::chrono::duration_cast<std::chrono::seconds>(Read(CLOCK_REALTIME)));
  }
};

class SilentProgress final : public ProgressSink {
 public:
  void Advance(Stage, uint64_t, uint64_t) override {}
};

class SilentLog final : public LogSink {
 public:
  void Warn(std::string_view) override {}
};

}  // namespace

const Clock& SystemClock() {
  static const PosixClock clock;
  return clock;
}

Status Cancellation::Check() const {
  const int code = code_.load(std::memory_order_relaxed);
  if (code < 0) return {};
  const auto requested = static_cast<ErrorCode>(code);
  return Fail(requested, requested == ErrorCode::kTerminated ? "terminated" : "interrupted");
}

ProgressSink& NoProgress() {
  static SilentProgress progress;
  return progress;
}

LogSink& NoLog() {
  static SilentLog log;
  return log;
}

}  // namespace zhiwen
