#ifndef ZHIWEN_INDEX_CODES_CODE_STATE_H_
#define ZHIWEN_INDEX_CODES_CODE_STATE_H_

// A state of an index of codes, which answers queries.
//
// Threads     functions of CodeIndex from many threads; see segmented_state.h

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "index/codes/codes_kind.h"
#include "index/durable/segmented_state.h"
#include "index/hamming/half_key_index.h"
#include "zhiwen/code_index.h"

namespace zhiwen {

class CodeState final : public CodeIndex, public SegmentedState<CodesKind> {
 public:
  explicit CodeState(const CodeIndexOptions& options) : SegmentedState(options) {}

  const CodeIndexOptions& options() const override { return settings(); }
  CodeIndexStats stats() const override;
  Status ReadIntoMemory(ProgressSink& progress, const Cancellation& cancellation) override;
  Status Query(std::span<const uint64_t> queries, const CodeQuery& query,
               CodeAnswer& answer) const override;
  Status Join(uint32_t radius, const std::function<Status(const CodeRowPair& pair)>& visit,
              ProgressSink& progress, const Cancellation& cancellation) const override;

  // As SegmentedState; the tables in memory follow.
  Status Apply(std::string_view record);
  void SetSegments(Segments segments);

 private:
  // In place of the number of a segment: any segment and the memory may have the code.
  static constexpr size_t kAnyPlace = SIZE_MAX;

  Status CheckQuery(std::span<const uint64_t> queries, uint32_t radius) const;
  // A code near a query. The memory has the place after those of all segments; a code of the tables
  // in memory has kAnyPlace.
  struct FoundCode {
    HammingMatch match;
    size_t place = 0;
  };
  struct FoundCodes {
    std::vector<FoundCode> codes;     // by query, distance, code and place
    std::vector<uint32_t> truncated;  // ascending
    size_t queries = 0;               // how many were asked, from the front
  };

  // Asks for as many queries as find most_codes in a place.
  Result<FoundCodes> FindWithin(std::span<const uint64_t> queries, uint32_t radius,
                                uint64_t most_codes) const;
  Result<FoundCodes> FindNearest(std::span<const uint64_t> queries, const CodeQuery& query) const;
  Result<bool> IsLive(const FoundCode& found) const;
  // Adds the rows of what was found for the queries up to `queries`, those before answered already,
  // until there are most_rows, and sets `answered`.
  Status AddFound(const FoundCodes& found, uint32_t queries, uint64_t most_rows,
                  CodeAnswer& answer) const;
  // The rows of `codes` codes in each segment, one segment after the other.
  struct RowRanges {
    std::vector<CodeSegment::RowRange> of;
    size_t codes = 0;
    size_t first = 0;  // of the codes that are not done
  };
  Result<RowRanges> RowsInSegments(std::span<const FoundCode> codes) const;
  Status AddRowsAnywhere(std::span<const FoundCode> codes, RowRanges& next,
                         CodeAnswer& answer) const;
  Status VisitLiveRows(size_t place, const CodeSegment::RowRange& rows,
                       const std::function<Status(std::string_view label)>& visit) const;
  Status AddRows(std::span<const FoundCode> same, CodeAnswer& answer) const;
  Status VisitLabelsAt(size_t place, uint64_t code,
                       const std::function<Status(std::string_view label)>& visit) const;
  Result<std::string_view> LeastLabel(uint64_t code) const;
  Status VisitLabels(uint64_t code,
                     const std::function<Status(std::string_view label)>& visit) const;
  // Calls visit(code, passed) for every code with a row in a segment or in the memory, perhaps more
  // than once; `passed` codes came before.
  Status VisitLiveCodes(const std::function<Status(uint64_t code, uint64_t passed)>& visit) const;
  Result<std::vector<uint64_t>> LiveCodes(const Cancellation& cancellation) const;
  Result<bool> HasCode(uint64_t code) const;
  Result<std::vector<uint64_t>> CodesOfRemoved(std::span<const RowBitmap> before) const;
  Status Update(std::span<const uint64_t> changed, HalfKeyIndex& tables) const;
  bool has_labels() const;

  // All codes with a row, or null before ReadIntoMemory and where a change failed.
  std::unique_ptr<HalfKeyIndex> tables_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_CODE_STATE_H_
