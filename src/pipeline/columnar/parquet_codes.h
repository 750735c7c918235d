#ifndef ZHIWEN_PIPELINE_COLUMNAR_PARQUET_CODES_H_
#define ZHIWEN_PIPELINE_COLUMNAR_PARQUET_CODES_H_

#include <memory>
#include <string>

#include "pipeline/records/code_source.h"
#include "zhiwen/file_system.h"

namespace zhiwen {

// The codes of a Parquet file (zhiwen/code_reader.h), a batch for each block of rows. Fails:
// kNotFound where the file or a column is not there; as parquet_blocks.h.
Result<std::unique_ptr<CodeSource>> OpenParquetCodes(FileSystem& files, const std::string& path,
                                                     const CodeReaderOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COLUMNAR_PARQUET_CODES_H_
