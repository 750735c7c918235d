#include "index/lsh/durable_minhash.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "index/durable/check_segmented.h"
#include "index/durable/segmented_writer.h"
#include "index/durable/steady_manifest.h"
#include "index/lsh/minhash_state.h"

namespace zhiwen {
namespace {

class Writer final : public DurableMinHashWriter {
 public:
  Writer(FileSystem& files, const std::string& folder, const DurableMinHashOptions& options)
      : writer_(files, folder, {.durability = options.durability, .log_bytes = options.log_bytes}) {
  }

  Status Load() { return writer_.Load(); }

  const DurableMinHash& index() const override { return writer_.state(); }
  Status Commit(const MinHashChanges& changes) override;
  Status Flush(uint64_t sequence) override { return writer_.Flush(sequence); }
  Result<bool> MergeOnce(ProgressSink& progress, const Cancellation& cancellation) override {
    return writer_.MergeOnce(progress, cancellation);
  }
  Status MergeAll(ProgressSink& progress, const Cancellation& cancellation) override {
    return writer_.MergeAll(progress, cancellation);
  }
  Status Close() override { return writer_.Close(); }

 private:
  SegmentedWriter<MinHashKind> writer_;
};

Status Writer::Commit(const MinHashChanges& changes) {
  if (SketchForm::Of(changes.plan()) != SketchForm::Of(index().plan())) {
    return Fail(ErrorCode::kInvalidArgument,
                "cannot commit changes that were made with another plan than that of the index");
  }
  if (changes.bytes().size() > kMostRecordBytes) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("a commit has more than {} bytes; commit smaller batches", kMostRecordBytes));
  }
  return changes.size() == 0 ? Status() : writer_.Commit({.record = changes.bytes()});
}

// What no segment can tell by itself: a document is live once.
Status NoteRepeated(const DurableMinHash& index, const std::string& folder,
                    std::vector<std::string>& problems) {
  std::vector<uint64_t> documents;
  ZHIWEN_RETURN_IF_ERROR(index.VisitDocuments([&](uint64_t document) -> Status {
    documents.push_back(document);
    return {};
  }));
  std::ranges::sort(documents);
  const auto repeated = std::ranges::adjacent_find(documents);
  if (repeated == documents.end()) return {};
  problems.push_back(
      fmt::format("\"{}\" is damaged: document {} is there more than once", folder, *repeated));
  return {};
}

}  // namespace

Status DurableMinHash::Create(FileSystem& files, const std::string& folder,
                              const MinHashIndexOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(const MinHashPlan plan, MinHashPlan::Create(options));
  ZHIWEN_RETURN_IF_ERROR(CheckDurable(plan));
  return IndexFolder(files, folder, MinHashKind::kName).Create(WriteMinHashSettings(plan));
}

Result<std::unique_ptr<DurableMinHash>> DurableMinHash::Open(FileSystem& files,
                                                             const std::string& folder) {
  const IndexFolder index(files, folder, MinHashKind::kName);
  return WithSteadyManifest(index, [&](const Manifest& manifest) {
    return Result<std::unique_ptr<DurableMinHash>>(MinHashState::Load(index, manifest));
  });
}

Result<std::unique_ptr<DurableMinHashWriter>> DurableMinHashWriter::Open(
    FileSystem& files, const std::string& folder, const DurableMinHashOptions& options) {
  auto writer = std::make_unique<Writer>(files, folder, options);
  ZHIWEN_RETURN_IF_ERROR(writer->Load());
  return writer;
}

Result<DurableMinHashCheck> CheckDurableMinHash(FileSystem& files, const std::string& folder,
                                                ProgressSink& progress,
                                                const Cancellation& cancellation) {
  ZHIWEN_ASSIGN_OR_RETURN(DurableMinHashCheck check,
                          CheckSegmented<MinHashKind>(files, folder, progress, cancellation));
  if (!check.problems.empty()) return check;
  ZHIWEN_ASSIGN_OR_RETURN(const auto index, DurableMinHash::Open(files, folder));
  ZHIWEN_RETURN_IF_ERROR(NoteRepeated(*index, folder, check.problems));
  return check;
}

}  // namespace zhiwen
