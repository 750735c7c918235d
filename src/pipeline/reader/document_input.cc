#include "pipeline/reader/document_input.h"

#include <utility>

#include "base/compress/peeked_file.h"
#include "base/utf8/utf8.h"
#include "document/archive/archive_source.h"
#include "document/warc/warc_record.h"
#include "zhiwen/extract.h"

namespace zhiwen {

RecordFormat ToRecordFormat(DocumentFormat format) {
  switch (format) {
    case DocumentFormat::kJsonLines:
      return RecordFormat::kJsonLines;
    case DocumentFormat::kCsv:
      return RecordFormat::kCsv;
    case DocumentFormat::kTsv:
      return RecordFormat::kTsv;
    case DocumentFormat::kText:
      return RecordFormat::kText;
    case DocumentFormat::kParquet:
      return RecordFormat::kParquet;
    case DocumentFormat::kJsonArray:
      return RecordFormat::kJsonArray;
    case DocumentFormat::kDocument:
      return RecordFormat::kDocument;
    case DocumentFormat::kWarc:
      return RecordFormat::kWarc;
    case DocumentFormat::kArchive:
      return RecordFormat::kArchive;
  }
  return RecordFormat::kJsonLines;
}

Compression ToCompression(DocumentCompression compression) {
  switch (compression) {
    case DocumentCompression::kNone:
      return Compression::kNone;
    case DocumentCompression::kGzip:
      return Compression::kGzip;
    case DocumentCompression::kZstd:
      return Compression::kZstd;
  }
  return Compression::kNone;
}

InputFile ToInputFile(const DocumentFile& file) {
  InputFile input{.path = file.path,
                  .identity = file.identity,
                  .name = ReplaceBrokenUtf8(file.path),
                  .format = ToRecordFormat(file.format),
                  .compression = ToCompression(file.compression),
                  .separator = file.syntax.separator.value_or(','),
                  .encoding = file.syntax.encoding};
  if (!IsExtracted(input.format) && !input.encoding) input.encoding = TextEncoding::kUtf8;
  return input;
}

std::optional<DocumentFormat> DetectExtractedFormat(std::string_view head) {
  if (DetectDocumentType(head)) return DocumentFormat::kDocument;
  if (BeginsAsWarc(head)) return DocumentFormat::kWarc;
  if (BeginsAsArchive(head)) return DocumentFormat::kArchive;
  return std::nullopt;
}

Result<std::unique_ptr<FileBlocks>> OpenUnlistedBlocks(std::unique_ptr<ReadableFile> file,
                                                       const OpenedInput& input,
                                                       const BlockOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(PeekedFile peeked, PeekFile(std::move(file)));
  return OpenStreamBlocks(std::move(peeked.file),
                          {.path = input.name,
                           .identity = {},
                           .name = ReplaceBrokenUtf8(input.name),
                           .format = ToRecordFormat(input.format),
                           .compression = peeked.compression,
                           .separator = input.syntax.separator.value_or(','),
                           .finds_separator = !input.syntax.separator,
                           .may_be_other = input.may_be_other,
                           .encoding = input.syntax.encoding},
                          options);
}

}  // namespace zhiwen
