#ifndef ZHIWEN_MATCH_PASSAGES_CHANNEL_SYMBOLS_H_
#define ZHIWEN_MATCH_PASSAGES_CHANNEL_SYMBOLS_H_

// A text on a channel as the search for passages reads it: symbols with bytes, weights, and names
// that are undone.
//
// Threads     const after construction: share freely

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "match/passages/channel_passages.h"
#include "zhiwen/channel.h"
#include "zhiwen/passages.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Finds names in symbols.
class NameFinder {
 public:
  explicit NameFinder(std::vector<std::vector<uint32_t>> names);

  // Returns the number of the longest name that the symbols begin with; none: kNone.
  size_t FindAt(std::span<const uint32_t> symbols) const;
  size_t SizeOf(size_t name) const { return names_[name].size(); }

  static constexpr size_t kNone = SIZE_MAX;

 private:
  std::vector<std::vector<uint32_t>> names_;
  std::unordered_map<uint32_t, std::vector<size_t>> by_first_;  // the longest first
};

// Returns the symbols that begin in these bytes of their text.
SymbolSpan SymbolsIn(std::span<const ByteSpan> symbols, const ByteSpan& bytes);

// Returns how much each symbol of a text says on a channel.
std::vector<float> WeighSymbols(const Channel& channel, std::string_view text,
                                std::span<const ByteSpan> symbols);

class ChannelSymbols {
 public:
  // Fails: kUnreadable when `text` is not valid UTF-8. `text` must outlive the object.
  static Result<ChannelSymbols> Create(const Channel& channel, std::string_view text);

  // Replaces the names of a by those of b, wherever they stand, the longest first. A symbol of the
  // new name has the bytes of symbols of the old name. A name without symbols stays.
  void Undo(const Channel& channel, std::span<const Renaming> renamed);

  ChannelText text() const { return {symbols_, weights_}; }
  const std::vector<uint32_t>& symbols() const { return symbols_; }
  const std::vector<ByteSpan>& spans() const { return spans_; }
  std::string_view At(const ByteSpan& bytes) const {
    return text_.substr(bytes.begin.value, bytes.size());
  }
  std::string_view BytesOf(uint32_t symbol) const { return At(spans_[symbol]); }
  // Of a symbol or more, half open.
  std::string_view BytesBetween(uint32_t begin, uint32_t end) const {
    return At(HullOf(begin, end));
  }
  // Returns the bytes of symbols, half open, from the first byte to the last; for none, the place
  // where they would be.
  ByteSpan HullOf(uint32_t begin, uint32_t end) const;
  // Returns how many bytes symbols have, half open, without what the channel drops between them.
  uint64_t BytesIn(uint32_t begin, uint32_t end) const;
  // Returns the symbols of parts of the text, which ascend, with `beside` on both sides.
  std::vector<SymbolSpan> SymbolsOf(std::span<const ByteSpan> parts, uint64_t beside) const;
  // Returns the number of the renaming that a symbol is of, from 1; 0: none.
  uint32_t RenamingOf(uint32_t symbol) const { return renamings_.empty() ? 0 : renamings_[symbol]; }

 private:
  ChannelSymbols(const Channel& channel, std::string_view text, SpannedSymbols symbols);

  std::string_view text_;
  std::vector<uint32_t> symbols_;
  std::vector<ByteSpan> spans_;
  std::vector<float> weights_;
  std::vector<uint32_t> renamings_;  // by symbol; empty: none
};

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_CHANNEL_SYMBOLS_H_
