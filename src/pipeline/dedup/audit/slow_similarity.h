#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_SLOW_SIMILARITY_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_SLOW_SIMILARITY_H_

// Computes similarity word by word as docs/dedup-rules.md says: the symbols of the explaining
// channels, and sets of five symbols instead of hashes. Audits and tests hold the fast path against
// it; the two share the tables of the channels, nothing else.
//
// Cost        about 20 ns a symbol; 64 bytes a code point while a text is read
// Threads     pure functions
// Fails       kUnreadable: a text is not valid UTF-8

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "match/similarity.h"
#include "zhiwen/channel.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A set of runs of so many symbols, of five unless said: a table of where in the text they begin,
// compared symbol by symbol.
class SlowSet {
 public:
  SlowSet() = default;
  // Without the runs that are `left_out`, if that is given.
  explicit SlowSet(std::vector<uint32_t> symbols, size_t length = 5,
                   const std::function<bool(std::span<const uint32_t> run)>& left_out = {});

  size_t size() const { return begins_.size(); }
  bool empty() const { return begins_.empty(); }

  // |this ∩ other|, of runs of the same length.
  uint64_t CountShared(const SlowSet& other) const;

 private:
  static constexpr uint32_t kFree = UINT32_MAX;

  // The slot that has the run at `run`, or the free one where it would be.
  size_t Find(const uint32_t* run) const;

  size_t length_ = 5;
  std::vector<uint32_t> symbols_;
  std::vector<uint32_t> begins_;  // of runs, each once
  std::vector<uint32_t> slots_;   // a power of two: where runs begin, or kFree
  int shift_ = 0;                 // from a hash to its slot
};

// The symbols of `text`.
Result<std::vector<uint32_t>> SlowSymbols(const Channel& channel, std::string_view text);

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
