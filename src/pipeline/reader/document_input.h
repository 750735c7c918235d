#ifndef ZHIWEN_PIPELINE_READER_DOCUMENT_INPUT_H_
#define ZHIWEN_PIPELINE_READER_DOCUMENT_INPUT_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/reader/record_blocks.h"
#include "zhiwen/documents.h"

namespace zhiwen {

RecordFormat ToRecordFormat(DocumentFormat format);
Compression ToCompression(DocumentCompression compression);

// A listed file as an input of a run.
InputFile ToInputFile(const DocumentFile& file);

// Returns the format whose text is extracted that the first bytes of a file, decompressed, show:
// kDocument, kWarc or kArchive. Nothing for other formats.
std::optional<DocumentFormat> DetectExtractedFormat(std::string_view head);

// How an open file is read that was not listed.
struct OpenedInput {
  std::string name;  // that ids and messages call it
  DocumentFormat format = DocumentFormat::kJsonLines;
  FileSyntax syntax = {};
  bool may_be_other = false;  // as InputFile::may_be_other
};

// Opens its blocks. Fails: as OpenStreamBlocks; kUnreadable where the first bytes cannot be read.
Result<std::unique_ptr<FileBlocks>> OpenUnlistedBlocks(std::unique_ptr<ReadableFile> file,
                                                       const OpenedInput& input,
                                                       const BlockOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_READER_DOCUMENT_INPUT_H_
