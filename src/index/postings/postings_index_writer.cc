#include <fmt/format.h>

#include "index/durable/segmented_writer.h"
#include "index/postings/postings_state.h"

namespace zhiwen {
namespace {

class Writer final : public PostingsIndexWriter {
 public:
  Writer(FileSystem& files, const std::string& folder, const PostingsWriterOptions& options)
      : writer_(files, folder, {.durability = options.durability, .log_bytes = options.log_bytes}) {
  }

  Status Load() { return writer_.Load(); }

  const PostingsIndex& index() const override { return writer_.state(); }
  Status Commit(const PostingsChanges& changes) override;
  Status Flush(uint64_t sequence) override { return writer_.Flush(sequence); }
  Result<bool> MergeOnce(ProgressSink& progress, const Cancellation& cancellation) override {
    return writer_.MergeOnce(progress, cancellation);
  }
  Status MergeAll(ProgressSink& progress, const Cancellation& cancellation) override {
    return writer_.MergeAll(progress, cancellation);
  }
  Status Close() override { return writer_.Close(); }

 private:
  SegmentedWriter<PostingsIndexKind> writer_;
};

Status Writer::Commit(const PostingsChanges& changes) {
  if (changes.content() != index().content()) {
    return Fail(ErrorCode::kInvalidArgument,
                "an index takes positions of features where it was made for them, and else none");
  }
  if (changes.bytes().size() > kMostRecordBytes) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("a commit has more than {} bytes; commit smaller batches", kMostRecordBytes));
  }
  if (changes.size() == 0) return {};
  return writer_.Commit({.record = changes.bytes()});
}

}  // namespace

Result<std::unique_ptr<PostingsIndexWriter>> PostingsIndexWriter::Open(
    FileSystem& files, const std::string& folder, const PostingsWriterOptions& options) {
  auto writer = std::make_unique<Writer>(files, folder, options);
  ZHIWEN_RETURN_IF_ERROR(writer->Load());
  return writer;
}

}  // namespace zhiwen
