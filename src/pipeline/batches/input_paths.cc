#include "pipeline/batches/input_paths.h"

#include <algorithm>
#include <utility>

namespace zhiwen {

std::string NameOfInput(const std::string& path) { return path == kStandardInput ? "stdin" : path; }

Status CheckStandardInput(std::span<const std::string> paths, const BatchEnvironment& environment) {
  const auto times = std::ranges::count(paths, kStandardInput);
  if (times > 1) {
    return Fail(ErrorCode::kInvalidArgument, "standard input can be read once only");
  }
  if (times == 0 || environment.standard_input) return {};
  return Fail(ErrorCode::kInvalidArgument, "there is no standard input here; name files instead");
}

void InsertInput(DocumentFile input, size_t place, std::vector<DocumentFile>& files) {
  const auto behind = std::ranges::find_if(
      files, [place](const DocumentFile& file) { return file.input >= place; });
  input.input = place;
  files.insert(behind, std::move(input));
}

}  // namespace zhiwen
