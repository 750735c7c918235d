#include "pipeline/library/merged_passages.h"

#include <algorithm>

namespace zhiwen {
namespace {

bool Overlap(const ByteSpan& a, const ByteSpan& b) { return a.begin < b.end && b.begin < a.end; }

ByteSpan Hull(const ByteSpan& a, const ByteSpan& b) {
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

// Returns how many symbols of a run begin in none of the passages, which ascend.
uint64_t CountNew(const SharedRun& run, std::span<const ByteSpan> spans,
                  std::span<const MergedPassage> passages) {
  uint64_t count = 0;
  auto passage = passages.begin();
  for (uint64_t i = run.a_symbols.begin.value; i < run.a_symbols.end.value; ++i) {
    while (passage != passages.end() && passage->text.end <= spans[i].begin) ++passage;
    count += passage == passages.end() || spans[i].begin < passage->text.begin ? 1 : 0;
  }
  return count;
}

// Puts a run of a channel in the place of the passages that it overlaps in the text, if they cover
// less of it. What overlaps in the document, too, becomes a part of the run.
void Insert(const SharedRun& run, size_t channel, std::vector<MergedPassage>& passages) {
  MergedPassage merged = {.text = run.a_bytes, .document = run.b_bytes, .channel = channel};
  const auto first = std::ranges::find_if(
      passages, [&](const MergedPassage& passage) { return passage.text.end > run.a_bytes.begin; });
  auto last = first;
  uint64_t longest = run.a_bytes.size();
  uint64_t covered = 0;
  for (; last != passages.end() && last->text.begin < run.a_bytes.end; ++last) {
    covered += last->text.size();
    if (!Overlap(last->document, run.b_bytes)) continue;
    if (last->text.size() > longest) {
      longest = last->text.size();
      merged.channel = last->channel;
    }
    merged.text = Hull(merged.text, last->text);
    merged.document = Hull(merged.document, last->document);
  }
  if (merged.text.size() > covered) passages.insert(passages.erase(first, last), merged);
}

}  // namespace

std::vector<MergedPassage> MergePassages(std::span<const ChannelRuns> channels, uint32_t least) {
  std::vector<MergedPassage> passages;
  for (size_t channel = 0; channel < channels.size(); ++channel) {
    const bool is_first = passages.empty();
    for (const SharedRun& run : channels[channel].runs) {
      if (is_first) {
        passages.push_back({.text = run.a_bytes, .document = run.b_bytes, .channel = channel});
      } else if (CountNew(run, channels[channel].spans, passages) >= least) {
        Insert(run, channel, passages);
      }
    }
  }
  return passages;
}

}  // namespace zhiwen
