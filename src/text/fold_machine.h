#ifndef ZHIWEN_TEXT_FOLD_MACHINE_H_
#define ZHIWEN_TEXT_FOLD_MACHINE_H_

// The state machine of folded, one for every version and both forms: the table decides what a code
// point becomes, the sink what is kept.
//
// Clusters of one code point that are units by themselves or dropped (nearly all Chinese) are
// folded by the kernel `fold_wide`, runs of ASCII word by word, clusters of one code point by one
// table lookup, all others by the normaliser. An explaining sink does without the kernel.
//
// A sink has
//   static constexpr bool kExplains
//   void Emit(uint32_t symbol, const uint8_t* begin, const uint8_t* end)   a unit and its source
//   size_t FoldWide(const uint8_t* at, size_t size)                        unless kExplains
// and if it explains or wants to know
//   void NoteSource(uint32_t code_point, FoldRecord record, bool in_emoji)
//       every character of the source but letters and digits of ASCII, before its units
//   void NoteAscii(const uint8_t* begin, const uint8_t* end)   those letters and digits
//   void NoteSymbolUnit()                     the next Emit is of a unit of symbols
//   void NoteOperator(FoldRecord record)      the next Emit is of an operator

#include <cstdint>
#include <span>
#include <vector>

#include "base/utf8/utf8.h"
#include "text/ascii_word.h"
#include "text/cluster_normalizer.h"
#include "text/fold_table.h"
#include "text/grapheme.h"
#include "text/operators.h"
#include "text/unit_hash.h"

namespace zhiwen {

template <typename Sink>
class FoldMachine {
 public:
  explicit FoldMachine(Sink& sink, const FoldTable& table = BaseFoldTable())
      : sink_(sink), table_(table) {}

  // Folds the whole text [at, end).
  void Run(const uint8_t* at, const uint8_t* end) {
    static_assert(!Sink::kExplains || kNotesSource,
                  "an explaining sink is told of every character of the source");
    begin_ = at;
    end_ = end;
    while (at < end) {
      if (*at < 0x80) {
        at = TakeAscii(at);
      } else if (const uint8_t* after = TakeWide(at); after != at) {
        at = after;
      } else {
        at = TakeCodePoint(at);
      }
    }
    CloseUnit();
  }

 private:
  static constexpr bool kNotesSource =
      requires(Sink& sink, FoldRecord record) { sink.NoteSource(uint32_t{}, record, bool{}); };

  // What kind of unit is open, that is, may still grow.
  enum class Open : uint8_t { kNothing, kRun, kCharacter, kSea, kSymbol };

  // ---- Sources: each takes what stands at `at` and returns where it ended. ----

  // Takes ASCII up to the first other byte, or up to a character that a mark may join. A dropped
  // character needs no look at what follows: marks after it are dropped in any case.
  const uint8_t* TakeAscii(const uint8_t* at) {
    while (at < end_) {
      const AsciiKind kind = KindOfByte(*at);
      if (kind == AsciiKind::kWord) {
        const uint8_t* after = TakeWord(at);
        if (after == at) return TakeCodePoint(at);
        at = after;
      } else if (kind == AsciiKind::kDropped) {
        CloseUnit();
        NoteSource(*at++);
      } else if (kind == AsciiKind::kPoint) {
        NoteSource(*at);
        TakePoint(*at++);
      } else if (kind == AsciiKind::kSymbol) {
        if (MayJoinAt(at + 1)) return TakeCodePoint(at);
        SetCluster(at, at + 1, false);
        NoteSource(*at);
        EmitAlone(*at++, FoldClass::kSymbol);
      } else if (kind == AsciiKind::kOperator) {
        SetCluster(at, at + 1, false);
        NoteSource(*at);
        TakeOperator(*at++);
      } else {
        return at;
      }
    }
    return at;
  }

