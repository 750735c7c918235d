#ifndef ZHIWEN_INDEX_CODES_CODE_STATE_H_
#define ZHIWEN_INDEX_CODES_CODE_STATE_H_

// A state of an index of codes, which answers queries.
//
// Threads     functions of CodeIndex from many threads; see segmented_state.h

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "index/codes/codes_kind.h"
#include "index/durable/segmented_state.h"
#include "zhiwen/code_index.h"

namespace zhiwen {

class CodeState final : public CodeIndex, public SegmentedState<CodesKind> {
 public:
  explicit CodeState(const CodeIndexOptions& options) : SegmentedState(options) {}

  const CodeIndexOptions& options() const override { return settings(); }
  CodeIndexStats stats() const override;
  Status Query(std::span<const uint64_t> queries, const CodeQuery& query,
               CodeAnswer& answer) const override;
  Status Join(uint32_t radius, const std::function<Status(const CodeRowPair& pair)>& visit,
              ProgressSink& progress, const Cancellation& cancellation) const override;

 private:
  Status CheckQuery(std::span<const uint64_t> queries, uint32_t radius) const;
  // A code near a query. The memory has the place after those of all segments.
  struct FoundCode {
    HammingMatch match;
    size_t place = 0;
  };
  struct FoundCodes {
    std::vector<FoundCode> codes;     // by query, distance, code and place
    std::vector<uint32_t> truncated;  // ascending
  };

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
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_CODE_STATE_H_
