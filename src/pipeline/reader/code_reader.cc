#include "zhiwen/code_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/compress/peeked_file.h"
#include "pipeline/columnar/parquet_codes.h"
#include "pipeline/reader/code_lines.h"
#include "pipeline/records/code_source.h"

namespace zhiwen {
namespace {

class BinaryCodes final : public CodeSource {
 public:
  BinaryCodes(PeekedFile file, std::unique_ptr<ByteSource> source, std::string name,
              const CodeReaderOptions& options)
      : source_(std::move(source)),
        name_(std::move(name)),
        code_bytes_(options.code_bits / 8),
        buffer_(kMostCodeRows * code_bytes_),
        peeked_(file.bytes) {
    if (file.compression == Compression::kNone) available_ = options.available;
  }

  Result<bool> Next(CodeBatch& batch) override;
  uint64_t bytes_read() const override { return source_->file_bytes_read(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string name_;
  size_t code_bytes_;
  std::vector<char> buffer_;
  size_t begun_ = 0;   // bytes of a code that is not whole yet, at the front of the buffer
  size_t peeked_ = 0;  // read already, beside what is available
  std::function<size_t()> available_;
};

Result<bool> BinaryCodes::Next(CodeBatch& batch) {
  const std::span<char> room = std::span(buffer_).subspan(begun_);
  size_t wanted = room.size();
  if (available_) {
    wanted = std::clamp<size_t>(available_() + std::exchange(peeked_, 0), 1, wanted);
  }
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count, source_->Read(room.first(wanted)));
  const size_t bytes = begun_ + count, codes = bytes / code_bytes_;
  begun_ = bytes % code_bytes_;
  if (count < wanted && begun_ != 0) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\": its last {} bytes are no whole code, which has "
                            "{}; is it a file of such numbers?",
                            name_, begun_, code_bytes_));
  }
  batch.codes.assign(codes, 0);
  for (size_t i = 0; i < codes; ++i) {  // little-endian, as the machines of zhiwen are
    std::memcpy(&batch.codes[i], &buffer_[i * code_bytes_], code_bytes_);
  }
  batch.labels.assign(codes, {});
  std::memmove(buffer_.data(), buffer_.data() + codes * code_bytes_, begun_);
  return count > 0;
}

std::optional<CodeFormat> FormatOfName(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.resize(name.size() - packed.size());
  }
  constexpr std::array<std::pair<std::string_view, CodeFormat>, 4> kEndings = {{
      {".bin", CodeFormat::kBinary},
      {".jsonl", CodeFormat::kJsonLines},
      {".ndjson", CodeFormat::kJsonLines},
      {".parquet", CodeFormat::kParquet},
  }};
  for (const auto& [ending, format] : kEndings) {
    if (name.ends_with(ending)) return format;
  }
  return std::nullopt;
}

Result<std::unique_ptr<CodeSource>> OpenBinary(std::unique_ptr<ReadableFile> file,
                                               const std::string& name,
                                               const CodeReaderOptions& options) {
  if (options.rows == CodeRows::kLabels) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot read \"{}\": a binary file has codes and no ids", name));
  }
  ZHIWEN_ASSIGN_OR_RETURN(PeekedFile peeked, PeekFile(std::move(file)));
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source,
                          OpenByteSource(std::move(peeked.file), peeked.compression));
  return std::make_unique<BinaryCodes>(std::move(peeked), std::move(source), name, options);
}

}  // namespace

CodeReader::CodeReader(std::unique_ptr<CodeSource> source, uint64_t file_bytes)
    : source_(std::move(source)), file_bytes_(file_bytes) {}
CodeReader::CodeReader(CodeReader&&) noexcept = default;
CodeReader& CodeReader::operator=(CodeReader&&) noexcept = default;
CodeReader::~CodeReader() = default;

Result<CodeReader> CodeReader::Open(FileSystem& files, const std::string& path,
                                    const CodeReaderOptions& options) {
  if (options.format.value_or(FormatOfName(path).value_or(CodeFormat::kText)) ==
      CodeFormat::kParquet) {
    ZHIWEN_ASSIGN_OR_RETURN(auto source, OpenParquetCodes(files, path, options));
    ZHIWEN_ASSIGN_OR_RETURN(const auto file, files.OpenForRead(path));
    ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity identity, file->Identity());
    return CodeReader(std::move(source), identity.size);
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, files.OpenStream(path));
  return Create(std::move(file), path, options);
}

Result<CodeReader> CodeReader::Create(std::unique_ptr<ReadableFile> file, const std::string& name,
                                      const CodeReaderOptions& options) {
  CodeReaderOptions known = options;
  if (!known.format) known.format = FormatOfName(name);
  if (known.format == CodeFormat::kParquet) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot read \"{}\" as Parquet, which is not read from front to back; "
                            "write it to a file first",
                            name));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity identity, file->Identity());
  if (known.format == CodeFormat::kBinary) {
    ZHIWEN_ASSIGN_OR_RETURN(auto source, OpenBinary(std::move(file), name, known));
    return CodeReader(std::move(source), identity.size);
  }
  ZHIWEN_ASSIGN_OR_RETURN(LineReader lines, LineReader::Create(std::move(file), name,
                                                               {.available = options.available}));
  ZHIWEN_ASSIGN_OR_RETURN(auto source, OpenCodeLines(std::move(lines), known));
  return CodeReader(std::move(source), identity.size);
}

Result<bool> CodeReader::Next(CodeBatch& batch) { return source_->Next(batch); }
uint64_t CodeReader::rows_without_code() const { return source_->rows_without_code(); }
std::string_view CodeReader::scheme() const { return source_->scheme(); }
uint64_t CodeReader::bytes_read() const { return source_->bytes_read(); }

}  // namespace zhiwen
