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

}  // namespace zhiwen