  // Takes up to eight letters and digits, but not a last one that a mark may join, and a dropped
  // character behind them.
  const uint8_t* TakeWord(const uint8_t* at) {
    AsciiWord word = ReadAsciiWord(at, end_);
    const uint8_t* after = at + word.length;
    const AsciiKind next = after < end_ ? KindOfByte(*after) : AsciiKind::kNone;
    const bool ends_here = next >= AsciiKind::kDropped;
    if (ends_here && open_ == Open::kNothing) {
      EmitWord(word, at);
      NoteAscii(at, after);
      if (next != AsciiKind::kDropped) return after;
      NoteSource(*after);
      return after + 1;
    }
    if (MayJoinAt(after)) {
      if (--word.length == 0) return at;
      word.bytes &= (1ULL << 8 * word.length) - 1;
    }
    ContinueRun(word, at);
    NoteAscii(at, at + word.length);
    return at + word.length;
  }

  // Whether the character at `at` may join an ASCII character before it.
  bool MayJoinAt(const uint8_t* at) const { return at < end_ && *at >= 0x80 && !IsHanLead(*at); }

  // Takes three-byte characters that are units by themselves, many at a time.
  const uint8_t* TakeWide(const uint8_t* at) {
    if constexpr (Sink::kExplains) {
      return at;
    } else {
      if ((*at & 0xF0) != 0xE0) return at;
      if (open_ == Open::kRun) {
        if (!IsHanLead(*at)) return at;  // may belong to the run, as a full-width comma may
        CloseUnit();
      }
      if (*at != 0xE2 && *at != 0xEF) return at + sink_.FoldWide(at, BytesLeft(at));
      const uint8_t* after = SkipProse(at);
      return after != at ? after : at + sink_.FoldWide(at, BytesLeft(at));
    }
  }

  // Passes over one or two dashes or exclamation marks of Chinese text: directly after a Han
  // character they are never units, and they join nothing.
  const uint8_t* SkipProse(const uint8_t* at) const {
    if (kNotesSource || !table_.has_operators() || !FollowsHan(table_, {begin_, end_}, at)) {
      return at;
    }
    if (IsWideProse({at, end_})) at += 3;
    return IsWideProse({at, end_}) ? at + 3 : at;
  }

  size_t BytesLeft(const uint8_t* at) const { return static_cast<size_t>(end_ - at); }

  // Takes the grapheme cluster at `at`, whatever it is.
  const uint8_t* TakeCodePoint(const uint8_t* at) {
    const DecodedCodePoint decoded = DecodeCodePoint(at, end_);
    const FoldRecord record = table_.LookUp(decoded.code_point);
    const uint8_t* after = at + decoded.length;
    if (after < end_) {
      const FoldRecord next = table_.LookUp(DecodeCodePoint(after, end_).code_point);
      if (JoinsFirst(record.grapheme_break(), next.grapheme_break())) return TakeCluster(at);
    }
    SetCluster(at, after, false);
    NoteSource(decoded.code_point);
    const FoldClass fold_class = record.fold_class();
    if (fold_class == FoldClass::kHan || fold_class == FoldClass::kSymbol) {
      EmitAlone(record.Map(decoded.code_point), fold_class);
    } else if (fold_class == FoldClass::kExpansion) {
      for (const uint32_t part : record.expansion()) TakeNormalized(part);
    } else {
      Take(record.Map(decoded.code_point), fold_class);
    }
    FinishCluster();
    return after;
  }

  // Takes a cluster of two or more code points.
  const uint8_t* TakeCluster(const uint8_t* at) {
    DecodedCodePoint decoded = DecodeCodePoint(at, end_);
    const GraphemeBreak first = table_.LookUp(decoded.code_point).grapheme_break();
    GraphemeCluster cluster(first);
    const uint8_t* after = at;
    size_t length = 0;
    do {
      code_points_[length++] = decoded.code_point;
      after += decoded.length;
      if (after == end_) break;
      decoded = DecodeCodePoint(after, end_);
    } while (cluster.Accept(table_.LookUp(decoded.code_point).grapheme_break()));
    SetCluster(at, after,
               first == GraphemeBreak::kPictographic || first == GraphemeBreak::kRegionalIndicator);
    TakeClusterCodePoints(std::span<const uint32_t>(code_points_, length));
    FinishCluster();
    return after;
  }

