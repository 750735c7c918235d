#ifndef ZHIWEN_APPS_ZHIWEN_FILE_LIST_H_
#define ZHIWEN_APPS_ZHIWEN_FILE_LIST_H_

#include <string>
#include <string_view>
#include <vector>

namespace zhiwen {

// The paths of a list of files, one a line, LF or CRLF; or, where the list holds a NUL, one before
// each NUL, as `find -print0` writes them, with whatever else is in them. Empty ones do not count.
std::vector<std::string> SplitFileList(std::string_view list);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_FILE_LIST_H_
