#ifndef ZHIWEN_BASE_FILES_POSIX_ERROR_H_
#define ZHIWEN_BASE_FILES_POSIX_ERROR_H_

// Turns errno into an Error. This is the only place that decides the code of a failed system call.

#include <string>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

// Returns the failure for system error `number`. `action` is what was attempted ("write") on
// `path`. The message says what to do next where something can be done.
//
//   no space, quota, file size limit → kExhausted     nothing there → kNotFound
//   memory, open files               → kExhausted     something in the way → kConflict
//   everything else (permission, a folder, I/O errors) → kUnreadable
tl::unexpected<Error> FailPosix(std::string_view action, const std::string& path, int number);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_FILES_POSIX_ERROR_H_
