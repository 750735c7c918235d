#ifndef ZHIWEN_PIPELINE_COLUMNAR_KEPT_PARQUET_H_
#define ZHIWEN_PIPELINE_COLUMNAR_KEPT_PARQUET_H_

// The kept rows of a Parquet file as a Parquet file.
//
// In          a file as parquet_blocks.h reads it, and what to do with every row
// Out         a file of the same schema (types, names, field ids, metadata of fields), the same
//             key-value metadata, codec and encodings by column, data page version, sort order and
//             row groups; a row group without a kept row is left out. Columns that are asked for
//             come last
// Guarantees  values are unchanged, of every type, but for texts that lose passages; equal input
//             and verdicts give equal bytes
// Cost        one pass; memory of the compressed pages of one row group and one page a column
// Threads     one at a time; no thread of Arrow's
// Fails       kInvalidArgument: a column of an added name exists, or the column of texts is of a
//             type that cannot be cut · as parquet_blocks.h · as `out` does · as `verdict` does;
//             `out` is then left unfinished
// Persisted   Parquet 2.6, with checksums of pages. Pages, statistics and created_by are Arrow's;
//             Bloom filters and metadata of single column chunks are not kept

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "document/record_cuts.h"
#include "pipeline/records/record_block.h"

namespace zhiwen {

// Columns that are added last, and the one whose texts may lose passages.
struct KeptColumns {
  std::optional<std::string> mark_name = {};          // bool
  std::optional<std::string> keeper_name = {};        // string, null where it is empty
  std::optional<std::string> cluster_size_name = {};  // int64
  std::optional<std::string> cut_name = {};           // strings or binary, at the schema's top

  // Whether columns are added.
  bool any() const { return mark_name || keeper_name || cluster_size_name; }
};

struct RowVerdict {
  bool keep = true;
  bool marked = false;
  std::string keeper = {};
  uint64_t cluster_size = 0;
  std::vector<TextCut> cuts = {};  // of the column KeptColumns::cut_name
};

// Asked once for every row of the file, in order.
using RowJudge = std::function<Result<RowVerdict>(uint64_t row)>;

struct ParquetWritten {
  uint64_t rows = 0;
  uint64_t row_groups = 0;
  uint64_t bytes = 0;
};

struct KeptParquetOptions {
  KeptColumns columns;
  // What reading and writing a row group may take each (ParquetShape::largest_kept_bytes), beside
  // 16 MiB for buffers; 0: no limit.
  uint64_t max_row_group_bytes = 0;
  // Rows from this one on are left out, and row groups of such rows are not read: a file that is
  // damaged there.
  uint64_t rows_end = UINT64_MAX;
};

// Writes and closes `out`, which is not synced.
Result<ParquetWritten> WriteKeptParquet(FileSystem& files, const InputFile& input,
                                        std::unique_ptr<WritableFile> out, const RowJudge& judge,
                                        const KeptParquetOptions& options);

// Says before a run what WriteKeptParquet would say of the columns.
Status CheckKeptColumns(FileSystem& files, const InputFile& input, const KeptColumns& columns);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COLUMNAR_KEPT_PARQUET_H_
