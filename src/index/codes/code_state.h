#ifndef ZHIWEN_INDEX_CODES_CODE_STATE_H_
#define ZHIWEN_INDEX_CODES_CODE_STATE_H_

// One state of an index: segments, what is deleted of each, and the rows that are in none. All
// changes of the rows in memory come after all segments.
//
// Threads     const functions of CodeIndex from many threads, while one changes the state through
//             Change; others: who changes it is alone

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/codes/code_segment.h"
#include "index/codes/memory_rows.h"
#include "index/durable/index_folder.h"
#include "index/durable/log_file.h"
#include "index/durable/row_bitmap.h"
#include "zhiwen/code_index.h"

namespace zhiwen {

inline constexpr std::string_view kCodesKind = "codes";  // of the folder

struct StateSegment {
  ManifestSegment entry;  // as the manifest has it
  std::shared_ptr<const CodeSegment> segment;
  RowBitmap deleted;
  bool is_changed = false;  // more is deleted than the manifest knows
};

class CodeState final : public CodeIndex {
 public:
  explicit CodeState(const CodeIndexOptions& options)
      : options_(options), memory_(std::make_unique<MemoryRows>(options.code_bits)) {}

  // Reads the state that `manifest` names.
  static Result<std::unique_ptr<CodeState>> Load(const IndexFolder& folder,
                                                 const Manifest& manifest);

  const CodeIndexOptions& options() const override { return options_; }
  CodeIndexStats stats() const override;
  Status Query(std::span<const uint64_t> queries, const CodeQuery& query,
               CodeAnswer& answer) const override;
  Status Join(uint32_t radius, const std::function<Status(const CodeRowPair& pair)>& visit,
              const Cancellation& cancellation) const override;

  // Makes the changes of a record. Fails: kUnreadable, with a part of them made, where the record
  // or a segment is damaged.
  Status Apply(std::string_view changes);

  const std::vector<StateSegment>& segments() const { return segments_; }
  const MemoryRows& memory() const { return *memory_; }
  const LogEnd& log_end() const { return log_end_; }

  // Nobody reads while `change(*this)` runs.
  template <typename Change>
  void ChangeAlone(const Change& change) {
    const std::scoped_lock turn(turn_);  // who comes to read waits, so that those who do get fewer
    const std::scoped_lock lock(mutex_);
    change();
  }
  // Within ChangeAlone. The segments, by number, and what becomes of the memory.
  void SetSegments(std::vector<StateSegment> segments) { segments_ = std::move(segments); }
  void ClearMemory() { memory_ = std::make_unique<MemoryRows>(options_.code_bits); }
  void SetStats(const Manifest& manifest, uint64_t log_bytes);

 private:
  Status CheckQuery(std::span<const uint64_t> queries, uint32_t radius) const;
  // A code near a query, in a segment, or in the memory, which has the place behind them.
  struct FoundCode {
    HammingMatch match;
    size_t place = 0;
  };
  struct FoundCodes {
    std::vector<FoundCode> codes;     // by query, distance, code and place
    std::vector<uint32_t> truncated;  // ascending
  };

  std::shared_lock<std::shared_mutex> Read() const {
    { const std::scoped_lock turn(turn_); }
    return std::shared_lock(mutex_);
  }
  Result<FoundCodes> FindWithin(std::span<const uint64_t> queries, uint32_t radius) const;
  Result<FoundCodes> FindNearest(std::span<const uint64_t> queries, const CodeQuery& query) const;
  Result<bool> IsLive(const FoundCode& found) const;
  Status AddRows(std::span<const FoundCode> same, CodeAnswer& answer) const;
  Status VisitLabelsAt(size_t place, uint64_t code,
                       const std::function<Status(std::string_view label)>& visit) const;
  Result<std::string_view> LeastLabel(uint64_t code) const;
  Status VisitLabels(uint64_t code,
                     const std::function<Status(std::string_view label)>& visit) const;
  Result<std::vector<uint64_t>> LiveCodes(const Cancellation& cancellation) const;
  bool has_labels() const;

  // Without the labels that are removed of segments, which come before all changes: these are
  // gathered.
  Status ApplyButLabels(std::string_view changes, std::set<std::string, std::less<>>& labels);
  Status RemoveLabels(const std::set<std::string, std::less<>>& labels);
  static Status RemoveRow(StateSegment& segment, uint64_t code, std::string_view label);
  static Status RemoveCode(StateSegment& segment, uint64_t code);
  static Status RemoveLabels(StateSegment& segment,
                             const std::set<std::string, std::less<>>& labels);

  const CodeIndexOptions options_;
  mutable std::mutex turn_;  // before mutex_
  mutable std::shared_mutex mutex_;
  std::vector<StateSegment> segments_;
  std::unique_ptr<MemoryRows> memory_;
  LogEnd log_end_;  // where Load found it
  uint64_t generation_ = 0, sequence_ = 0, log_bytes_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_CODE_STATE_H_
