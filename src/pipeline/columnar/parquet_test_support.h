#ifndef ZHIWEN_PIPELINE_COLUMNAR_PARQUET_TEST_SUPPORT_H_
#define ZHIWEN_PIPELINE_COLUMNAR_PARQUET_TEST_SUPPORT_H_

// Parquet files for tests, written and read by Arrow alone.

#include <arrow/table.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/columnar/parquet_blocks.h"
#include "support/in_memory_file_system.h"

namespace zhiwen {

// A column of a test's table; the values as JSON, or for dictionaries as JSON of plain values.
struct TestColumn {
  std::string name;
  std::shared_ptr<arrow::DataType> type;
  std::string json;
  std::shared_ptr<const arrow::KeyValueMetadata> metadata = nullptr;
};
std::shared_ptr<arrow::Table> MakeTable(
    const std::vector<TestColumn>& columns,
    const std::shared_ptr<const arrow::KeyValueMetadata>& metadata = nullptr);

struct WriteChoices {
  int64_t rows_per_group = 1 << 20;
  bool store_schema = true;
  bool int96 = false;
  std::function<void(parquet::WriterProperties::Builder&)> more = {};
};
std::string ParquetBytes(const arrow::Table& table, const WriteChoices& choices = {});

// Puts a file there and says what it looks like.
InputFile PutFile(InMemoryFileSystem& files, const std::string& path, std::string bytes);

std::shared_ptr<arrow::Table> ReadTable(const std::string& bytes);
std::shared_ptr<parquet::FileMetaData> ReadFooter(const std::string& bytes);

// A row as a test looks at it: "text|id|policy…", "-" for what is not there, or "reason: message".
std::string RowText(ParsedRecord&& record);

// All rows of a file, in order; the error's message last when there is one.
struct AllRows {
  std::vector<std::string> rows;
  std::vector<uint64_t> block_offsets;
  std::optional<Error> error;
};
AllRows ReadRows(FileSystem& files, const InputFile& input, const BlockOptions& options,
                 uint64_t skip_to = 0);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COLUMNAR_PARQUET_TEST_SUPPORT_H_
