#include <utility>

#include <fmt/format.h>

#include "index/codes/code_settings.h"
#include "index/codes/code_state.h"
#include "index/codes/open_code_index.h"

namespace zhiwen {

uint64_t CodeIndexStats::rows() const {
  uint64_t rows = log_rows;
  for (const CodeSegmentStats& segment : segments) rows += segment.rows - segment.deleted_rows;
  return rows;
}

uint64_t CodeIndexStats::bytes() const {
  uint64_t bytes = log_bytes;
  for (const CodeSegmentStats& segment : segments) bytes += segment.bytes;
  return bytes;
}

Status CodeIndex::Create(FileSystem& files, const std::string& folder,
                         const CodeIndexOptions& options) {
  if (options.code_bits != 64 && options.code_bits != 32) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("an index is of codes of 64 or 32 bits, not of {}", options.code_bits));
  }
  return IndexFolder(files, folder, kCodesKind).Create(WriteCodeSettings(options));
}

Result<std::unique_ptr<CodeIndex>> CodeIndex::Open(FileSystem& files, const std::string& folder) {
  const IndexFolder index(files, folder, kCodesKind);
  return WithSteadyManifest(index, [&](const Manifest& manifest) {
    return Result<std::unique_ptr<CodeIndex>>(CodeState::Load(index, manifest));
  });
}

}  // namespace zhiwen
