#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "pipeline/dedup/first_error.h"
#include "pipeline/dedup/outputs.h"

namespace zhiwen {
namespace {

constexpr size_t kCopyBytes = size_t{1} << 20;

struct ByteRange {
  uint64_t begin = 0, end = 0;
};

// The documents of each file are neighbours in the table: file f has [starts[f], starts[f + 1]).
std::vector<DocumentIndex> FileStarts(const RunData& run) {
  std::vector<DocumentIndex> starts(run.inputs.files.size() + 1);
  for (const DocumentEntry& entry : run.table.entries) ++starts[entry.place.file + 1];
  for (size_t f = 1; f < starts.size(); ++f) starts[f] += starts[f - 1];
  return starts;
}

// The lines of kept documents in [begin, end), neighbours joined.
std::vector<ByteRange> KeptRanges(const RunData& run, DocumentIndex begin, DocumentIndex end) {
  std::vector<ByteRange> ranges;
  for (DocumentIndex d = begin; d < end; ++d) {
    if (run.decisions.documents[d].removed()) continue;
    const RecordPlace& place = run.table.entries[d].place;
    if (ranges.empty() || ranges.back().end != place.offset) {
      ranges.push_back({place.offset, place.offset});
    }
    ranges.back().end = place.offset + place.length;
  }
  return ranges;
}

// Gathers pieces of one file and writes them in large appends.
class RangeCopier {
 public:
  RangeCopier(const ReadableFile& from, WritableFile& to, std::vector<char>& buffer)
      : from_(from), to_(to), buffer_(buffer) {
    buffer_.resize(kCopyBytes);
  }

  Status Copy(ByteRange range) {
    while (range.begin < range.end) {
      if (used_ == kCopyBytes) ZHIWEN_RETURN_IF_ERROR(Flush());
      const size_t wanted = std::min<uint64_t>(range.end - range.begin, kCopyBytes - used_);
      ZHIWEN_ASSIGN_OR_RETURN(const size_t got,
                              from_.ReadAt(range.begin, {buffer_.data() + used_, wanted}));
      if (got < wanted) {
        return Fail(ErrorCode::kUnreadable,
                    "\"" + from_.path() + "\" became shorter during the run");
      }
      range.begin += got;
      used_ += got;
    }
    return {};
  }

  Status Flush() {
    ZHIWEN_RETURN_IF_ERROR(to_.Append({buffer_.data(), used_}));
    written_ += used_;
    used_ = 0;
    return {};
  }

  uint64_t written() const { return written_; }

 private:
  const ReadableFile& from_;
  WritableFile& to_;
  std::vector<char>& buffer_;
  size_t used_ = 0;
  uint64_t written_ = 0;
};

}  // namespace

Result<uint64_t> WriteKept(const RunData& run, OutputFolder& folder,
                           const DedupEnvironment& environment) {
  const std::vector<DocumentIndex> starts = FileStarts(run);
  std::atomic<size_t> next_file{0};
  std::atomic<uint64_t> written{0};
  FirstError first_error;
  const auto copy_file = [&](size_t f, std::vector<char>& buffer) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(const auto from, OpenUnchanged(environment.files, run.inputs.files[f]));
    ZHIWEN_ASSIGN_OR_RETURN(const auto to, folder.OpenForWrite("kept/" + run.inputs.kept_paths[f]));
    RangeCopier copier(*from, *to, buffer);
    for (const ByteRange& range : KeptRanges(run, starts[f], starts[f + 1])) {
      ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
      ZHIWEN_RETURN_IF_ERROR(copier.Copy(range));
    }
    ZHIWEN_RETURN_IF_ERROR(copier.Flush());
    ZHIWEN_RETURN_IF_ERROR(CheckUnchanged(*from, run.inputs.files[f]));
    written += copier.written();
    environment.progress.Advance("write", written, run.inputs.total_bytes, "bytes");
    return to->Close();
  };
  environment.executor.RunOnAll([&](size_t) {
    std::vector<char> buffer;
    for (size_t f = next_file++; f < starts.size() - 1 && !first_error.is_set(); f = next_file++) {
      first_error.Keep(copy_file(f, buffer));
    }
  });
  ZHIWEN_RETURN_IF_ERROR(first_error.Take());
  return written.load();
}

}  // namespace zhiwen
