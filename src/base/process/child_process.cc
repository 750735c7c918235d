#include "base/process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/files/posix_error.h"

namespace zhiwen {
namespace {

constexpr size_t kMostErrorBytes = 4096;
constexpr rlim_t kMostOpenFiles = 64;
constexpr int kInputNumber = 3;    // as kChildInput says
constexpr int kAboveNumbers = 16;  // where a descriptor waits until its number is free
constexpr int kNotStarted = 127;

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { Close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void Close() {
    if (is_open()) close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read, write;
};

Result<Pipe> MakePipe(const std::string& program) {
  std::array<int, 2> ends = {};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return FailPosix("start", program, errno);
  return Pipe{.read = Descriptor(ends[0]), .write = Descriptor(ends[1])};
}

// The file that holds `input`, in memory.
Result<Descriptor> FileOf(std::string_view input, const std::string& program) {
  Descriptor file(memfd_create("document", MFD_CLOEXEC));
  if (!file.is_open()) return FailPosix("start", program, errno);
  while (!input.empty()) {
    const ssize_t written = write(file.number(), input.data(), input.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return FailPosix("give the document to", program, errno);
    input.remove_prefix(static_cast<size_t>(written));
  }
  if (lseek(file.number(), 0, SEEK_SET) != 0) {
    return FailPosix("give the document to", program, errno);
  }
  return file;
}

// The path of `program` in the folders of PATH; empty where none of them has it.
std::string FindProgram(const std::string& program) {
  if (program.starts_with('/')) return access(program.c_str(), X_OK) == 0 ? program : "";
  const char* const variable = std::getenv("PATH");
  for (std::string_view rest = variable == nullptr ? "/usr/bin:/bin" : variable; !rest.empty();) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const std::string_view folder = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!folder.starts_with('/')) continue;  // what the current folder has is not to be run
    std::string path = fmt::format("{}/{}", folder, program);
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

// All that the child needs, made before there is a child: between fork and exec a process of
// several threads may neither allocate nor lock.
struct Start {
  std::string path;
  std::vector<char*> arguments, environment;
  int input = -1, output = -1, errors = -1;
  ChildLimits limits;
};

void Limit(decltype(RLIMIT_CPU) resource, rlim_t most) {
  const rlimit limit = {.rlim_cur = most, .rlim_max = most};
  setrlimit(resource, &limit);
}

void LimitSelf(const ChildLimits& limits) {
  const auto seconds = static_cast<rlim_t>(limits.processor_time.count());
  const rlimit processor = {.rlim_cur = seconds, .rlim_max = seconds + 1};  // first SIGXCPU
  setrlimit(RLIMIT_CPU, &processor);
  Limit(RLIMIT_AS, limits.memory_bytes);
  Limit(RLIMIT_FSIZE, 0);
  Limit(RLIMIT_NOFILE, kMostOpenFiles);
  Limit(RLIMIT_CORE, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // Not every kernel lets everybody do this; the other limits hold all the same.
  (void)unshare(CLONE_NEWUSER | CLONE_NEWNET);
}

// After the change of user, which forgets this.
void DieWith(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNotStarted);
}

// Makes descriptors 0 to 3 those of the child, and closes all others.
bool PlaceDescriptors(const Start& start) {
  const std::array<int, 4> wanted = {start.input, start.output, start.errors, start.input};
  std::array<int, 4> waiting = {};
  for (size_t i = 0; i < wanted.size(); ++i) {
    waiting[i] = fcntl(wanted[i], F_DUPFD, kAboveNumbers);
    if (waiting[i] < 0) return false;
  }
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (dup2(waiting[i], static_cast<int>(i)) < 0) return false;
  }
  return close_range(kInputNumber + 1, ~0U, 0) == 0;
}

// Only async-signal-safe calls.
[[noreturn]] void BecomeProgram(const Start& start, pid_t parent) {
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXCPU, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (!PlaceDescriptors(start) || chdir("/") != 0) _exit(kNotStarted);
  LimitSelf(start.limits);
  DieWith(parent);
  execve(start.path.c_str(), start.arguments.data(), start.environment.data());
  _exit(kNotStarted);
}

using Time = std::chrono::steady_clock::time_point;

int MillisecondsUntil(Time end) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 1 << 30));
}

