#include "pipeline/batches/input_paths.h"

#include <algorithm>

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

}  // namespace zhiwen
