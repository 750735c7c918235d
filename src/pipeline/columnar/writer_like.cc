#include "pipeline/columnar/writer_like.h"

#include <arrow/io/memory.h>
#include <arrow/ipc/dictionary.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>
#include <arrow/util/base64.h>
#include <arrow/util/key_value_metadata.h>
#include <fmt/format.h>
#include <parquet/file_writer.h>
#include <parquet/schema.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

using parquet::Encoding;

// Where Arrow keeps its own schema, for types that Parquet does not have.
constexpr std::string_view kArrowSchema = "ARROW:schema";

// Columns that all hold a page in memory while a row group is written.
int64_t PageBytes(int columns) {
  constexpr int64_t kAll = int64_t{64} << 20, kLeast = int64_t{64} << 10, kMost = int64_t{1} << 20;
  return std::clamp(kAll / std::max(columns, 1), kLeast, kMost);
}

bool IsDictionary(Encoding::type encoding) {
  return encoding == Encoding::PLAIN_DICTIONARY || encoding == Encoding::RLE_DICTIONARY;
}

bool IsDataPage(const parquet::PageEncodingStats& stats) {
  return stats.page_type == parquet::PageType::DATA_PAGE ||
         stats.page_type == parquet::PageType::DATA_PAGE_V2;
}

// The encoding of values that are not in a dictionary. Without statistics of pages, levels are
// listed among the encodings too, and RLE is theirs.
Encoding::type EncodingOf(const parquet::ColumnChunkMetaData& chunk) {
  for (const parquet::PageEncodingStats& stats : chunk.encoding_stats()) {
    if (IsDataPage(stats) && !IsDictionary(stats.encoding)) return stats.encoding;
  }
  for (const Encoding::type encoding : chunk.encodings()) {
    const bool of_levels = encoding == Encoding::RLE || encoding == Encoding::BIT_PACKED;
    if (!of_levels && !IsDictionary(encoding)) return encoding;
  }
  return Encoding::PLAIN;
}

void SetColumnLike(parquet::WriterProperties::Builder& builder,
                   const parquet::ColumnChunkMetaData& chunk) {
  const auto path = chunk.path_in_schema();
  builder.compression(path, chunk.compression());
  builder.encoding(path, EncodingOf(chunk));
  if (chunk.has_dictionary_page()) {
    builder.enable_dictionary(path);
  } else {
    builder.disable_dictionary(path);
  }
  for (const parquet::PageEncodingStats& stats : chunk.encoding_stats()) {
    if (stats.page_type == parquet::PageType::DATA_PAGE_V2) {
      builder.data_page_version(parquet::ParquetDataPageVersion::V2);
    }
  }
}

std::shared_ptr<parquet::WriterProperties> PropertiesLike(const ParquetFile& like,
                                                          arrow::MemoryPool* pool) {
  const parquet::FileMetaData& metadata = like.metadata();
  parquet::WriterProperties::Builder builder;
  builder.memory_pool(pool);
  builder.version(parquet::ParquetVersion::PARQUET_2_6);
  builder.enable_page_checksum();
  builder.data_pagesize(PageBytes(metadata.num_columns()));
  builder.max_row_group_length(static_cast<int64_t>(std::max<uint64_t>(like.rows(), 1)));
  if (metadata.num_row_groups() == 0) return builder.build();
  const auto group = metadata.RowGroup(0);
  for (int i = 0; i < group->num_columns(); ++i) SetColumnLike(builder, *group->ColumnChunk(i));
  builder.set_sorting_columns(group->sorting_columns());
  return builder.build();
}

parquet::schema::NodePtr AddedNode(
    const std::string& name, parquet::Type::type type,
    const std::shared_ptr<const parquet::LogicalType>& logical = parquet::LogicalType::None()) {
  return parquet::schema::PrimitiveNode::Make(name, parquet::Repetition::OPTIONAL, logical, type);
}

std::shared_ptr<parquet::schema::GroupNode> NodesLike(const ParquetFile& like,
                                                      const KeptColumns& added) {
  const auto& root = *like.metadata().schema()->group_node();
  parquet::schema::NodeVector fields;
  for (int i = 0; i < root.field_count(); ++i) fields.push_back(root.field(i));
  if (added.mark_name) fields.push_back(AddedNode(*added.mark_name, parquet::Type::BOOLEAN));
  if (added.keeper_name) {
    fields.push_back(
        AddedNode(*added.keeper_name, parquet::Type::BYTE_ARRAY, parquet::LogicalType::String()));
  }
  if (added.cluster_size_name) {
    fields.push_back(AddedNode(*added.cluster_size_name, parquet::Type::INT64));
  }
  return std::static_pointer_cast<parquet::schema::GroupNode>(
      parquet::schema::GroupNode::Make(root.name(), root.repetition(), fields));
}

