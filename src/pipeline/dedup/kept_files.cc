#include <algorithm>
#include <vector>

#include "pipeline/dedup/outputs.h"

namespace zhiwen {
namespace {

constexpr size_t kCopyBytes = size_t{256} << 10;

struct ByteRange {
  uint64_t begin = 0, end = 0;
};

// The lines of the kept documents of a file, neighbours joined.
std::vector<ByteRange> KeptRanges(const RunData& run, uint32_t file) {
  const auto& entries = run.table.entries;
  const auto before = [](const DocumentEntry& entry, uint32_t f) { return entry.place.file < f; };
  const auto begin = std::lower_bound(entries.begin(), entries.end(), file, before);
  const auto end = std::lower_bound(begin, entries.end(), file + 1, before);
  std::vector<ByteRange> ranges;
  for (auto entry = begin; entry != end; ++entry) {
    const auto d = static_cast<size_t>(entry - entries.begin());
    if (run.decisions.documents[d].removed()) continue;
    const RecordPlace& place = entry->place;
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
  RangeCopier(const ReadableFile& from, WritableFile& to)
      : from_(from), to_(to), buffer_(kCopyBytes) {}

  Status Copy(ByteRange range) {
    while (range.begin < range.end) {
      if (used_ == kCopyBytes) ZHIWEN_RETURN_IF_ERROR(Flush());
      const size_t wanted = std::min<uint64_t>(range.end - range.begin, kCopyBytes - used_);
      ZHIWEN_RETURN_IF_ERROR(ReadFully(from_, range.begin, {buffer_.data() + used_, wanted}));
      range.begin += wanted;
      used_ += wanted;
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
  std::vector<char> buffer_;
  size_t used_ = 0;
  uint64_t written_ = 0;
};

}  // namespace

Result<uint64_t> WriteKeptFile(const RunData& run, size_t file, OutputFolder& folder,
                               const DedupEnvironment& environment) {
  const InputFile& input = run.inputs.files[file];
  ZHIWEN_ASSIGN_OR_RETURN(const auto from, OpenUnchanged(environment.files, input));
  ZHIWEN_ASSIGN_OR_RETURN(const auto to,
                          folder.OpenForWrite("kept/" + run.inputs.kept_paths[file]));
  RangeCopier copier(*from, *to);
  for (const ByteRange& range : KeptRanges(run, static_cast<uint32_t>(file))) {
    ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
    ZHIWEN_RETURN_IF_ERROR(copier.Copy(range));
  }
  ZHIWEN_RETURN_IF_ERROR(copier.Flush());
  ZHIWEN_RETURN_IF_ERROR(CheckUnchanged(*from, input));
  ZHIWEN_RETURN_IF_ERROR(to->Close());
  return copier.written();
}

}  // namespace zhiwen
