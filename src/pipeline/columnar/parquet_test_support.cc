#include "pipeline/columnar/parquet_test_support.h"

#include <arrow/array.h>
#include <arrow/array/builder_dict.h>
#include <arrow/io/memory.h>
#include <arrow/json/from_string.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/writer.h>

#include <utility>

namespace zhiwen {
namespace {

std::shared_ptr<arrow::Array> MakeColumn(const TestColumn& column) {
  return arrow::json::ArrayFromJSONString(column.type, column.json).ValueOrDie();
}

std::unique_ptr<parquet::arrow::FileReader> OpenBytes(const std::string& bytes) {
  auto source = std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(bytes));
  auto reader =
      parquet::arrow::OpenFile(std::move(source), arrow::default_memory_pool()).ValueOrDie();
  reader->set_use_threads(false);
  return reader;
}

}  // namespace

std::shared_ptr<arrow::Table> MakeTable(
    const std::vector<TestColumn>& columns,
    const std::shared_ptr<const arrow::KeyValueMetadata>& metadata) {
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const TestColumn& column : columns) {
    fields.push_back(arrow::field(column.name, column.type, /*nullable=*/true, column.metadata));
    arrays.push_back(MakeColumn(column));
  }
  return arrow::Table::Make(arrow::schema(fields, metadata), arrays);
}

std::string ParquetBytes(const arrow::Table& table, const WriteChoices& choices) {
  parquet::WriterProperties::Builder properties;
  properties.enable_page_checksum();
  if (choices.more) choices.more(properties);
  parquet::ArrowWriterProperties::Builder arrow_properties;
  if (choices.store_schema) arrow_properties.store_schema();
  if (choices.int96) arrow_properties.enable_deprecated_int96_timestamps();
  auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
  const arrow::Status status =
      parquet::arrow::WriteTable(table, arrow::default_memory_pool(), sink, choices.rows_per_group,
                                 properties.build(), arrow_properties.build());
  if (!status.ok()) status.Abort();
  return sink->Finish().ValueOrDie()->ToString();
}

InputFile PutFile(InMemoryFileSystem& files, const std::string& path, std::string bytes) {
  files.Put(path, std::move(bytes));
  const auto open = files.OpenForRead(path);
  return {.path = path, .identity = *(*open)->Identity(), .format = RecordFormat::kParquet};
}

std::shared_ptr<arrow::Table> ReadTable(const std::string& bytes) {
  return OpenBytes(bytes)->ReadTable().ValueOrDie();
}

std::shared_ptr<parquet::FileMetaData> ReadFooter(const std::string& bytes) {
  return parquet::ReadMetaData(
      std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(bytes)));
}

std::string RowText(ParsedRecord&& record) {
  if (const auto* fault = std::get_if<RecordFault>(&record)) {
    return std::string(RecordFaultName(fault->reason)) + ": " + fault->message;
  }
  const auto& document = std::get<Document>(record);
  std::string text(document.text);
  text += '|';
  text += document.id.value_or("-");
  for (const auto& value : document.policy) {
    text += '|';
    text += value.value_or("-");
  }
  return text;
}

AllRows ReadRows(FileSystem& files, const InputFile& input, const BlockOptions& options,
                 uint64_t skip_to) {
  AllRows all;
  const auto stop = [&](Error error) {
    all.error = std::move(error);
    return all;
  };
  auto blocks = OpenParquetBlocks(files, input, 7, options);
  if (!blocks) return stop(blocks.error());
  auto rows = ParquetRows::Create(options.fields);
  if (!rows) return stop(rows.error());
  if (Status status = (*blocks)->SkipTo(skip_to); !status) return stop(status.error());
  RecordBlock block;
  while (true) {
    const Result<bool> more = (*blocks)->Next(block);
    if (!more) return stop(more.error());
    if (!*more) return all;
    all.block_offsets.push_back(block.offset);
    for (uint32_t row = 0; row < block.length; ++row) {
      all.rows.push_back(RowText(rows->Parse(block, row)));
    }
  }
}

}  // namespace zhiwen