arrow::Result<std::shared_ptr<arrow::Schema>> WithAdded(std::shared_ptr<arrow::Schema> schema,
                                                        const KeptColumns& added) {
  const auto add = [&](const std::optional<std::string>& name,
                       const std::shared_ptr<arrow::DataType>& type) -> arrow::Status {
    if (!name) return arrow::Status::OK();
    return schema->AddField(schema->num_fields(), arrow::field(*name, type)).Value(&schema);
  };
  ARROW_RETURN_NOT_OK(add(added.mark_name, arrow::boolean()));
  ARROW_RETURN_NOT_OK(add(added.keeper_name, arrow::utf8()));
  ARROW_RETURN_NOT_OK(add(added.cluster_size_name, arrow::int64()));
  return schema;
}

arrow::Result<std::string> ArrowSchemaWithAdded(const std::string& encoded,
                                                const KeptColumns& added) {
  ARROW_ASSIGN_OR_RAISE(std::string decoded, arrow::util::base64_decode(encoded));
  arrow::io::BufferReader stream(arrow::Buffer::FromString(std::move(decoded)));
  arrow::ipc::DictionaryMemo memo;
  ARROW_ASSIGN_OR_RAISE(auto schema, arrow::ipc::ReadSchema(&stream, &memo));
  ARROW_ASSIGN_OR_RAISE(schema, WithAdded(std::move(schema), added));
  ARROW_ASSIGN_OR_RAISE(const auto bytes, arrow::ipc::SerializeSchema(*schema));
  return arrow::util::base64_encode(bytes->ToString());
}

// A schema of Arrow's that lacks a column would not be believed.
arrow::Result<std::shared_ptr<const arrow::KeyValueMetadata>> MetadataLike(
    const ParquetFile& like, const KeptColumns& added) {
  const auto& source = like.metadata().key_value_metadata();
  if (source == nullptr || !added.any()) return source;
  std::vector<std::string> values = source->values();
  for (int64_t i = 0; i < source->size(); ++i) {
    if (source->key(i) != kArrowSchema) continue;
    ARROW_ASSIGN_OR_RAISE(values[static_cast<size_t>(i)],
                          ArrowSchemaWithAdded(source->value(i), added));
  }
  return arrow::key_value_metadata(source->keys(), std::move(values));
}

}  // namespace

Status CheckAddedNames(const ParquetFile& like, const KeptColumns& added) {
  const auto& root = *like.metadata().schema()->group_node();
  std::vector<std::string_view> names;
  for (const auto* name : {&added.mark_name, &added.keeper_name, &added.cluster_size_name}) {
    if (!*name) continue;
    if (root.FieldIndex(**name) >= 0) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("cannot add the column \"{}\" to \"{}\": it has one of that name; "
                              "choose another name",
                              **name, like.input().path));
    }
    if (std::ranges::find(names, **name) != names.end()) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("cannot add two columns \"{}\": choose another name for one of them",
                              **name));
    }
    names.emplace_back(**name);
  }
  return {};
}

arrow::Result<std::unique_ptr<parquet::arrow::FileWriter>> OpenWriterLike(
    ParquetFile& like, const KeptColumns& added, std::shared_ptr<arrow::io::OutputStream> sink,
    arrow::MemoryPool* pool) {
  std::shared_ptr<arrow::Schema> schema;
  ARROW_RETURN_NOT_OK(like.reader().GetSchema(&schema));
  ARROW_ASSIGN_OR_RAISE(schema, WithAdded(std::move(schema), added));
  ARROW_ASSIGN_OR_RAISE(auto metadata, MetadataLike(like, added));
  auto low = parquet::ParquetFileWriter::Open(std::move(sink), NodesLike(like, added),
                                              PropertiesLike(like, pool), std::move(metadata));
  parquet::ArrowWriterProperties::Builder choices;
  choices.set_use_threads(false);
  std::unique_ptr<parquet::arrow::FileWriter> writer;
  ARROW_RETURN_NOT_OK(parquet::arrow::FileWriter::Make(pool, std::move(low), std::move(schema),
                                                       choices.build(), &writer));
  return writer;
}

}  // namespace zhiwen
