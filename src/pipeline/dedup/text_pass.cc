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

// Reads single records of any input; one per worker. Keeps the file it read last open.
class RecordReader {
 public:
  RecordReader(FileSystem& file_system, const DedupInputs& inputs, RecordParser parser)
      : file_system_(file_system), inputs_(inputs), parser_(std::move(parser)) {}

  // The text lives until the next call.
  Result<std::string_view> Text(const DocumentEntry& entry) {
    const RecordPlace& place = entry.place;
    if (open_ == nullptr || open_file_ != place.file) {
      ZHIWEN_ASSIGN_OR_RETURN(open_, OpenUnchanged(file_system_, inputs_.files[place.file]));
      open_file_ = place.file;
    }
    buffer_.resize(place.length + kBlockPadding);
    const std::span<char> room(buffer_.data(), place.length);
    ZHIWEN_ASSIGN_OR_RETURN(const size_t got, open_->ReadAt(place.offset, room));
    std::string_view line(buffer_.data(), got);
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
  FileSystem& file_system_;
  const DedupInputs& inputs_;
  RecordParser parser_;
  std::vector<char> buffer_;
  std::unique_ptr<ReadableFile> open_;
  uint32_t open_file_ = 0;
};

}  // namespace

Status VisitTexts(const DedupInputs& inputs, const RecordFields& fields, const DocumentTable& table,
                  std::span<const DocumentIndex> chosen, std::string_view stage,
                  const DedupEnvironment& environment, const TextVisitor& visitor) {
  std::atomic<size_t> next{0};
  FirstError first_error;
  const auto visit_all = [&](size_t worker) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(RecordParser parser, RecordParser::Create(fields));
    RecordReader reader(environment.files, inputs, std::move(parser));
    while (!first_error.is_set()) {
      ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
      const size_t begin = next.fetch_add(kGrain);
      if (begin >= chosen.size()) break;
      const size_t end = std::min(begin + kGrain, chosen.size());
      for (size_t i = begin; i < end; ++i) {
        ZHIWEN_ASSIGN_OR_RETURN(const std::string_view text, reader.Text(table.entries[chosen[i]]));
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
