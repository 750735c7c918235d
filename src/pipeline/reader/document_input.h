#ifndef ZHIWEN_PIPELINE_READER_DOCUMENT_INPUT_H_
#define ZHIWEN_PIPELINE_READER_DOCUMENT_INPUT_H_

#include "pipeline/reader/record_blocks.h"
#include "zhiwen/documents.h"

namespace zhiwen {

RecordFormat ToRecordFormat(DocumentFormat format);
Compression ToCompression(DocumentCompression compression);

// A listed file as an input of a run.
InputFile ToInputFile(const DocumentFile& file);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_READER_DOCUMENT_INPUT_H_
