#include "pipeline/library/merged_passages.h"

#include <algorithm>

#include "zhiwen/check.h"

namespace zhiwen {
namespace {

bool Overlap(const ByteSpan& a, const ByteSpan& b) { return a.begin < b.end && b.begin < a.end; }

ByteSpan Hull(const ByteSpan& a, const ByteSpan& b) {
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

// A passage that a run overlaps in the text, or a gap between such passages.
struct Part {
  MergedPassage passage;  // of a gap: what the run has there
  bool is_gap = false;
};

// Inserts the runs of one channel among the passages of earlier ones.
class RunInserter {
 public:
  RunInserter(const ChannelRuns& of_channel, size_t channel, uint32_t least,
              std::vector<MergedPassage>& passages)
      : of_channel_(of_channel), channel_(channel), least_(least), passages_(passages) {}

  void Insert(const SharedRun& run) {
    const auto first = std::ranges::upper_bound(
        passages_, run.a_bytes.begin, {}, [](const MergedPassage& one) { return one.text.end; });
    auto last = first;
    while (last != passages_.end() && last->text.begin < run.a_bytes.end) ++last;
    merged_.clear();
    parts_.clear();
    uint64_t at = run.a_symbols.begin.value;
    for (auto passage = first; passage != last; ++passage) {
      uint64_t begin = at;
      while (begin < run.a_symbols.end.value && SpanOf(begin).end <= passage->text.begin) ++begin;
      uint64_t end = begin;
      while (end < run.a_symbols.end.value && SpanOf(end).begin < passage->text.end) ++end;
      AddGap(run, at, begin);
      if (IsAt(run, begin, end, passage->document)) {
        parts_.push_back({.passage = *passage});
      } else {
        Join();
        merged_.push_back(*passage);
      }
      at = end;
    }
    AddGap(run, at, run.a_symbols.end.value);
    Join();
    passages_.insert(passages_.erase(first, last), merged_.begin(), merged_.end());
  }

 private:
  const ByteSpan& SpanOf(uint64_t symbol) const { return of_channel_.spans[symbol]; }
  // Returns the bytes of the document for a symbol of the text that is in the run.
  const ByteSpan& DocumentSpanOf(const SharedRun& run, uint64_t symbol) const {
    return of_channel_
        .document_spans[run.b_symbols.begin.value + symbol - run.a_symbols.begin.value];
  }

  void AddGap(const SharedRun& run, uint64_t begin, uint64_t end) {
    if (begin == end) return;
    const MergedPassage gap = {
        .text = {SpanOf(begin).begin, SpanOf(end - 1).end},
        .document = {DocumentSpanOf(run, begin).begin, DocumentSpanOf(run, end - 1).end},
        .channel = channel_,
        .symbols = end - begin};
    parts_.push_back({.passage = gap, .is_gap = true});
  }

  // Returns whether a place of the document is where a run has the symbols from `begin` to `end`;
  // or, where these are none, between those around.
  bool IsAt(const SharedRun& run, uint64_t begin, uint64_t end, const ByteSpan& document) const {
    if (begin < end) {
      return Overlap({DocumentSpanOf(run, begin).begin, DocumentSpanOf(run, end - 1).end},
                     document);
    }
    if (begin == run.a_symbols.begin.value || end == run.a_symbols.end.value) return false;
    return DocumentSpanOf(run, begin - 1).end <= document.begin &&
           document.end <= DocumentSpanOf(run, begin).begin;
  }

  // Returns whether two neighbouring parts are one passage.
  bool AreOne(const Part& a, const Part& b) const {
    if (a.is_gap == b.is_gap) return false;
    const Part &gap = a.is_gap ? a : b, &other = a.is_gap ? b : a;
    return gap.passage.symbols < least_ || other.passage.symbols < kPassageRun;
  }

  // Moves the parts to what is merged: joined, if the run adds enough to them.
  void Join() {
    uint64_t added = 0;
    for (const Part& part : parts_) added += part.is_gap ? part.passage.symbols : 0;
    if (added < least_) std::erase_if(parts_, &Part::is_gap);
    for (size_t i = 0; i < parts_.size(); ++i) {
      const bool joins = added >= least_ && i > 0 && AreOne(parts_[i - 1], parts_[i]);
      const MergedPassage& part = parts_[i].passage;
      if (!joins) {
        merged_.push_back(part);
        continue;
      }
      MergedPassage& whole = merged_.back();
      whole = {.text = Hull(whole.text, part.text),
               .document = Hull(whole.document, part.document),
               .channel = channel_,
               .symbols = whole.symbols + part.symbols};
    }
    parts_.clear();
  }

  const ChannelRuns& of_channel_;
  const size_t channel_;
  const uint32_t least_;
  std::vector<MergedPassage>& passages_;
  std::vector<Part> parts_;            // of the run, since the last passage at another place
  std::vector<MergedPassage> merged_;  // for the passages that the run overlaps
};

}  // namespace

std::vector<MergedPassage> MergePassages(std::span<const ChannelRuns> channels, uint32_t least) {
  std::vector<MergedPassage> passages;
  for (size_t channel = 0; channel < channels.size(); ++channel) {
    if (passages.empty()) {
      for (const SharedRun& run : channels[channel].runs) {
        passages.push_back({.text = run.a_bytes,
                            .document = run.b_bytes,
                            .channel = channel,
                            .symbols = run.a_symbols.size()});
      }
      continue;
    }
    RunInserter inserter(channels[channel], channel, least, passages);
    for (const SharedRun& run : channels[channel].runs) inserter.Insert(run);
  }
  return passages;
}

}  // namespace zhiwen
