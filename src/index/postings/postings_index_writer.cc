#include "index/durable/segmented_writer.h"
#include "index/postings/postings_state.h"

namespace zhiwen {
namespace {

class Writer final : public WriterOf<PostingsIndexKind, PostingsIndexWriter> {
 public:
  Writer(FileSystem& files, const std::string& folder, const PostingsWriterOptions& options)
      : WriterOf(files, folder,
                 {.durability = options.durability, .log_bytes = options.log_bytes}) {}

  Status Commit(const PostingsChanges& changes) override;
};

Status Writer::Commit(const PostingsChanges& changes) {
  if (changes.options() != index().options()) {
    return Fail(ErrorCode::kInvalidArgument,
                "an index takes positions, and short features, where it was made for them, and "
                "else none");
  }
  return writer().Commit({.record = changes.bytes()});
}

}  // namespace

Result<std::unique_ptr<PostingsIndexWriter>> PostingsIndexWriter::Open(
    FileSystem& files, const std::string& folder, const PostingsWriterOptions& options) {
  auto writer = std::make_unique<Writer>(files, folder, options);
  ZHIWEN_RETURN_IF_ERROR(writer->Load());
  return writer;
}

}  // namespace zhiwen
