#include "pipeline/reader/record_blocks.h"

#include <fmt/format.h>

#include <utility>

#include "pipeline/columnar/parquet_blocks.h"
#include "pipeline/reader/stream_blocks.h"

namespace zhiwen {

Result<std::unique_ptr<FileBlocks>> OpenFileBlocks(FileSystem& files, const InputFile& input,
                                                   uint32_t file, const BlockOptions& options) {
  if (input.format == RecordFormat::kParquet) {
    return OpenParquetBlocks(files, input, file, options);
  }
  return StreamBlocks::Open(files, input, file, options);
}

Result<std::unique_ptr<FileBlocks>> OpenStreamBlocks(std::unique_ptr<ReadableFile> open,
                                                     const InputFile& input,
                                                     const BlockOptions& options) {
  if (input.format == RecordFormat::kParquet) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("cannot read \"{}\": Parquet is read from a file, not from a stream",
                            input.path));
  }
  return StreamBlocks::Open(std::move(open), input, options);
}

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
