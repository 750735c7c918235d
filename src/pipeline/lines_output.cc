#include "pipeline/lines_output.h"

#include <fmt/format.h>

#include "zhiwen/documents.h"

namespace zhiwen {

Compression CompressionOfPath(std::string_view path) {
  if (path.ends_with(".gz")) return Compression::kGzip;
  return path.ends_with(".zst") ? Compression::kZstd : Compression::kNone;
}

Result<bool> BeginsWithLineOf(const LinesKind& kind, std::unique_ptr<ReadableFile> file) {
  std::string head(size_t{64} << 10, '\0');
  ZHIWEN_ASSIGN_OR_RETURN(const size_t raw, file->ReadAt(0, head));
  const Compression compression = DetectCompression(std::string_view(head).substr(0, raw));
  const auto source = OpenByteSource(std::move(file), compression);
  const Result<size_t> size = source ? (*source)->Read(head) : Result<size_t>(0);
  if (!size) return false;  // nothing that can be decompressed
  const std::string_view line = std::string_view(head).substr(0, *size);
  return line.starts_with("{\"id\":\"") &&
         line.substr(0, line.find('\n')).find(kind.field) != std::string_view::npos;
}

Status CheckLinesPath(const std::string& path) {
  if (FormatOfPath(path) == DocumentFormat::kJsonLines) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("cannot write \"{}\": the lines are written as *.jsonl, *.jsonl.gz or "
                          "*.jsonl.zst; give it one of these endings",
                          path));
}

OutputFileKind ToOutputFileKind(const LinesKind& kind) {
  return {std::string(kind.name), [kind](std::unique_ptr<ReadableFile> file) {
            return BeginsWithLineOf(kind, std::move(file));
          }};
}

Result<std::unique_ptr<LinesOutput>> LinesOutput::Create(FileSystem& files, const LinesKind& kind,
                                                         const OutputFileOptions& options) {
  ZHIWEN_RETURN_IF_ERROR(CheckLinesPath(options.path));
  std::unique_ptr<LinesOutput> lines(new LinesOutput());
  ZHIWEN_ASSIGN_OR_RETURN(lines->output_,
                          OutputFile::Create(files, ToOutputFileKind(kind), options));
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> out, lines->output_->Open());
  ZHIWEN_ASSIGN_OR_RETURN(lines->lines_,
                          FrameWriter::Create(std::move(out), CompressionOfPath(options.path)));
  return lines;
}

Status LinesOutput::Publish() {
  ZHIWEN_RETURN_IF_ERROR(lines_->Close());
  return output_->Publish();
}

}  // namespace zhiwen
