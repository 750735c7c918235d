#ifndef ZHIWEN_BASE_PROCESS_CHILD_PROCESS_H_
#define ZHIWEN_BASE_PROCESS_CHILD_PROCESS_H_

// Programs of others that read a file for us, each in a process of its own.
//
// In          the name of a program, looked up in the folders of PATH, its arguments, and the bytes
//             of the file it reads. No shell sees any of them
// Out         what the program wrote, and how it ended
// Guarantees  the program cannot gain rights, dies with us, writes no file, and leaves nothing
//             behind: the bytes lie in memory, under a name that only the program sees. It has the
//             limits of ChildLimits, and no network where the kernel allows everybody to be without
// Cost        a process: some milliseconds, and a copy of the bytes
// Threads     any number of children at once, each started by the thread that waits for it
// Fails       RunChild: kNotFound: no such program in PATH · kExhausted: no memory, no process.
//             What the program itself does is a ChildEnd
// Not for     programs that ask something, or serve

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

// Stands for the name of the file among the arguments of a program.
inline constexpr std::string_view kChildInput = "/dev/fd/3";

struct ChildLimits {
  // A machine with much else to do takes longer for the same work, so that its own time decides.
  std::chrono::seconds processor_time{20};
  std::chrono::milliseconds time{60'000};
  size_t memory_bytes = size_t{1} << 30;
  size_t output_bytes = size_t{256} << 20;
};

struct ChildCommand {
  std::string program;                 // "pdftotext"; or its path from / on
  std::vector<std::string> arguments;  // kChildInput among them
  std::string_view input = {};         // the bytes of the file, also on standard input
  ChildLimits limits = {};
};

enum class ChildEnd : uint8_t {
  kExited,
  kSignal,      // it crashed, or the kernel ended it
  kTimedOut,    // and was ended
  kTooMuchOut,  // it wrote more than output_bytes, and was ended
};

struct ChildOutput {
  ChildEnd end = ChildEnd::kExited;
  int status = 0;      // of kExited: its exit status; of kSignal: the signal
  std::string output;  // at most output_bytes
  std::string errors;  // the beginning of what it said on standard error, at most 4 KiB
};

Result<ChildOutput> RunChild(const ChildCommand& command);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_PROCESS_CHILD_PROCESS_H_
