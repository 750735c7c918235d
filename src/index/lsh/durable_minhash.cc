#include "index/lsh/durable_minhash.h"

#include "index/durable/check_segmented.h"
#include "index/durable/segmented_writer.h"
#include "index/durable/steady_manifest.h"
#include "index/lsh/minhash_state.h"

namespace zhiwen {
namespace {

class Writer final : public WriterOf<MinHashKind, DurableMinHashWriter> {
 public:
  Writer(FileSystem& files, const std::string& folder, const DurableMinHashOptions& options)
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
  return CheckSegmented<MinHashKind>(files, folder, progress, cancellation);
}

}  // namespace zhiwen
