#include "pipeline/columnar/fingerprint_parquet.h"

#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_nested.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/table.h>
#include <arrow/table_builder.h>
#include <arrow/type.h>
#include <arrow/util/checked_cast.h>
#include <arrow/util/key_value_metadata.h>
#include <fmt/format.h>
#include <parquet/arrow/writer.h>
#include <parquet/file_reader.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "base/utf8/utf8.h"
#include "base/value_bytes.h"
#include "pipeline/columnar/arrow_files.h"

namespace zhiwen {
namespace {

using arrow::internal::checked_cast;

// In the footer: the version of the columns.
constexpr std::string_view kMark = "zhiwen.fingerprints";
constexpr std::string_view kVersion = "1";

// A row group ends here at the latest.
constexpr int64_t kGroupRows = int64_t{1} << 20;

std::shared_ptr<arrow::DataType> ListOf(std::shared_ptr<arrow::DataType> type) {
  return arrow::list(arrow::field("element", std::move(type), /*nullable=*/false));
}

std::shared_ptr<arrow::Field> Required(std::string name, std::shared_ptr<arrow::DataType> type) {
  return arrow::field(std::move(name), std::move(type), /*nullable=*/false);
}

// Behind id and scheme stand the columns of the alternatives of Fingerprint, in their order.
std::shared_ptr<arrow::Schema> MakeSchema() {
  const auto& number = arrow::uint64();
  const auto block = arrow::struct_({Required("hash", number), Required("position", number),
                                     Required("begin", number), Required("end", number)});
  const auto term = arrow::struct_({Required("term", arrow::utf8()), Required("weight", number)});
  return arrow::schema(
      {Required("id", arrow::utf8()), Required("scheme", arrow::utf8()),
       arrow::field("value", arrow::binary()), arrow::field("hashes", ListOf(number)),
       arrow::field("codes", ListOf(arrow::binary())), arrow::field("blocks", ListOf(block)),
       arrow::field("terms", ListOf(term))});
}

std::shared_ptr<parquet::WriterProperties> MakeProperties() {
  parquet::WriterProperties::Builder builder;
  builder.memory_pool(arrow::system_memory_pool());
  builder.version(parquet::ParquetVersion::PARQUET_2_6);
  builder.compression(arrow::Compression::ZSTD);
  builder.enable_page_checksum();
  // Hashes and ids are all different.
  builder.disable_dictionary();
  builder.enable_dictionary("scheme");
  builder.enable_dictionary("terms.list.element.term");
  return builder.build();
}

template <typename Builder>
Builder& As(arrow::ArrayBuilder* builder) {
  return checked_cast<Builder&>(*builder);
}

// Begins a list; returns what takes its elements.
template <typename Elements>
arrow::Result<Elements*> BeginList(arrow::ArrayBuilder* column) {
  auto& list = As<arrow::ListBuilder>(column);
  ARROW_RETURN_NOT_OK(list.Append());
  return &As<Elements>(list.value_builder());
}

// Appends a value to the column of its kind.
class ValueAppender {
 public:
  explicit ValueAppender(arrow::ArrayBuilder* column) : column_(column) {}

  arrow::Status operator()(const NoFingerprint&) const { return arrow::Status::OK(); }
  arrow::Status operator()(const FingerprintBytes& bytes) const {
    return As<arrow::BinaryBuilder>(column_).Append(BytesOfValues(bytes));
  }
  arrow::Status operator()(const HashSet& set) const {
    ARROW_ASSIGN_OR_RAISE(auto* hashes, BeginList<arrow::UInt64Builder>(column_));
    return hashes->AppendValues(set.hashes);
  }
  arrow::Status operator()(const CodeSequence& codes) const {
    ARROW_ASSIGN_OR_RAISE(auto* elements, BeginList<arrow::BinaryBuilder>(column_));
    for (size_t i = 0; i < codes.size(); ++i) {
      ARROW_RETURN_NOT_OK(elements->Append(BytesOfValues(codes[i])));
    }
    return arrow::Status::OK();
  }
  arrow::Status operator()(const SelectedShingles& selected) const {
    ARROW_ASSIGN_OR_RAISE(auto* blocks, BeginList<arrow::StructBuilder>(column_));
    for (const SelectedShingle& shingle : selected) {
      ARROW_RETURN_NOT_OK(blocks->Append());
      ARROW_RETURN_NOT_OK(AppendNumber(blocks, 0, shingle.hash));
      ARROW_RETURN_NOT_OK(AppendNumber(blocks, 1, shingle.position));
      ARROW_RETURN_NOT_OK(AppendNumber(blocks, 2, shingle.source.begin.value));
      ARROW_RETURN_NOT_OK(AppendNumber(blocks, 3, shingle.source.end.value));
    }
    return arrow::Status::OK();
  }
  arrow::Status operator()(const WeightedTerms& terms) const {
    ARROW_ASSIGN_OR_RAISE(auto* pairs, BeginList<arrow::StructBuilder>(column_));
    for (const auto& [term, weight] : terms) {
      ARROW_RETURN_NOT_OK(pairs->Append());
      ARROW_RETURN_NOT_OK(
          As<arrow::StringBuilder>(pairs->field_builder(0)).Append(ReplaceBrokenUtf8(term)));
      ARROW_RETURN_NOT_OK(AppendNumber(pairs, 1, weight));
    }
    return arrow::Status::OK();
  }

 private:
  static arrow::Status AppendNumber(arrow::StructBuilder* parent, int field, uint64_t number) {
    return As<arrow::UInt64Builder>(parent->field_builder(field)).Append(number);
  }

