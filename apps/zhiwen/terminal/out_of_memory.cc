#include "terminal/out_of_memory.h"

#include <malloc.h>
#include <unistd.h>

#include <new>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {
namespace {

int exit_status = 0;  // set ahead of time, because nothing below may allocate

void HandleOutOfMemory() {
  constexpr std::string_view kMessage =
      "zhiwen: out of memory; use fewer --threads or split the input\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  ::_exit(exit_status);
}

}  // namespace

void ExitWhenOutOfMemory() {
  exit_status = TraitsOf(ErrorCode::kExhausted).exit_status;
  std::set_new_handler(HandleOutOfMemory);
}

void GiveFreedMemoryBack() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 2 << 20);
#endif
}

}  // namespace zhiwen
