#include "commands/file_list.h"

#include <algorithm>

namespace zhiwen {

std::vector<std::string> SplitFileList(std::string_view list) {
  const bool has_nul = list.find('\0') != std::string_view::npos;
  const char separator = has_nul ? '\0' : '\n';
  std::vector<std::string> paths;
  while (!list.empty()) {
    const size_t end = std::min(list.find(separator), list.size());
    std::string_view path = list.substr(0, end);
    if (!has_nul && path.ends_with('\r')) path.remove_suffix(1);
    if (!path.empty()) paths.emplace_back(path);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return paths;
}

}  // namespace zhiwen
