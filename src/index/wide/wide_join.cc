#include "index/wide/wide_join.h"

#include <algorithm>
#include <vector>

#include "index/wide/four_part_index.h"

namespace zhiwen {

Status JoinWithin(std::span<const Code128> codes, uint32_t radius, const WidePairSink& sink,
                  const Cancellation& cancellation) {
  constexpr size_t kTogether = 1024;
  FourPartIndex index({.scan_limit = SIZE_MAX});
  index.Insert(codes);
  WideAnswer answer;
  std::vector<WidePair> pairs;
  for (size_t begin = 0; begin < codes.size(); begin += kTogether) {
    ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
    const auto queries = codes.subspan(begin, std::min(kTogether, codes.size() - begin));
    answer.matches.clear();
    index.Query(queries, radius, answer);
    pairs.clear();
    for (const WideMatch& match : answer.matches) {
      if (queries[match.query] < match.code) pairs.push_back({queries[match.query], match.code});
    }
    if (!pairs.empty()) sink(pairs);
  }
  return {};
}

}  // namespace zhiwen
