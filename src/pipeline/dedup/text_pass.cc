#include "pipeline/dedup/text_pass.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "pipeline/dedup/first_error.h"

namespace zhiwen {
namespace {

// Documents handed to a worker at a time.
constexpr size_t kGrain = 64;
// Records this near to each other are read together, gap included, up to a window.
constexpr uint64_t kLargestGap = uint64_t{16} << 10;
constexpr uint64_t kWindowBytes = uint64_t{256} << 10;

// Reads records of any input in ascending order; one per worker. Keeps the file it read last open.
class RecordReader {
 public:
  RecordReader(FileSystem& file_system, const DedupInputs& inputs, const DocumentTable& table,
               RecordParser parser)
      : file_system_(file_system), inputs_(inputs), table_(table), parser_(std::move(parser)) {}

  // The text of the first of `documents`, the others being those that will be asked for next. It
  // lives until the next call.
  Result<std::string_view> Text(std::span<const DocumentIndex> documents) {
    const DocumentEntry& entry = table_.entries[documents.front()];
    const RecordPlace& place = entry.place;
    if (open_ == nullptr || open_file_ != place.file) {
      ZHIWEN_ASSIGN_OR_RETURN(open_, OpenUnchanged(file_system_, inputs_.files[place.file]));
      open_file_ = place.file;
      window_end_ = 0;
    }
    if (place.offset < window_begin_ || place.offset + place.length > window_end_) {
      ZHIWEN_RETURN_IF_ERROR(ReadWindow(documents));
    }
    std::string_view line(buffer_.data() + (place.offset - window_begin_), place.length);
    if (line.ends_with('\n')) line.remove_suffix(1);
    auto parsed = parser_.Parse(line);
    const auto* document = std::get_if<Document>(&parsed);
    if (document == nullptr || HashBytes128(document->text) != entry.raw) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("\"{}\" changed during the run at record {}; run again when nothing "
                              "writes to it",
                              inputs_.files[place.file].path, place.record));
    }
    return document->text;
  }

 private:
  // Reads the first of `documents` with the neighbours that follow it closely.
  Status ReadWindow(std::span<const DocumentIndex> documents) {
    const RecordPlace& first = table_.entries[documents.front()].place;
    uint64_t end = first.offset + first.length;
    for (const DocumentIndex d : documents.subspan(1)) {
      const RecordPlace& next = table_.entries[d].place;
      const uint64_t next_end = next.offset + next.length;
      if (next.file != first.file || next.offset > end + kLargestGap ||
          next_end > first.offset + kWindowBytes) {
        break;
      }
      end = next_end;
    }
    window_begin_ = first.offset;
    window_end_ = end;
    buffer_.resize(end - first.offset + kBlockPadding);
    const std::span<char> room(buffer_.data(), end - first.offset);
    return ReadFully(*open_, first.offset, room);
  }

  FileSystem& file_system_;
  const DedupInputs& inputs_;
  const DocumentTable& table_;
  RecordParser parser_;
  std::unique_ptr<ReadableFile> open_;
  uint32_t open_file_ = 0;
  std::vector<char> buffer_;  // of the bytes [window_begin_, window_end_) of open_
  uint64_t window_begin_ = 0, window_end_ = 0;
};

}  // namespace

Status VisitTexts(const DedupInputs& inputs, const RecordFields& fields, const DocumentTable& table,
                  std::span<const DocumentIndex> chosen, std::string_view stage,
                  const DedupEnvironment& environment, const TextVisitor& visitor) {
  std::atomic<size_t> next{0};
  FirstError first_error;
  const auto visit_all = [&](size_t worker) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(RecordParser parser, RecordParser::Create(fields));
    RecordReader reader(environment.files, inputs, table, std::move(parser));
    while (!first_error.is_set()) {
      ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
      const size_t begin = next.fetch_add(kGrain);
      if (begin >= chosen.size()) break;
      const size_t end = std::min(begin + kGrain, chosen.size());
      for (size_t i = begin; i < end; ++i) {
        ZHIWEN_ASSIGN_OR_RETURN(const std::string_view text,
                                reader.Text(chosen.subspan(i, end - i)));
        visitor(worker, i, text);
      }
      environment.progress.Advance(stage, end, chosen.size(), "documents");
    }
    return {};
  };
  environment.executor.RunOnAll([&](size_t worker) { first_error.Keep(visit_all(worker)); });
  return first_error.Take();
}

}  // namespace zhiwen
