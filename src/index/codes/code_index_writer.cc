#include <fmt/format.h>

#include "index/codes/code_state.h"
#include "index/durable/segmented_writer.h"

namespace zhiwen {
namespace {

class Writer final : public WriterOf<CodesKind, CodeIndexWriter> {
 public:
  Writer(FileSystem& files, const std::string& folder, const CodeWriterOptions& options)
      : WriterOf(files, folder, {.durability = options.durability, .log_bytes = options.log_bytes}),
        direct_rows_(options.direct_rows) {}

  Status Commit(const CodeChanges& changes) override;
  Status ReadIntoMemory(ProgressSink& progress, const Cancellation& cancellation) override {
    return writer().PrepareState(
        [&](CodeState& state) { return state.ReadIntoMemory(progress, cancellation); });
  }

 private:
  Status CheckChanges(const CodeChanges& changes) const;

  const uint64_t direct_rows_;
};

Status Writer::CheckChanges(const CodeChanges& changes) const {
  const uint32_t bits = index().options().code_bits;
  if (bits < 64 && changes.code_bits_set() >> bits != 0) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("a code has more bits than the index, which is of {}", bits));
  }
  if (changes.longest_label() > kMostLabelBytes) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("a label has more than {} bytes", kMostLabelBytes));
  }
  return {};
}

Status Writer::Commit(const CodeChanges& changes) {
  ZHIWEN_RETURN_IF_ERROR(CheckChanges(changes));
  const bool is_direct = changes.removals() == 0 && changes.additions() >= direct_rows_;
  return writer().Commit({.record = changes.bytes(), .is_direct = is_direct});
}

}  // namespace

Result<std::unique_ptr<CodeIndexWriter>> CodeIndexWriter::Open(FileSystem& files,
                                                               const std::string& folder,
                                                               const CodeWriterOptions& options) {
  auto writer = std::make_unique<Writer>(files, folder, options);
  ZHIWEN_RETURN_IF_ERROR(writer->Load());
  return writer;
}

}  // namespace zhiwen
