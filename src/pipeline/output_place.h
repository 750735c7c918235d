#ifndef ZHIWEN_PIPELINE_OUTPUT_PLACE_H_
#define ZHIWEN_PIPELINE_OUTPUT_PLACE_H_

// Keeps an output folder apart from what is read: a run would replace its inputs, or read what an
// earlier one wrote.
//
// Threads     free functions
// Fails       kInvalidArgument, naming both paths

#include <filesystem>
#include <string>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

// Absolute, without "." and ".."; a folder without its final slash.
std::filesystem::path AbsolutePath(const std::string& path);

// The same with symbolic links followed, as far as the path exists.
std::filesystem::path ResolvedPath(const std::string& path);

// Whether a path is the folder, or below it; both are absolute.
bool IsInside(const std::filesystem::path& path, const std::filesystem::path& folder);

// Fails where a path lies inside the output folder. Messages call it a `kind`: "input".
Status CheckOutside(const std::string& path, const std::string& output, std::string_view kind);

// Fails also where the output lies inside an input that is a folder.
Status CheckApart(const std::string& input, bool is_folder, const std::string& output);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_OUTPUT_PLACE_H_
