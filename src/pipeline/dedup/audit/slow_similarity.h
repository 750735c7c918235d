#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_SLOW_SIMILARITY_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_SLOW_SIMILARITY_H_

// Computes similarity word by word as docs/dedup-rules.md says: the symbols of the explaining
// channels, and sets of five symbols instead of hashes. Audits and tests hold the fast path against
// it; the two share the tables of the channels, nothing else.
//
// Cost        about 8 ns a symbol; a set takes 60 bytes a symbol
// Threads     a set belongs to one thread at a time; all else pure functions
// Fails       kUnreadable: a text is not valid UTF-8

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "match/similarity.h"
#include "zhiwen/channel.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Where runs of a text begin, the first of those that are equal.
class RunTable {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // Makes room for so many runs.
  void Reset(size_t runs);
  // Prepares Find.
  void Fetch(uint32_t hash) const;
  // Returns the slot of the run at `run`: it has the place in `symbols` where an equal one begins,
  // or kNone.
  uint32_t& Find(const uint32_t* run, uint32_t hash, size_t length, const uint32_t* symbols) {
    return slots_[SlotOf(run, hash, length, symbols)];
  }
  uint32_t Find(const uint32_t* run, uint32_t hash, size_t length, const uint32_t* symbols) const {
    return slots_[SlotOf(run, hash, length, symbols)];
  }

 private:
  size_t SlotOf(const uint32_t* run, uint32_t hash, size_t length, const uint32_t* symbols) const;

  std::vector<uint32_t> slots_;  // a power of two
  int shift_ = 0;                // from a hash to its slot
};

// A set of runs of so many symbols, of five unless said: a table of where in the text they begin,
// compared symbol by symbol. Its memory is used again by the next text.
class SlowSet {
 public:
  static constexpr size_t kShingle = 5;

  SlowSet() = default;
  explicit SlowSet(std::vector<uint32_t> symbols, size_t length = kShingle)
      : symbols_(std::move(symbols)) {
    Collect(length);
  }

  // Makes it the set of the runs of `text`.
  Status Read(const Channel& channel, std::string_view text, size_t length = kShingle);

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  size_t capacity() const { return symbols_.capacity(); }  // symbols that it has memory for

  // Compares it, as `a`, with the set of the runs of `symbols`.
  SetOverlap Compare(std::span<const uint32_t> symbols) const;

  // |this ∩ other|, of runs of the same length.
  uint64_t CountShared(const SlowSet& other) const { return Compare(other.symbols_).shared; }

 private:
  void Collect(size_t length);

  size_t length_ = kShingle;
  size_t size_ = 0;
  std::vector<uint32_t> symbols_;
  std::vector<uint32_t> hashes_;  // of runs
  std::vector<uint32_t> first_;   // by run: where the first one equal to it begins
  RunTable table_;
  mutable RunTable others_;         // runs of the last other text that are not here
  mutable std::vector<char> seen_;  // by run: whether it is in that text
};

// Replaces `symbols` by those of `text`.
Status ReadSlowSymbols(const Channel& channel, std::string_view text,
                       std::vector<uint32_t>& symbols);

// All runs of five symbols.
Result<SlowSet> SlowShingles(const Channel& channel, std::string_view text);

// Whether both texts have a run of `length` ≥ 1 equal symbols.
Result<bool> SlowShareRun(const Channel& channel, std::string_view a, std::string_view b,
                          size_t length);

// |A ∩ B| / |A ∪ B|; 0 when both are empty.
double SlowResemblance(const SlowSet& a, const SlowSet& b);
// The same of two sets of which so much is known.
double SlowResemblance(const SetOverlap& overlap);

// Whether both texts are the same symbols on `channel`.
Result<bool> SlowEqual(const Channel& channel, std::string_view a, std::string_view b);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_AUDIT_SLOW_SIMILARITY_H_
