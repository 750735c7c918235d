#include "index/codes/code_state.h"

#include <mutex>
#include <string>

#include <fmt/format.h>

#include "index/codes/code_settings.h"
#include "index/durable/steady_manifest.h"

namespace zhiwen {

CodeIndexStats CodeState::stats() const {
  const auto lock = Read();
  CodeIndexStats stats = {.segments = {},
                          .generation = generation(),
                          .sequence = sequence(),
                          .log_rows = memory().rows(),
                          .log_bytes = log_bytes(),
                          .table_bytes = tables_ == nullptr ? 0 : tables_->bytes()};
  for (const auto& segment : segments()) {
    const std::string& path = segment.segment->path();
    stats.segments.push_back({.file = path.substr(path.rfind('/') + 1),
                              .codes = segment.segment->codes(),
                              .rows = segment.segment->rows(),
                              .deleted_rows = segment.deleted.count(),
                              .bytes = segment.segment->bytes()});
  }
  return stats;
}

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
  return IndexFolder(files, folder, CodesKind::kName).Create(WriteCodeSettings(options));
}

Result<std::unique_ptr<CodeIndex>> CodeIndex::Open(FileSystem& files, const std::string& folder) {
  const IndexFolder index(files, folder, CodesKind::kName);
  return WithSteadyManifest(index, [&](const Manifest& manifest) {
    return Result<std::unique_ptr<CodeIndex>>(CodeState::Load(index, manifest));
  });
}

}  // namespace zhiwen
