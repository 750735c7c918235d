#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_TEXT_FEATURES_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_TEXT_FEATURES_H_

// Computes the symbols and shingles of one text, the same way in every pass.
//
// Threads     one object a worker, which reuses its buffers from text to text

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "zhiwen/channel.h"

namespace zhiwen {

// Hashes the value of --group-by. Records without a value are one group.
inline uint64_t HashGroup(std::optional<std::string_view> value) {
  return HashBytes64(value.value_or(std::string_view()), value ? 2 : 1);
}

// Groups never match across: their hash becomes a part of every key that brings documents together.
inline uint64_t MixWithGroup(uint64_t key, uint64_t group) {
  return (key ^ group) * 0x9E3779B97F4A7C15 ^ (group >> 31);
}

inline Hash128 MixWithGroup(const Hash128& hash, uint64_t group) {
  return {MixWithGroup(hash.high, group), MixWithGroup(hash.low, ~group)};
}

class TextFeatures {
 public:
  explicit TextFeatures(const Channel& channel) : channel_(channel) {}

  // Reads `utf8` (valid) as symbols of the channel.
  void Read(std::string_view utf8);

  std::span<const uint32_t> symbols() const { return symbols_; }
  bool has_shingles() const;

  // Features of the text last read.
  Hash128 SymbolHash() const;
  std::span<const uint64_t> Shingles();             // in order, with repeats
  void TakeShingleSet(std::vector<uint64_t>& set);  // ascending, distinct

  // Gives back buffers of `large_bytes` or more.
  void Shrink(uint64_t large_bytes);

 private:
  Channel channel_;
  std::vector<uint32_t> symbols_;
  std::vector<uint64_t> shingles_;
  std::vector<uint64_t> scratch_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_TEXT_FEATURES_H_
