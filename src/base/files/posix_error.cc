#include "base/files/posix_error.h"

#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <system_error>

namespace zhiwen {
namespace {

struct Verdict {
  ErrorCode code;
  std::string_view advice;  // may be empty
};

Verdict VerdictOf(int number) {
  switch (number) {
    case ENOSPC:
      return {ErrorCode::kExhausted, "free some space, or write to another disk"};
    case EDQUOT:
      return {ErrorCode::kExhausted, "raise the quota, or write to another disk"};
    case EFBIG:
      return {ErrorCode::kExhausted, "raise the file size limit (ulimit -f)"};
    case EMFILE:
    case ENFILE:
      return {ErrorCode::kExhausted, "raise the limit of open files (ulimit -n)"};
    case ENOMEM:
      return {ErrorCode::kExhausted, ""};
    case ENOENT:
    case ENOTDIR:
      return {ErrorCode::kNotFound, "check the path"};
    case EEXIST:
    case ENOTEMPTY:
      return {ErrorCode::kConflict, "remove what is there or choose another path"};
    case EACCES:
    case EPERM:
      return {ErrorCode::kUnreadable, "check the permissions"};
    case EISDIR:
      return {ErrorCode::kUnreadable, "name a file, not a folder"};
    default:
      return {ErrorCode::kUnreadable, ""};
  }
}

}  // namespace

tl::unexpected<Error> FailPosix(std::string_view action, const std::string& path, int number) {
  const auto [code, advice] = VerdictOf(number);
  std::string cause = std::generic_category().message(number);
  cause[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(cause[0])));
  return Fail(code, fmt::format("cannot {} \"{}\": {}{}{}", action, path, cause,
                                advice.empty() ? "" : "; ", advice));
}

}  // namespace zhiwen
