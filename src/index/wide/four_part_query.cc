#include "index/wide/four_part_query.h"

#include <algorithm>
#include <bit>

#include "kernels/kernels.h"

namespace zhiwen {

void FourPartQuery::Run(std::span<const Code128> queries, WideAnswer& answer) {
  const size_t flips = FlipCount(FourPartPlan::kPartBits, static_cast<uint32_t>(plan_.RadiusOf(0)));
  const size_t together = std::max<size_t>(1, kLookUps / flips);
  for (size_t begin = 0; begin < queries.size(); begin += together) {
    queries_ = queries.subspan(begin, std::min(together, queries.size() - begin));
    first_query_ = static_cast<uint32_t>(begin);
    RunBlock(answer);
  }
}

void FourPartQuery::RunBlock(WideAnswer& answer) {
  const size_t before = answer.matches.size(), truncated_before = answer.truncated.size();
  cut_.assign(queries_.size(), 0);
  for (size_t p = 0; p < FourPartPlan::kParts && plan_.RadiusOf(p) >= 0; ++p) LookUp(p, answer);
  SortMatches(answer, before);
  for (uint32_t q = 0; q < queries_.size(); ++q) {
    if (cut_[q] != 0) answer.truncated.push_back(first_query_ + q);
  }
  if (answer.truncated.size() == truncated_before) return;
  const auto first = answer.matches.begin() + static_cast<ptrdiff_t>(before);
  answer.matches.erase(std::unique(first, answer.matches.end()), answer.matches.end());
}

// Looks one part of all queries up with all flips, as many at a time as there is room for.
void FourPartQuery::LookUp(size_t part, WideAnswer& answer) {
  const auto radius = static_cast<uint32_t>(plan_.RadiusOf(part));
  const std::span<const uint32_t> all = Flips(FourPartPlan::kPartBits, radius);
  for (size_t begin = 0; begin < all.size(); begin += kLookUps) {
    const auto flips = all.subspan(begin, std::min(kLookUps, all.size() - begin));
    keys_.resize(queries_.size() * flips.size());
    for (size_t q = 0; q < queries_.size(); ++q) {
      ActiveKernels().mix_keys(PartOf(queries_[q], part), flips.data(), flips.size(), 0,
                               keys_.data() + q * flips.size());
    }
    const auto visit = [&](size_t place, uint32_t slot) {
      in_.codes.PrefetchSlot(slot);
      waiting_[waiting_count_++] = {static_cast<uint32_t>(place / flips.size()), slot};
      if (waiting_count_ == waiting_.size()) Verify(part, answer);
    };
    const auto cut = [&](size_t place) {
      cut_[place / flips.size()] |= static_cast<uint8_t>(1U << part);
    };
    // Of what is in memory nothing is unreadable.
    (void)in_.tables[part].VisitKeys(keys_, in_.limit, scratch_, visit, cut);
  }
  Verify(part, answer);
}

void FourPartQuery::Verify(size_t part, WideAnswer& answer) {
  for (size_t i = 0; i < waiting_count_; ++i) {
    const auto [q, slot] = waiting_[i];
    const Code128 code = in_.codes.at(slot);
    const uint32_t distance = HammingDistance(code, queries_[q]);
    if (distance > plan_.radius || IsReportedBefore(part, q, code)) continue;
    answer.matches.push_back({first_query_ + q, distance, code});
  }
  waiting_count_ = 0;
}

// Whether an earlier part finds the code, too, and looked at everything.
bool FourPartQuery::IsReportedBefore(size_t part, size_t query, const Code128& code) const {
  for (size_t p = 0; p < part; ++p) {
    const int differing = std::popcount(PartOf(code, p) ^ PartOf(queries_[query], p));
    if (differing <= plan_.RadiusOf(p) && (cut_[query] >> p & 1) == 0) return true;
  }
  return false;
}

}  // namespace zhiwen
