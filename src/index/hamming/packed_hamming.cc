#include "index/hamming/packed_hamming.h"

#include "index/line_table/mix_key.h"

namespace zhiwen {

Result<PackedHamming> PackedHamming::Open(const BlockFile& file, uint64_t codes,
                                          uint32_t code_bits) {
  PackedHamming index;
  index.file_ = &file;
  index.code_bits_ = code_bits;
  for (size_t t = 0; t < 2; ++t) {
    ZHIWEN_ASSIGN_OR_RETURN(index.tables_[t], PackedTable::Open(file, kHalfNames[t], codes));
  }
  return index;
}

Status PackedHamming::Query(std::span<const uint64_t> queries, uint32_t radius,
                            HammingAnswer& answer) const {
  constexpr double kLookUpNanoseconds = 40;  // for about three lines
  const HalfKeyPlan plan = {.code_bits = code_bits_, .radius = radius};
  if (plan.look_ups_among(size(), queries.size(), kLookUpNanoseconds) == 0) {
    return GoThrough(queries, radius, answer);
  }
  const auto go_through = [&](std::span<const uint64_t> some, HammingAnswer& scanned) {
    return GoThrough(some, radius, scanned);
  };
  return HalfKeyQuery(tables_, plan, kHalfScanLimit)
      .RunExactly(queries, size(), answer, go_through);
}

Status PackedHamming::GoThrough(std::span<const uint64_t> queries, uint32_t radius,
                                HammingAnswer& answer) const {
  const HalfKeyPlan plan = {.code_bits = code_bits_};
  const size_t before = answer.matches.size();
  CodeScan scan(queries, radius, answer);
  ZHIWEN_RETURN_IF_ERROR(tables_[0].VisitAll([&](uint32_t mixed, uint32_t value) {
    scan.Add(plan.CodeOf({{UnmixKey(mixed), value}}));
  }));
  scan.Finish();
  SortMatches(answer, before);
  return {};
}

}  // namespace zhiwen
