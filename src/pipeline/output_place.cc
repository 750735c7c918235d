#include "pipeline/output_place.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

namespace zhiwen {

namespace fs = std::filesystem;

fs::path ResolvedPath(const std::string& path) {
  std::error_code failed;
  const fs::path resolved = fs::weakly_canonical(AbsolutePath(path), failed);
  return failed ? AbsolutePath(path) : resolved;
}

bool IsInside(const fs::path& path, const fs::path& folder) {
  const auto [stop, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return stop == folder.end();
}

fs::path AbsolutePath(const std::string& path) {
  std::error_code ignored;
  fs::path absolute = fs::absolute(path, ignored).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

Status CheckOutside(const std::string& path, const std::string& output, std::string_view kind) {
  if (!IsInside(ResolvedPath(path), ResolvedPath(output))) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("the {} \"{}\" lies inside the output folder \"{}\", which the run "
                          "replaces; choose another output",
                          kind, path, output));
}

Status CheckApart(const std::string& input, bool is_folder, const std::string& output) {
  ZHIWEN_RETURN_IF_ERROR(CheckOutside(input, output, "input"));
  if (is_folder && IsInside(ResolvedPath(output), ResolvedPath(input))) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("the output \"{}\" lies inside the input folder \"{}\"; choose a "
                            "folder outside of it",
                            output, input));
  }
  return {};
}

}  // namespace zhiwen