  arrow::ArrayBuilder* column_;
};

// About what it takes in its column.
struct ValueBytes {
  size_t operator()(const NoFingerprint&) const { return 0; }
  size_t operator()(const FingerprintBytes& bytes) const { return bytes.size(); }
  size_t operator()(const HashSet& set) const { return 8 * set.hashes.size(); }
  size_t operator()(const CodeSequence& codes) const {
    return codes.bytes.size() + 4 * codes.size();
  }
  size_t operator()(const SelectedShingles& selected) const { return 32 * selected.size(); }
  size_t operator()(const WeightedTerms& terms) const {
    size_t bytes = 0;
    for (const WeightedTerm& term : terms) bytes += term.term.size() + 12;
    return bytes;
  }
};

class ParquetSink final : public FingerprintSink {
 public:
  ParquetSink(std::unique_ptr<WritableFile> out, const ParquetSinkOptions& options)
      : options_(options),
        path_(out->path()),
        sink_(std::make_shared<ArrowOutput>(std::move(out))) {}

  // Arrow finishes a file that is not whole, when its writer goes.
  ~ParquetSink() override { sink_->Abandon(); }
  ParquetSink(const ParquetSink&) = delete;
  ParquetSink& operator=(const ParquetSink&) = delete;

  Status Open() {
    return Check(CatchArrow([&]() -> arrow::Status {
      arrow::MemoryPool* const pool = arrow::system_memory_pool();
      ARROW_RETURN_NOT_OK(parquet::arrow::FileWriter::Open(*schema_, pool, sink_, MakeProperties())
                              .Value(&writer_));
      ARROW_RETURN_NOT_OK(writer_->AddKeyValueMetadata(
          arrow::key_value_metadata({std::string(kMark)}, {std::string(kVersion)})));
      return arrow::RecordBatchBuilder::Make(schema_, pool).Value(&rows_);
    }));
  }

  Status Add(std::string_view id, std::string_view canonical_name,
             const Fingerprint& value) override {
    return Check(CatchArrow([&]() -> arrow::Status {
      ARROW_RETURN_NOT_OK(AppendRow(id, canonical_name, value));
      bytes_ += id.size() + canonical_name.size() + std::visit(ValueBytes(), value);
      const bool is_full =
          bytes_ >= options_.group_bytes || rows_->GetField(0)->length() >= kGroupRows;
      return is_full ? WriteGroup() : arrow::Status::OK();
    }));
  }

  Status Close() override {
    return Check(CatchArrow([&]() -> arrow::Status {
      if (rows_->GetField(0)->length() > 0) ARROW_RETURN_NOT_OK(WriteGroup());
      ARROW_RETURN_NOT_OK(writer_->Close());
      return sink_->Close();
    }));
  }

 private:
  arrow::Status AppendRow(std::string_view id, std::string_view name, const Fingerprint& value) {
    ARROW_RETURN_NOT_OK(As<arrow::StringBuilder>(rows_->GetField(0)).Append(ReplaceBrokenUtf8(id)));
    ARROW_RETURN_NOT_OK(As<arrow::StringBuilder>(rows_->GetField(1)).Append(name));
    for (int column = 2; column < rows_->num_fields(); ++column) {
      if (column == ColumnOf(value)) continue;
      ARROW_RETURN_NOT_OK(rows_->GetField(column)->AppendNull());
    }
    return std::visit(ValueAppender(rows_->GetField(ColumnOf(value))), value);
  }

  // Of no value: one that is not of a value.
  static int ColumnOf(const Fingerprint& value) { return static_cast<int>(value.index()) + 1; }

  arrow::Status WriteGroup() {
    ARROW_ASSIGN_OR_RAISE(const auto batch, rows_->Flush());
    ARROW_ASSIGN_OR_RAISE(const auto table, arrow::Table::FromRecordBatches(schema_, {batch}));
    bytes_ = 0;
    return writer_->WriteTable(*table, batch->num_rows());
  }

  Status Check(const arrow::Status& status) const {
    if (status.ok()) return {};
    if (sink_->error()) return tl::unexpected(*sink_->error());
    const bool is_limit = status.IsOutOfMemory() || status.IsCapacityError();
    return Fail(is_limit ? ErrorCode::kExhausted : ErrorCode::kInternal,
                fmt::format("cannot write \"{}\" as Parquet: {}", path_, status.message()));
  }

  ParquetSinkOptions options_;
  std::string path_;
  std::shared_ptr<arrow::Schema> schema_ = MakeSchema();
  std::shared_ptr<ArrowOutput> sink_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
  std::unique_ptr<arrow::RecordBatchBuilder> rows_;
  size_t bytes_ = 0;  // of the rows
};

}  // namespace

Result<std::unique_ptr<FingerprintSink>> OpenParquetSink(std::unique_ptr<WritableFile> out,
                                                         const ParquetSinkOptions& options) {
  auto sink = std::make_unique<ParquetSink>(std::move(out), options);
  ZHIWEN_RETURN_IF_ERROR(sink->Open());
  return std::unique_ptr<FingerprintSink>(std::move(sink));
}

Result<bool> IsFingerprintParquet(std::unique_ptr<ReadableFile> file) {
  ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity identity, file->Identity());
  bool is_marked = false;
  const arrow::Status status = CatchArrow([&] {
    const auto input =
        std::make_shared<ArrowInput>(std::move(file), identity.size, arrow::system_memory_pool());
    const auto metadata = parquet::ParquetFileReader::Open(input)->metadata();
    const auto& marks = metadata->key_value_metadata();
    is_marked = marks != nullptr && marks->Contains(std::string(kMark));
    return arrow::Status::OK();
  });
  return status.ok() && is_marked;  // what is no Parquet cannot be opened
}

}  // namespace zhiwen
