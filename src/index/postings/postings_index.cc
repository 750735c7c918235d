#include "index/postings/postings_index.h"

#include "index/durable/check_segmented.h"
#include "index/durable/steady_manifest.h"
#include "index/postings/postings_state.h"

namespace zhiwen {

uint64_t PostingsIndexStats::documents() const {
  uint64_t documents = log.documents;
  for (const PostingsSegmentStats& segment : segments) {
    documents += segment.statistics.documents - segment.deleted_documents;
  }
  return documents;
}

uint64_t PostingsIndexStats::bytes() const {
  uint64_t bytes = log_bytes;
  for (const PostingsSegmentStats& segment : segments) bytes += segment.bytes;
  return bytes;
}

Status PostingsIndex::Create(FileSystem& files, const std::string& folder,
                             const PostingsIndexOptions& options) {
  return IndexFolder(files, folder, PostingsIndexKind::kName)
      .Create(PostingsIndexKind::WriteSettings(options));
}

Result<std::unique_ptr<PostingsIndex>> PostingsIndex::Open(FileSystem& files,
                                                           const std::string& folder) {
  const IndexFolder index(files, folder, PostingsIndexKind::kName);
  return WithSteadyManifest(index, [&](const Manifest& manifest) {
    return Result<std::unique_ptr<PostingsIndex>>(PostingsState::Load(index, manifest));
  });
}

Result<PostingsIndexCheck> CheckPostingsIndex(FileSystem& files, const std::string& folder,
                                              ProgressSink& progress,
                                              const Cancellation& cancellation) {
  return CheckSegmented<PostingsIndexKind>(files, folder, progress, cancellation);
}

}  // namespace zhiwen
