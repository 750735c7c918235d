#ifndef ZHIWEN_TEXT_SPAN_SINK_H_
#define ZHIWEN_TEXT_SPAN_SINK_H_

// The explaining sink of FoldMachine (text/fold_machine.h): keeps symbols with the bytes that they
// came from, and counts disguise as folded.v1 does. A channel that makes other symbols of a unit
// has a sink of its own that hands on to Emit.

#include <algorithm>
#include <cstdint>

#include "text/fold_tables.h"
#include "zhiwen/channel.h"

namespace zhiwen {

// Whether something of a character alone reaches the symbols.
inline bool YieldsUnit(FoldRecord record) {
  const auto is_kept = [](FoldClass fold_class) {
    return fold_class != FoldClass::kDropped && fold_class != FoldClass::kTransparent &&
           fold_class != FoldClass::kPoint && fold_class != FoldClass::kMark;
  };
  if (record.fold_class() != FoldClass::kExpansion) return is_kept(record.fold_class());
  return std::ranges::any_of(record.expansion(),
                             [&](uint32_t part) { return is_kept(LookUpFold(part).fold_class()); });
}

class SpanSink {
 public:
  static constexpr bool kExplains = true;

  SpanSink(const uint8_t* origin, SpannedSymbols& out) : origin_(origin), out_(out) {}

  void Emit(uint32_t symbol, const uint8_t* begin, const uint8_t* end) {
    out_.symbols.push_back(symbol);
    out_.spans.push_back(
        {{static_cast<uint64_t>(begin - origin_)}, {static_cast<uint64_t>(end - origin_)}});
  }

  void NoteSource(FoldRecord record, bool in_emoji) {
    if (record.fold_class() == FoldClass::kTransparent && !in_emoji) ++out_.disguise.invisible;
    if (!YieldsUnit(record)) return;
    if (record.changed_by_nfkc()) ++out_.disguise.compatibility;
    if (record.changed_by_script()) ++out_.disguise.traditional;
    const bool by_others = record.changed_by_nfkc() || record.changed_by_script();
    if (!record.is_unchanged() && !by_others) ++out_.disguise.letter_case;
  }

  void NoteAscii(const uint8_t* begin, const uint8_t* end) {
    out_.disguise.letter_case += static_cast<uint64_t>(
        std::count_if(begin, end, [](uint8_t byte) { return byte >= 'A' && byte <= 'Z'; }));
  }

  void NoteSymbolUnit() { ++out_.disguise.symbols; }

 private:
  const uint8_t* origin_;
  SpannedSymbols& out_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SPAN_SINK_H_
