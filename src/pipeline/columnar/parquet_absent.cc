// Stands for the rest of this folder in a program that is built without Arrow.

#include <fmt/format.h>

#include "pipeline/columnar/fingerprint_parquet.h"
#include "pipeline/columnar/kept_parquet.h"
#include "pipeline/columnar/parquet_blocks.h"
#include "pipeline/columnar/parquet_codes.h"

namespace zhiwen {
namespace {

tl::unexpected<Error> Absent(const InputFile& input) {
  return Fail(ErrorCode::kUnavailable,
              fmt::format("cannot read \"{}\": this zhiwen was built without Parquet; run './zw "
                          "setup core' with a network and build it again, or convert the file to "
                          "JSON Lines",
                          input.path));
}

tl::unexpected<Error> CannotWrite() {
  return Fail(
      ErrorCode::kUnavailable,
      "cannot write Parquet: this zhiwen was built without it; run './zw setup core' with a "
      "network and build it again, or name a file *.jsonl");
}

}  // namespace

struct ParquetRows::State {};

Result<std::unique_ptr<FileBlocks>> OpenParquetBlocks(FileSystem&, const InputFile& input, uint32_t,
                                                      const BlockOptions&) {
  return Absent(input);
}

Result<ParquetShape> ExamineParquet(FileSystem&, const InputFile& input, const RecordFields&) {
  return Absent(input);
}

ParquetRows::ParquetRows(std::unique_ptr<State> state) : state_(std::move(state)) {}
ParquetRows::~ParquetRows() = default;
ParquetRows::ParquetRows(ParquetRows&&) noexcept = default;
ParquetRows& ParquetRows::operator=(ParquetRows&&) noexcept = default;

// The fields are checked all the same, so that a parser of all formats can be made.
Result<ParquetRows> ParquetRows::Create(const RecordFields& fields) {
  ZHIWEN_RETURN_IF_ERROR(RecordParser::Create(fields));
  return ParquetRows(nullptr);
}

// Nobody has a block of rows to give to these.
ParsedRecord ParquetRows::Parse(const RecordBlock&, uint32_t) {
  return RecordFault{RecordFault::Reason::kMissingField, "built without Parquet"};
}

std::string ParquetRows::RowAsJson(const RecordBlock&, uint32_t) { return {}; }

std::string ParquetRows::DescribeColumns(const RecordBlock&) { return {}; }

Result<ParquetWritten> WriteKeptParquet(FileSystem&, const InputFile& input,
                                        std::unique_ptr<WritableFile>, const RowJudge&,
                                        const KeptParquetOptions&) {
  return Absent(input);
}

Status CheckKeptColumns(FileSystem&, const InputFile& input, const KeptColumns&) {
  return Absent(input);
}

Result<std::unique_ptr<FingerprintSink>> OpenParquetSink(std::unique_ptr<WritableFile>,
                                                         const ParquetSinkOptions&) {
  return CannotWrite();
}

Result<std::unique_ptr<CodeSource>> OpenParquetCodes(FileSystem&, const std::string& path,
                                                     const CodeReaderOptions&) {
  return Absent({.path = path, .identity = {}});
}

Result<bool> IsFingerprintParquet(std::unique_ptr<ReadableFile>) { return CannotWrite(); }

}  // namespace zhiwen