  void TakeClusterCodePoints(std::span<const uint32_t> code_points) {
    for (const uint32_t code_point : code_points) NoteSource(code_point);
    if (MapsCodePointByCodePoint(code_points)) {
      for (const uint32_t code_point : code_points) TakeNormalized(code_point);
      return;
    }
    NormalizeCluster(code_points, normalized_);
    for (const uint32_t normalized : normalized_) TakeNormalized(normalized);
  }

  // ---- Units: what a mapped code point does. ----

  // A code point that is folded: what follows folding, the script table and later, is applied here.
  void TakeNormalized(uint32_t code_point) {
    const FoldRecord record = table_.LookUp(code_point);
    if (record.fold_class() == FoldClass::kExpansion) {
      for (const uint32_t part : record.expansion()) TakeNormalized(part);
      return;
    }
    const bool changes = record.last_change() != LastChange::kNone;
    Take(changes ? record.Map(code_point) : code_point, record.fold_class());
  }

  void Take(uint32_t mapped, FoldClass fold_class) {
    switch (fold_class) {
      case FoldClass::kDropped:
        return CloseUnit();
      case FoldClass::kTransparent:
        return;
      case FoldClass::kMark:
        if (open_ != Open::kNothing && pending_point_ == 0) ExtendUnit(mapped);
        return;
      case FoldClass::kHan:
      case FoldClass::kKana:
      case FoldClass::kHangul:
        return StartUnit(Open::kCharacter, mapped);
      case FoldClass::kSea:
        return open_ == Open::kSea ? ExtendUnit(mapped) : StartUnit(Open::kSea, mapped);
      case FoldClass::kSymbol:
        return open_ == Open::kSymbol && cluster_is_emoji_ ? ExtendUnit(mapped)
                                                           : StartUnit(Open::kSymbol, mapped);
      case FoldClass::kPoint:
        return TakePoint(mapped);
      case FoldClass::kOperator:
        return TakeOperator(mapped);
      case FoldClass::kRun:
      case FoldClass::kDigit:
      case FoldClass::kExpansion:
        return TakeLetter(mapped, fold_class == FoldClass::kDigit);
    }
  }

  void TakePoint(uint32_t mapped) {
    if (open_ == Open::kRun && last_is_digit_ && pending_point_ == 0) {
      pending_point_ = mapped;
    } else {
      CloseUnit();
    }
  }

  // Takes an operator, which is a unit only where the cluster begins with it.
  void TakeOperator(uint32_t mapped) {
    CloseUnit();
    if (table_.has_operators() && IsOperatorUnit(table_, {begin_, end_}, cluster_begin_, mapped)) {
      EmitOperator(mapped);
    }
  }

  void EmitOperator(uint32_t op) {
    if constexpr (requires(FoldRecord record) { sink_.NoteOperator(record); }) {
      sink_.NoteOperator(table_.LookUp(DecodeCodePoint(cluster_begin_, end_).code_point));
    }
    sink_.Emit(op, cluster_begin_, cluster_end_);
  }

  void TakeLetter(uint32_t mapped, bool is_digit) {
    SettlePoint(is_digit);
    if (open_ == Open::kRun) {
      ExtendUnit(mapped);
    } else {
      StartUnit(Open::kRun, mapped);
    }
    last_is_digit_ = is_digit;
  }

  // A point after a digit belongs to the run when another digit follows.
  void SettlePoint(bool digit_follows) {
    if (pending_point_ == 0) return;
    if (digit_follows) {
      unit_.Append(pending_point_);
      pending_point_ = 0;
    } else {
      CloseUnit();
    }
  }

