#include "zhiwen/fingerprint_file.h"

#include <utility>

#include <fmt/format.h>

#include "base/compress/frame_writer.h"
#include "base/files/output_file.h"
#include "pipeline/columnar/fingerprint_parquet.h"
#include "pipeline/lines_output.h"
#include "zhiwen/documents.h"
#include "zhiwen/json_forms.h"

namespace zhiwen {
namespace {

class LineSink final : public FingerprintSink {
 public:
  explicit LineSink(std::unique_ptr<FrameWriter> lines) : lines_(std::move(lines)) {}

  Status Add(std::string_view id, std::string_view canonical_name,
             const Fingerprint& value) override {
    return lines_->Append(FingerprintToJson(id, canonical_name, value) + "\n");
  }
  Status Close() override { return lines_->Close(); }

 private:
  std::unique_ptr<FrameWriter> lines_;
};

Result<bool> IsFingerprintLines(std::unique_ptr<ReadableFile> file) {
  return BeginsWithLineOf({"fingerprint", "\",\"scheme\":\""}, std::move(file));
}

Result<std::unique_ptr<FingerprintSink>> OpenLineSink(std::unique_ptr<WritableFile> out,
                                                      Compression compression) {
  ZHIWEN_ASSIGN_OR_RETURN(auto lines, FrameWriter::Create(std::move(out), compression));
  return std::make_unique<LineSink>(std::move(lines));
}

}  // namespace

struct FingerprintFile::State {
  std::unique_ptr<OutputFile> output;
  std::unique_ptr<FingerprintSink> sink;  // goes first: it writes to the output
};

FingerprintFile::FingerprintFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
FingerprintFile::~FingerprintFile() = default;

Result<std::unique_ptr<FingerprintFile>> FingerprintFile::Create(
    FileSystem& files, const FingerprintFileOptions& options) {
  const std::optional<DocumentFormat> format = FormatOfPath(options.path);
  const Compression compression = CompressionOfPath(options.path);
  const bool is_parquet = format == DocumentFormat::kParquet && compression == Compression::kNone;
  if (!is_parquet && format != DocumentFormat::kJsonLines) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot write \"{}\": fingerprints are written as *.parquet, *.jsonl, "
                            "*.jsonl.gz or *.jsonl.zst; give it one of these endings",
                            options.path));
  }
  auto state = std::make_unique<State>();
  ZHIWEN_ASSIGN_OR_RETURN(
      state->output,
      OutputFile::Create(files,
                         {"fingerprint", is_parquet ? IsFingerprintParquet : IsFingerprintLines},
                         {.path = options.path, .overwrite = options.overwrite}));
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> out, state->output->Open());
  ZHIWEN_ASSIGN_OR_RETURN(state->sink, is_parquet ? OpenParquetSink(std::move(out))
                                                  : OpenLineSink(std::move(out), compression));
  return std::unique_ptr<FingerprintFile>(new FingerprintFile(std::move(state)));
}

Status FingerprintFile::Add(std::string_view id, std::string_view canonical_name,
                            const Fingerprint& value) {
  return state_->sink->Add(id, canonical_name, value);
}

Status FingerprintFile::Publish() {
  ZHIWEN_RETURN_IF_ERROR(state_->sink->Close());
  return state_->output->Publish();
}

}  // namespace zhiwen
