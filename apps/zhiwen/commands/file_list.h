#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_FILE_LIST_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_FILE_LIST_H_

#include <string>
#include <string_view>
#include <vector>

namespace zhiwen {

// Splits a list of files into paths, one a line, ended by LF or CRLF. A list that contains a NUL is
// taken as output of `find -print0`: each path ends with a NUL and may contain line ends. Empty
// paths are left out.
std::vector<std::string> SplitFileList(std::string_view list);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_FILE_LIST_H_
