#include "pipeline/library/merged_passages.h"

#include <algorithm>

#include "zhiwen/check.h"

namespace zhiwen {
namespace {

bool Overlap(const ByteSpan& a, const ByteSpan& b) { return a.begin < b.end && b.begin < a.end; }

ByteSpan Hull(const ByteSpan& a, const ByteSpan& b) {
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

// A stretch of a run: symbols of the text, and the bytes of both texts.
struct Stretch {
  SymbolSpan symbols;
  ByteSpan text, document;
};

// Inserts the runs of one channel among the passages of earlier ones.
class RunInserter {
 public:
  RunInserter(const ChannelRuns& of_channel, size_t channel, uint32_t least,
              std::vector<MergedPassage>& passages)
      : of_channel_(of_channel), channel_(channel), least_(least), passages_(passages) {}

  void Insert(const SharedRun& run) {
    for (const Stretch& stretch : Cut(run)) {
      if (CountNew(stretch) >= least_) Insert(stretch);
    }
  }

 private:
  Stretch StretchOf(const SharedRun& run, uint64_t begin, uint64_t end) const {
    const uint64_t in_document = run.b_symbols.begin.value + begin - run.a_symbols.begin.value;
    const auto spans = of_channel_.spans.subspan(begin, end - begin);
    const auto document_spans = of_channel_.document_spans.subspan(in_document, end - begin);
    return {.symbols = {{begin}, {end}},
            .text = {spans.front().begin, spans.back().end},
            .document = {document_spans.front().begin, document_spans.back().end}};
  }

  // Returns the stretches of a run that lie in no other passage, where passages that the run takes
  // in do not count.
  std::vector<Stretch> Cut(const SharedRun& run) const {
    std::vector<Stretch> stretches;
    uint64_t begin = run.a_symbols.begin.value;
    const uint64_t end = run.a_symbols.end.value;
    for (auto passage = FirstBehind(run.a_bytes.begin);
         passage != passages_.end() && passage->text.begin < run.a_bytes.end; ++passage) {
      uint64_t first = begin;
      while (first < end && of_channel_.spans[first].end <= passage->text.begin) ++first;
      uint64_t last = first;
      while (last < end && of_channel_.spans[last].begin < passage->text.end) ++last;
      if (first == last) continue;
      const bool is_taken_in = last - first < kPassageRun &&
                               Overlap(StretchOf(run, first, last).document, passage->document);
      if (is_taken_in) continue;
      if (begin < first) stretches.push_back(StretchOf(run, begin, first));
      begin = last;
    }
    if (begin < end) stretches.push_back(StretchOf(run, begin, end));
    return stretches;
  }

  // Returns the first passage that ends behind a byte.
  std::vector<MergedPassage>::iterator FirstBehind(ByteOffset byte) const {
    return std::ranges::upper_bound(passages_, byte, {},
                                    [](const MergedPassage& one) { return one.text.end; });
  }

  // Returns how many symbols of a stretch begin in no passage.
  uint64_t CountNew(const Stretch& stretch) const {
    uint64_t count = 0;
    auto passage = FirstBehind(stretch.text.begin);
    for (uint64_t i = stretch.symbols.begin.value; i < stretch.symbols.end.value; ++i) {
      const ByteOffset begin = of_channel_.spans[i].begin;
      while (passage != passages_.end() && passage->text.end <= begin) ++passage;
      count += passage == passages_.end() || begin < passage->text.begin ? 1 : 0;
    }
    return count;
  }

  // Puts a stretch in the place of the passages that it takes in.
  void Insert(const Stretch& stretch) {
    MergedPassage merged = {
        .text = stretch.text, .document = stretch.document, .channel = channel_};
    uint64_t longest = stretch.text.size();
    const auto first = FirstBehind(stretch.text.begin);
    auto last = first;
    for (; last != passages_.end() && last->text.begin < stretch.text.end; ++last) {
      if (last->text.size() > longest) {
        longest = last->text.size();
        merged.channel = last->channel;
      }
      merged.text = Hull(merged.text, last->text);
      merged.document = Hull(merged.document, last->document);
    }
    passages_.insert(passages_.erase(first, last), merged);
  }

  const ChannelRuns& of_channel_;
  const size_t channel_;
  const uint32_t least_;
  std::vector<MergedPassage>& passages_;
};

}  // namespace

std::vector<MergedPassage> MergePassages(std::span<const ChannelRuns> channels, uint32_t least) {
  std::vector<MergedPassage> passages;
  for (size_t channel = 0; channel < channels.size(); ++channel) {
    if (passages.empty()) {
      for (const SharedRun& run : channels[channel].runs) {
        passages.push_back({.text = run.a_bytes, .document = run.b_bytes, .channel = channel});
      }
      continue;
    }
    RunInserter inserter(channels[channel], channel, least, passages);
    for (const SharedRun& run : channels[channel].runs) inserter.Insert(run);
  }
  return passages;
}

}  // namespace zhiwen
