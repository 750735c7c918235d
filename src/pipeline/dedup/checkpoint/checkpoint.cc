#include "pipeline/dedup/checkpoint/checkpoint.h"

#include <fmt/format.h>

#include <concepts>
#include <cstring>
#include <type_traits>

#include "base/hash.h"

namespace zhiwen {
namespace {

constexpr std::string_view kMagic = "zwck";
constexpr uint32_t kVersion = 12;
// Magic, version, length of the body, its checksum.
constexpr size_t kHeadBytes = 4 + 4 + 8 + 8;
// Some hundred bytes an input: enough for tens of millions of them.
constexpr uint64_t kMostBytes = uint64_t{8} << 30;

// The layout of a checkpoint, said once for writing and reading: Describe calls `field` for every
// value in order. Integers have 64 bits, little-endian; a string, a list and an optional value
// stand behind their length.
class Writer {
 public:
  template <std::integral Integer>
  void operator()(Integer& value) {
    const auto number = static_cast<uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(number >> shift);
  }
  void operator()(std::string& text) {
    uint64_t size = text.size();
    (*this)(size);
    bytes_ += text;
  }
  template <typename Item, typename Describer>
  void List(std::vector<Item>& items, const Describer& describe) {
    uint64_t size = items.size();
    (*this)(size);
    for (Item& item : items) describe(item, *this);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <std::integral Integer>
  void operator()(Integer& value) {
    if (bytes_.size() < sizeof(uint64_t)) {
      failed_ = true;
      return;
    }
    uint64_t number = 0;
    for (size_t i = 0; i < sizeof(number); ++i) {
      number |= uint64_t{static_cast<unsigned char>(bytes_[i])} << (8 * i);
    }
    bytes_.remove_prefix(sizeof(number));
    value = static_cast<Integer>(number);
  }
  void operator()(std::string& text) {
    uint64_t size = 0;
    (*this)(size);
    if (size > bytes_.size()) failed_ = true;
    if (failed_) return;
    text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
  }
  template <typename Item, typename Describer>
  void List(std::vector<Item>& items, const Describer& describe) {
    uint64_t size = 0;
    (*this)(size);
    items.clear();
    for (uint64_t i = 0; i < size && !failed_; ++i) describe(items.emplace_back(), *this);
  }
  // Whether everything was there, and nothing else.
  bool AtEnd() const { return !failed_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

constexpr auto kDescribeNumber = [](uint64_t& number, auto& field) { field(number); };

constexpr auto kDescribeSpool = [](SpoolMark& mark, auto& field) {
  field(mark.bytes);
  field(mark.file_bytes);
};

template <typename Field>
void DescribeSketch(SketchMark& mark, Field& field) {
  SketchProgress& progress = mark.progress;
  field(progress.file);
  field(progress.offset);
  field(progress.records);
  SketchTotals& totals = progress.totals;
  for (uint64_t* number :
       {&totals.records, &totals.documents, &totals.empty, &totals.text_bytes, &totals.stream_bytes,
        &totals.blank_bytes, &totals.failed_bytes, &totals.ids, &totals.grouped, &totals.keyed,
        &totals.dated, &totals.html.looked_at, &totals.html.html, &totals.decoding_errors.texts,
        &totals.decoding_errors.places}) {
    field(*number);
  }
  field.List(totals.found_texts, kDescribeNumber);
  field.List(totals.missing_values, kDescribeNumber);
  field.List(totals.failed_by_reason, kDescribeNumber);
  field.List(progress.bad_files, [](BadFile& bad, auto& inner) {
    inner(bad.file);
    inner(bad.message);
  });
  field.List(mark.spools, kDescribeSpool);
}

template <typename Field, typename Value, typename Describer>
void DescribeOptional(std::optional<Value>& value, Field& field, const Describer& describe) {
  std::vector<Value> list;
  if (value) list.push_back(*value);
  field.List(list, describe);
  value = list.empty() ? std::nullopt : std::optional(list.front());
}

template <typename Field>
void Describe(Checkpoint& checkpoint, Field& field) {
  field(checkpoint.program);
  field.List(checkpoint.parameters, [](auto& parameter, auto& inner) {
    inner(parameter.first);
    inner(parameter.second);
  });
  field.List(checkpoint.inputs, [](CheckpointInput& input, auto& inner) {
    inner(input.name);
    inner(input.kept_path);
    inner(input.identity.size);
    inner(input.identity.modified_nanoseconds);
    inner(input.identity.device);
    inner(input.identity.inode);
  });
  field(checkpoint.scratch);
  field(checkpoint.standard_input);
  field(checkpoint.max_record_bytes);
  field(checkpoint.resumes);
  DescribeSketch(checkpoint.sketch, field);
  DescribeSketch(checkpoint.file_start, field);
  field(checkpoint.sketched);
  field(checkpoint.work_memory);
  DescribeOptional(checkpoint.sets, field, [](SetMark& mark, auto& inner) {
    inner(mark.blocks);
    kDescribeSpool(mark.sets, inner);
    inner(mark.large.bytes);
    inner(mark.large.checksum);
    kDescribeSpool(mark.exact, inner);
  });
  DescribeOptional(checkpoint.decided, field, [](DecideMark& mark, auto& inner) {
    inner(mark.batches);
    inner(mark.candidate_pairs);
    inner(mark.comparisons);
    inner(mark.hot_buckets);
    kDescribeSpool(mark.overlaps, inner);
  });
}

void AppendLittleEndian(uint64_t value, size_t bytes, std::string& out) {
  for (size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

uint64_t LittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

tl::unexpected<Error> Damaged(const std::string& path) {
  return Fail(ErrorCode::kUnreadable, fmt::format("the checkpoint \"{}\" is damaged", path));
}

}  // namespace

std::string EncodeCheckpoint(const Checkpoint& checkpoint) {
  Writer writer;
  Checkpoint copy = checkpoint;  // Describe takes what a reader could change
  Describe(copy, writer);
  const std::string body = writer.Take();
  std::string bytes(kMagic);
  AppendLittleEndian(kVersion, 4, bytes);
  AppendLittleEndian(body.size(), 8, bytes);
  AppendLittleEndian(HashBytes64(body, kVersion), 8, bytes);
  return bytes + body;
}

Result<Checkpoint> DecodeCheckpoint(const std::string& path, std::string_view bytes) {
  if (bytes.size() < kHeadBytes || !bytes.starts_with(kMagic)) return Damaged(path);
  const std::string_view body = bytes.substr(kHeadBytes);
  const uint64_t version = LittleEndian(bytes.substr(4, 4));
  // The version is the seed of the checksum, so that a flipped bit does not make another version.
  if (LittleEndian(bytes.substr(8, 8)) != body.size() ||
      LittleEndian(bytes.substr(16, 8)) != HashBytes64(body, version)) {
    return Damaged(path);
  }
  if (version != kVersion) {
    return Fail(ErrorCode::kConflict,
                fmt::format("the checkpoint \"{}\" has version {}, and this program reads {}; go "
                            "on with the program that wrote it, or start the run again",
                            path, version, kVersion),
                {Advice::kStartOver});
  }
  Checkpoint checkpoint;
  Reader reader(body);
  Describe(checkpoint, reader);
  if (!reader.AtEnd()) return Damaged(path);
  return checkpoint;
}

Status WriteCheckpoint(FileSystem& files, const std::string& path, const Checkpoint& checkpoint) {
  const std::string fresh = path + ".new";
  ZHIWEN_ASSIGN_OR_RETURN(const auto file, files.OpenForWrite(fresh));
  ZHIWEN_RETURN_IF_ERROR(file->Append(EncodeCheckpoint(checkpoint)));
  ZHIWEN_RETURN_IF_ERROR(file->Close());
  return files.Rename(fresh, path);
}

Result<std::string> ReadCheckpointBytes(FileSystem& files, const std::string& path) {
  return ReadWholeFile(files, path, kMostBytes);
}

Result<Checkpoint> ReadCheckpoint(FileSystem& files, const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string bytes, ReadCheckpointBytes(files, path));
  return DecodeCheckpoint(path, bytes);
}

}  // namespace zhiwen
