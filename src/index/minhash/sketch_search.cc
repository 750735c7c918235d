#include "index/minhash/sketch_search.h"

#include <algorithm>
#include <tuple>

namespace zhiwen {
namespace {

// The sources that sketches are looked up in: a segment, or the memory, whose bands are in one
// table and which has no deleted or damaged rows.
class SegmentSource {
 public:
  SegmentSource(const SketchSegment& segment, const RowBitmap& deleted)
      : segment_(segment), deleted_(deleted) {}

  const PackedTable& band(uint32_t band) const { return segment_.band(band); }
  Status CheckRow(uint32_t row) const { return segment_.CheckRow(row); }
  bool IsLive(uint32_t row) const { return !deleted_.Has(row); }
  void PrefetchBits(uint32_t row) const {
    if (row < segment_.rows()) segment_.PrefetchBits(row);
  }
  Result<const uint64_t*> BitsOf(uint32_t row) const { return segment_.BitsOf(row); }
  Result<uint64_t> DocumentOf(uint32_t row) const { return segment_.DocumentOf(row); }

 private:
  const SketchSegment& segment_;
  const RowBitmap& deleted_;
};

class MemorySource {
 public:
  explicit MemorySource(const MemorySketches& memory) : memory_(memory) {}

  const LineTable& band(uint32_t /*band*/) const { return memory_.table(); }
  static Status CheckRow(uint32_t /*slot*/) { return {}; }
  static bool IsLive(uint32_t /*slot*/) { return true; }
  void PrefetchBits(uint32_t slot) const { Prefetch(memory_.bits(slot)); }
  Result<const uint64_t*> BitsOf(uint32_t slot) const { return memory_.bits(slot); }
  Result<uint64_t> DocumentOf(uint32_t slot) const { return memory_.document(slot); }

 private:
  const MemorySketches& memory_;
};

struct FoundRow {
  uint32_t query = 0, row = 0;

  friend auto operator<=>(const FoundRow&, const FoundRow&) = default;
};

// Returns the rows that share a bucket with a query, by query and row, each once.
template <typename Source>
Result<std::vector<FoundRow>> LookUp(const SketchSearch& search, const Source& source,
                                     std::vector<CutBand>& cut_bands) {
  std::vector<FoundRow> rows;
  std::vector<uint32_t> scratch;
  for (uint32_t band = 0; band < search.plan.bands().bands; ++band) {
    const auto visit = [&](size_t place, uint32_t row) {
      source.PrefetchBits(row);
      rows.push_back({search.queries.query_of(band, place), row});
    };
    const auto cut = [&](size_t place) {
      cut_bands.push_back({search.queries.query_of(band, place), band});
    };
    ZHIWEN_RETURN_IF_ERROR(source.band(band).VisitKeys(
        search.queries.keys(band), search.plan.options().bucket_limit, scratch, visit, cut));
  }
  std::ranges::sort(rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  return rows;
}

template <typename Source>
Status FindIn(const SketchSearch& search, const Source& source, FoundSketches& found) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<FoundRow> rows, LookUp(search, source, found.cut));
  for (const FoundRow& row : rows) {
    ZHIWEN_RETURN_IF_ERROR(source.CheckRow(row.row));
    if (!source.IsLive(row.row)) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t* const bits, source.BitsOf(row.row));
    const uint32_t equal = search.plan.bbit().CountEqual(search.queries.bits(row.query),
                                                         reinterpret_cast<const uint8_t*>(bits));
    if (equal < search.least_equal) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t document, source.DocumentOf(row.row));
    found.found.push_back({row.query, equal, document});
  }
  return {};
}

}  // namespace

SketchQueries::SketchQueries(const MinHashPlan& plan, const SignatureRows& rows, uint32_t begin,
                             uint32_t end)
    : words_(plan.bbit().words()), bands_(plan.bands().bands) {
  Sketch sketch(SketchForm::Of(plan));
  for (uint32_t row = begin; row < end; ++row) {
    sketch.Compute(plan, rows[row]);
    for (size_t band = 0; band < bands_.size(); ++band) {
      if (sketch.keys[band] == kNoSketchKey) continue;
      bands_[band].keys.push_back(sketch.keys[band]);
      bands_[band].query_of.push_back(row - begin);
    }
    bits_.insert(bits_.end(), sketch.bits.begin(), sketch.bits.end());
  }
}

Status SketchSearch::In(const SketchSegment& segment, const RowBitmap& deleted,
                        FoundSketches& found) const {
  return FindIn(*this, SegmentSource(segment, deleted), found);
}

void SketchSearch::In(const MemorySketches& memory, FoundSketches& found) const {
  // Memory is never damaged.
  static_cast<void>(FindIn(*this, MemorySource(memory), found));
}

}  // namespace zhiwen
