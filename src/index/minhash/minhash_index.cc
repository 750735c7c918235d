#include "index/minhash/minhash_index.h"

#include "index/durable/check_segmented.h"
#include "index/durable/segmented_writer.h"
#include "index/durable/steady_manifest.h"
#include "index/minhash/minhash_state.h"

namespace zhiwen {
namespace {

class Writer final : public WriterOf<MinHashKind, MinHashIndexWriter> {
 public:
  Writer(FileSystem& files, const std::string& folder, const MinHashWriterOptions& options)
      : WriterOf(files, folder,
                 {.durability = options.durability, .log_bytes = options.log_bytes}) {}

  Status Commit(const MinHashChanges& changes) override;
};

Status Writer::Commit(const MinHashChanges& changes) {
  if (SketchForm::Of(changes.plan()) != SketchForm::Of(index().plan())) {
    return Fail(ErrorCode::kInvalidArgument,
                "cannot commit changes that were made with another plan than that of the index");
  }
  return writer().Commit({.record = changes.bytes()});
}

}  // namespace

Status MinHashIndex::Create(FileSystem& files, const std::string& folder,
                            const MinHashIndexOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(const MinHashPlan plan, MinHashPlan::Create(options));
  ZHIWEN_RETURN_IF_ERROR(CheckStorable(plan));
  return IndexFolder(files, folder, MinHashKind::kName).Create(WriteMinHashSettings(plan));
}

Result<std::unique_ptr<MinHashIndex>> MinHashIndex::Open(FileSystem& files,
                                                         const std::string& folder) {
  const IndexFolder index(files, folder, MinHashKind::kName);
  return WithSteadyManifest(index, [&](const Manifest& manifest) {
    return Result<std::unique_ptr<MinHashIndex>>(MinHashState::Load(index, manifest));
  });
}

Result<std::unique_ptr<MinHashIndexWriter>> MinHashIndexWriter::Open(
    FileSystem& files, const std::string& folder, const MinHashWriterOptions& options) {
  auto writer = std::make_unique<Writer>(files, folder, options);
  ZHIWEN_RETURN_IF_ERROR(writer->Load());
  return writer;
}

Result<MinHashIndexCheck> CheckMinHashIndex(FileSystem& files, const std::string& folder,
                                            ProgressSink& progress,
                                            const Cancellation& cancellation) {
  return CheckSegmented<MinHashKind>(files, folder, progress, cancellation);
}

}  // namespace zhiwen
