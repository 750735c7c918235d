#ifndef ZHIWEN_BASE_FILES_USER_LINES_H_
#define ZHIWEN_BASE_FILES_USER_LINES_H_

// Reads the lines of a file that a user wrote (zhiwen/user_file.h). All such formats use it.
//
// In          a whole file; a line ends with LF, and CRs before it do not count
// Guarantees  a line that is taken is UTF-8, not blank, and has no control characters, no white
//             space but spaces and tabs, and no byte order mark at its beginning
// Cost        linear; no copy
// Fails       kUnreadable, "FILE:LINE: what is wrong; what to do"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "zhiwen/result.h"
#include "zhiwen/user_file.h"

namespace zhiwen {

struct UserLine {
  std::string_view file;
  uint64_t number = 0;  // from 1
  std::string_view text;

  // Returns the error of the line; `what` says what is wrong and what to do.
  tl::unexpected<Error> Fault(std::string_view what) const;
};

// Whether a format has comments: lines that begin with '#' followed by a space, a tab or the line
// end. "#话题" is not a comment; it may be a word.
enum class UserComments : uint8_t { kNone, kHash };

// Visits the lines of `file` in order, without blank lines and comments. Fails also as `take` does.
Status ForEachUserLine(const UserFile& file, UserComments comments,
                       const std::function<Status(const UserLine& line)>& take);

// Returns `text` without the spaces and tabs at its ends.
std::string_view TrimBlanks(std::string_view text);

// Returns the words separated by spaces and tabs.
std::vector<std::string_view> SplitAtBlanks(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_FILES_USER_LINES_H_
