#include "pipeline/records/record_block.h"

#include <utility>

#include <fmt/format.h>

namespace zhiwen {

Result<std::unique_ptr<ReadableFile>> OpenUnchanged(FileSystem& files, const InputFile& input) {
  auto opened = files.OpenForRead(input.path);
  if (!opened && opened.error().code == ErrorCode::kNotFound) {
    return Fail(
        ErrorCode::kUnreadable,
        fmt::format("\"{}\" went away during the run; put it back and run again", input.path));
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, std::move(opened));
  ZHIWEN_RETURN_IF_ERROR(CheckUnchanged(*file, input));
  return file;
}

Status CheckUnchanged(const ReadableFile& file, const InputFile& input) {
  ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity now, file.Identity());
  if (now == input.identity) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("\"{}\" changed during the run; run again when nothing writes to it",
                          input.path));
}

}  // namespace zhiwen
