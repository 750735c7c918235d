#ifndef ZHIWEN_PIPELINE_READER_CODE_LINES_H_
#define ZHIWEN_PIPELINE_READER_CODE_LINES_H_

#include <memory>

#include "base/files/line_reader.h"
#include "pipeline/records/code_source.h"

namespace zhiwen {

// Codes of lines: JSON Lines where the format says so, or none is given and they begin with {; else
// text. Fails: kInvalidArgument for a malformed field.
Result<std::unique_ptr<CodeSource>> OpenCodeLines(LineReader lines,
                                                  const CodeReaderOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_READER_CODE_LINES_H_