  void ContinueRun(const AsciiWord& word, const uint8_t* at) {
    const auto first = static_cast<uint32_t>(word.bytes & 0xFF);
    SetCluster(at, at + word.length, false);
    SettlePoint(first <= '9');
    if (open_ == Open::kRun) {
      unit_.AppendAscii(word.bytes, word.length);
      unit_end_ = cluster_end_;
    } else {
      StartUnit(Open::kRun, first);
      if (word.length > 1) unit_.AppendAscii(word.bytes >> 8, word.length - 1);
    }
    last_is_digit_ = word.last() <= '9';
  }

  // A run that is one word of at most eight letters: nothing is open before and after.
  void EmitWord(const AsciiWord& word, const uint8_t* at) {
    const uint32_t hash = FinishUnitHash(MixUnitWord(kUnitHashSeed, word.bytes));
    const uint32_t symbol = word.length == 1 ? static_cast<uint32_t>(word.bytes) : hash;
    sink_.Emit(symbol, at, at + word.length);
  }

  // A unit that is a cluster of one code point.
  void EmitAlone(uint32_t symbol, FoldClass fold_class) {
    CloseUnit();
    if (fold_class == FoldClass::kSymbol) NoteSymbolUnit();
    sink_.Emit(symbol, cluster_begin_, cluster_end_);
  }

  void StartUnit(Open kind, uint32_t mapped) {
    CloseUnit();
    open_ = kind;
    unit_.Start(mapped);
    unit_begin_ = cluster_begin_;
    unit_end_ = cluster_end_;
    last_is_digit_ = false;
  }

  void ExtendUnit(uint32_t mapped) {
    unit_.Append(mapped);
    unit_end_ = cluster_end_;
    last_is_digit_ = false;
  }

  void CloseUnit() {
    if (open_ == Open::kNothing) return;
    if (open_ == Open::kSymbol) NoteSymbolUnit();
    sink_.Emit(unit_.Symbol(), unit_begin_, unit_end_);
    open_ = Open::kNothing;
    pending_point_ = 0;
  }

  void SetCluster(const uint8_t* begin, const uint8_t* end, bool is_emoji) {
    cluster_begin_ = begin;
    cluster_end_ = end;
    cluster_is_emoji_ = is_emoji;
  }

  // Only a run goes on beyond its cluster.
  void FinishCluster() {
    if (open_ != Open::kRun) CloseUnit();
  }

  void NoteSource(uint32_t code_point) {
    if constexpr (kNotesSource) {
      sink_.NoteSource(code_point, table_.LookUp(code_point), cluster_is_emoji_);
    }
  }

  void NoteAscii(const uint8_t* begin, const uint8_t* end) {
    if constexpr (requires { sink_.NoteAscii(begin, end); }) sink_.NoteAscii(begin, end);
  }

  void NoteSymbolUnit() {
    if constexpr (requires { sink_.NoteSymbolUnit(); }) sink_.NoteSymbolUnit();
  }

  Sink& sink_;
  const FoldTable table_;           // its two pointers
  const uint8_t* begin_ = nullptr;  // of the text
  const uint8_t* end_ = nullptr;

  Open open_ = Open::kNothing;
  bool last_is_digit_ = false;  // of the open run
  uint32_t pending_point_ = 0;  // '.' or ',' after a digit of the open run
  UnitHash unit_;
  const uint8_t* unit_begin_ = nullptr;
  const uint8_t* unit_end_ = nullptr;

  const uint8_t* cluster_begin_ = nullptr;
  const uint8_t* cluster_end_ = nullptr;
  bool cluster_is_emoji_ = false;
  uint32_t code_points_[kMaxClusterLength];
  std::vector<uint32_t> normalized_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_FOLD_MACHINE_H_
