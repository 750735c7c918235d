#ifndef ZHIWEN_INDEX_CODES_CODES_KIND_H_
#define ZHIWEN_INDEX_CODES_CODES_KIND_H_

// The kind of index (durable/index_kind.h) whose rows are codes with labels.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/codes/code_segment.h"
#include "index/codes/memory_rows.h"
#include "index/durable/segmented_state.h"
#include "zhiwen/code_index.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

class CodeState;

// Gathers removed labels, so that all labels of the segments are read only once.
class CodeChanger {
 public:
  using Segment = StateSegment<CodeSegment>;

  CodeChanger(MemoryRows& memory, std::span<Segment> segments)
      : memory_(memory), segments_(segments) {}

  Status Apply(std::string_view record);
  Status Finish();

 private:
  static Status RemoveRow(Segment& segment, uint64_t code, std::string_view label);
  static Status RemoveCode(Segment& segment, uint64_t code);
  Status RemoveLabels(Segment& segment) const;

  MemoryRows& memory_;
  const std::span<Segment> segments_;
  std::set<std::string, std::less<>> labels_;
};

struct CodesKind {
  static constexpr std::string_view kName = "codes";
  static constexpr bool kCommitsDirectly = true;

  using Settings = CodeIndexOptions;
  using State = CodeState;
  using Segment = CodeSegment;
  using Rows = SegmentRows;
  using Memory = MemoryRows;
  using Changer = CodeChanger;
  using Check = CodeIndexCheck;

  static Status CheckRecord(std::string_view record);
  static Result<Settings> ReadSettings(std::string_view settings, const std::string& folder);
  static bool Fits(const CodeSegment& segment, const Settings& settings) {
    return segment.code_bits() == settings.code_bits;
  }
  // Rows are a set of pairs, and any pair may be in several segments.
  static Status CheckState(const CodeState& /*state*/, ProgressSink& /*progress*/,
                           const Cancellation& /*cancellation*/) {
    return {};
  }

  static Result<uint64_t> Write(const SegmentRows& rows, const SectionSink& take) {
    return WriteCodeSegment(rows, take);
  }
  static Result<std::unique_ptr<SegmentRows>> Merge(
      std::span<const StateSegment<CodeSegment>> segments, ProgressSink& progress,
      const Cancellation& cancellation);
  static Result<std::optional<uint32_t>> FindRow(const CodeSegment& segment, uint32_t row,
                                                 const CodeSegment& merged);
  static double ShareOfFile(const CodeSegment& /*segment*/) { return 0; }
  static Result<std::unique_ptr<SegmentRows>> RowsOf(std::string_view record,
                                                     const Settings& settings);
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_CODES_KIND_H_
