#include "pipeline/reader/document_input.h"

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
                  .format = ToRecordFormat(file.format),
                  .compression = ToCompression(file.compression),
                  .separator = file.syntax.separator.value_or(','),
                  .encoding = file.syntax.encoding};
  if (!IsExtracted(input.format) && !input.encoding) input.encoding = TextEncoding::kUtf8;
  return input;
}

}  // namespace zhiwen
