#ifndef ZHIWEN_TEXT_PHRASE_PHRASE_VIEW_H_
#define ZHIWEN_TEXT_PHRASE_PHRASE_VIEW_H_

// A channel that equals the folded one with phrases of symbols replaced: regional, shape, variants.
// Phrases consist of adjacent units. Of the characters that folded drops between units, only stops
// separate phrases.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "text/channel_view.h"
#include "text/phrase/phrase_table.h"

namespace zhiwen {

// The range of Han characters, as symbols, for which a channel may have classes.
inline constexpr uint32_t kFirstClassed = 0x3400;
inline constexpr uint32_t kLastClassed = 0x9FFF;

struct PhraseViewParts {
  PhraseTable table;
  std::span<const uint16_t> classes;        // for kFirstClassed to kLastClassed, or empty
  uint64_t DisguiseCounts::*count;          // counts phrases that were replaced by something else
  std::shared_ptr<const void> keeps_alive;  // owns the memory of table and classes
  // Names of inserted symbols that cannot be read from the bytes of a text.
  std::map<uint32_t, std::string> names = {};
};

class PhraseView final : public ChannelView {
 public:
  PhraseView(std::string name, PhraseViewParts parts)
      : ChannelView(std::move(name)), parts_(std::move(parts)) {}

  void VisitPieces(std::string_view utf8, size_t most, const SymbolVisitor& visit) const override;
  SpannedSymbols Explain(std::string_view utf8) const override;
  std::string NameIn(std::string_view source, uint32_t symbol) const override;

 private:
  void Classify(std::span<uint32_t> symbols) const;

  PhraseViewParts parts_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_PHRASE_PHRASE_VIEW_H_
