#ifndef ZHIWEN_PIPELINE_COLUMNAR_WRITER_LIKE_H_
#define ZHIWEN_PIPELINE_COLUMNAR_WRITER_LIKE_H_

// A writer whose file is like the one that is read.
//
// Guarantees  the schema of Parquet itself is taken over, not one made anew from Arrow's: types
//             that Arrow reads as another (INT96, ENUM, decimals in integers, old lists) stay
// Fails       kInvalidArgument: a column of an added name exists

#include <parquet/arrow/writer.h>

#include <memory>

#include "pipeline/columnar/kept_parquet.h"
#include "pipeline/columnar/parquet_file.h"

namespace zhiwen {

// Fails: kInvalidArgument when a name of `added` is that of a column, or both are the same.
Status CheckAddedNames(const ParquetFile& like, const KeptColumns& added);

// Nothing is written before the first row. `sink` must outlive the writer.
arrow::Result<std::unique_ptr<parquet::arrow::FileWriter>> OpenWriterLike(
    ParquetFile& like, const KeptColumns& added, std::shared_ptr<arrow::io::OutputStream> sink,
    arrow::MemoryPool* pool);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COLUMNAR_WRITER_LIKE_H_
