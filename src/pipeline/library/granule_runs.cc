#include "pipeline/library/granule_runs.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "zhiwen/check.h"

namespace zhiwen {
namespace {

// Returns how many code points of a passage lie in no run that makes a passage by itself.
uint64_t CountUnlike(const MatchedPassage& passage, const Comparison& folded,
                     const CodePointTable& points) {
  uint64_t count = passage.text.size();
  for (const SharedRun& run : folded.runs) {
    if (run.a_symbols.size() < kPassageRun) continue;
    const ByteSpan both = {std::max(run.a_bytes.begin, passage.text_bytes.begin),
                           std::min(run.a_bytes.end, passage.text_bytes.end)};
    if (both.begin < both.end) count -= points.Of(both).size();
  }
  return count;
}

}  // namespace

GranuleRuns ChooseGranuleRuns(const SchemeMatch& match, const Comparison& folded,
                              const CodePointTable& points) {
  std::vector<const MatchedPassage*> longest_first;
  for (const MatchedPassage& passage : match.passages) {
    if (passage.granules.size() >= kLeastGranules) longest_first.push_back(&passage);
  }
  std::ranges::stable_sort(longest_first, std::greater(),
                           [](const MatchedPassage* one) { return one->text_bytes.size(); });
  std::map<ByteOffset, SharedRun> chosen;  // by their end
  std::set<ByteOffset> granules;           // of the document, by their begin
  for (const MatchedPassage* const passage : longest_first) {
    const ByteSpan& bytes = passage->text_bytes;
    const auto after = chosen.upper_bound(bytes.begin);
    if (after != chosen.end() && after->second.a_bytes.begin < bytes.end) continue;
    if (CountUnlike(*passage, folded, points) < kPassageRun) continue;
    SharedRun run;
    run.a_bytes = bytes;
    run.b_bytes = passage->document_bytes;
    run.a_symbols = {{passage->text.begin.value}, {passage->text.end.value}};
    chosen.emplace(bytes.end, run);
    for (const MatchedGranule& one : passage->granules) granules.insert(one.document.bytes.begin);
  }
  GranuleRuns runs = {.granules = granules.size()};
  for (const auto& [end, run] : chosen) runs.runs.push_back(run);
  return runs;
}

}  // namespace zhiwen