// Reads once. Closes `from` at its end. Returns whether more than `most` bytes came, which `out`
// does not hold.
bool ReadSome(Descriptor& from, size_t most, std::string& out) {
  std::array<char, 1 << 16> bytes;
  const ssize_t count = read(from.number(), bytes.data(), bytes.size());
  if (count < 0 && errno == EINTR) return false;
  if (count <= 0) {
    from.Close();
    return false;
  }
  const size_t fits = std::min(static_cast<size_t>(count), most - out.size());
  out.append(bytes.data(), fits);
  return fits < static_cast<size_t>(count);
}

// Reads until the child closes both pipes. Returns why the child has to be ended, or kExited.
ChildEnd ReadOutput(Descriptor& output, Descriptor& errors, const ChildLimits& limits, Time end,
                    ChildOutput& out) {
  while (output.is_open() || errors.is_open()) {
    std::array<pollfd, 2> waits = {{{.fd = output.number(), .events = POLLIN, .revents = 0},
                                    {.fd = errors.number(), .events = POLLIN, .revents = 0}}};
    const int ready = poll(waits.data(), waits.size(), MillisecondsUntil(end));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return ChildEnd::kTimedOut;
    if (waits[0].revents != 0 && ReadSome(output, limits.output_bytes, out.output)) {
      return ChildEnd::kTooMuchOut;
    }
    if (waits[1].revents != 0) ReadSome(errors, kMostErrorBytes, out.errors);
  }
  return ChildEnd::kExited;
}

// Waits until the child has ended, or until `end`. Returns whether it has ended. It is not reaped:
// as long as it is there nobody else has its number.
bool WaitForEnd(pid_t child, Time end) {
  constexpr int kLongestPause = 50;
  for (int pause = 1;; pause = std::min(2 * pause, kLongestPause)) {
    siginfo_t info = {};
    const int done = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
    if (done == 0 && info.si_pid == child) return true;
    const int left = MillisecondsUntil(end);
    if (left == 0) return false;
    poll(nullptr, 0, std::min(pause, left));
  }
}

// Ends the child with all that it started, and returns its status as waitpid() gives it.
int End(pid_t child) {
  kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

ChildOutput Wait(pid_t child, Descriptor output, Descriptor errors, const ChildLimits& limits) {
  ChildOutput out;
  const Time end = std::chrono::steady_clock::now() + limits.time;
  out.end = ReadOutput(output, errors, limits, end, out);
  if (out.end == ChildEnd::kExited && !WaitForEnd(child, end)) out.end = ChildEnd::kTimedOut;
  const int status = End(child);
  if (out.end != ChildEnd::kExited) return out;
  out.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  if (!WIFSIGNALED(status)) return out;
  out.end = out.status == SIGXCPU ? ChildEnd::kTimedOut : ChildEnd::kSignal;
  return out;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Result<ChildOutput> RunChild(const ChildCommand& command) {
  Start start{.path = FindProgram(command.program),
              .arguments = {},
              .environment = {},
              .limits = command.limits};
  if (start.path.empty()) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("cannot run {}: no folder of PATH has it", command.program));
  }
  std::vector<std::string> arguments = {command.program};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> environment = {"LANG=C.UTF-8", "PATH=/usr/bin:/bin"};
  start.arguments = Pointers(arguments);
  start.environment = Pointers(environment);
  ZHIWEN_ASSIGN_OR_RETURN(const Descriptor input, FileOf(command.input, command.program));
  ZHIWEN_ASSIGN_OR_RETURN(Pipe output, MakePipe(command.program));
  ZHIWEN_ASSIGN_OR_RETURN(Pipe errors, MakePipe(command.program));
  start.input = input.number();
  start.output = output.write.number();
  start.errors = errors.write.number();
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child < 0) return FailPosix("start", command.program, errno);
  if (child == 0) BecomeProgram(start, self);
  setpgid(child, child);  // here too: whoever is first
  output.write.Close();
  errors.write.Close();
  return Wait(child, std::move(output.read), std::move(errors.read), command.limits);
}

}  // namespace zhiwen
