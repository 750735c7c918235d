#include "terminal/standard_input.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include <fmt/format.h>

namespace zhiwen {
namespace {

constexpr size_t kReadBytes = size_t{1} << 20;

constexpr size_t kMostReady = size_t{64} << 10;
constexpr int kWaitMilliseconds = 100;  // between two checks of the cancellation

// Returns whether bytes or the end can be read within this time.
bool WaitFor(int milliseconds) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, milliseconds) > 0;
}

class StandardInput : public ReadableFile {
 public:
  explicit StandardInput(const Cancellation& cancellation) : cancellation_(cancellation) {}

  Result<size_t> ReadAt(uint64_t offset, std::span<char> out) const override {
    if (offset != position_) {
      return Fail(ErrorCode::kInternal, "standard input was read out of order");
    }
    size_t count = 0;
    while (count < out.size()) {
      ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
      if (!WaitFor(kWaitMilliseconds)) continue;
      const ssize_t got = read(STDIN_FILENO, out.data() + count, out.size() - count);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) {
        return Fail(ErrorCode::kUnreadable,
                    fmt::format("cannot read standard input: {}", std::strerror(errno)));
      }
      if (got == 0) break;
      count += static_cast<size_t>(got);
    }
    position_ += count;
    return count;
  }
  Result<FileIdentity> Identity() const override { return FileIdentity(); }
  const std::string& path() const override { return path_; }

 private:
  const Cancellation& cancellation_;
  mutable uint64_t position_ = 0;
  std::string path_ = "standard input";
};

}  // namespace

std::unique_ptr<ReadableFile> OpenStandardInput(const Cancellation& cancellation) {
  return std::make_unique<StandardInput>(cancellation);
}

bool StandardInputArrives() {
  struct stat status {};
  return fstat(STDIN_FILENO, &status) == 0 && !S_ISREG(status.st_mode);
}

size_t StandardInputReady() {
  int bytes = 0;
  if (ioctl(STDIN_FILENO, FIONREAD, &bytes) != 0) return 0;
  return std::min(static_cast<size_t>(std::max(bytes, 0)), kMostReady);
}

Result<bool> AwaitStandardInput(const Cancellation& cancellation,
                                std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kStep(kWaitMilliseconds);
  while (true) {
    ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
    if (WaitFor(static_cast<int>(std::min(patience, kStep).count()))) return true;
    if (patience <= kStep) return false;
    patience -= kStep;
  }
}

Result<std::string> ReadInput(const std::string& path, uint64_t limit,
                              const Cancellation& cancellation) {
  if (path != kStandardInput) return ReadWholeFile(PosixFileSystem(), path, limit);
  const std::unique_ptr<ReadableFile> input = OpenStandardInput(cancellation);
  std::string bytes;
  while (true) {
    const size_t before = bytes.size();
    bytes.resize(before + kReadBytes);
    ZHIWEN_ASSIGN_OR_RETURN(
        const size_t count,
        input->ReadAt(before, std::span<char>(bytes.data() + before, kReadBytes)));
    bytes.resize(before + count);
    if (count < kReadBytes) return bytes;
    if (bytes.size() > limit) {
      return Fail(ErrorCode::kExhausted,
                  fmt::format("standard input is larger than {} bytes", limit));
    }
  }
}

}  // namespace zhiwen
