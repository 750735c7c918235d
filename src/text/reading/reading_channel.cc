#include "text/reading/reading_channel.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "text/channel_view.h"
#include "text/fold_machine.h"
#include "text/located_symbols.h"
#include "text/phrase/phrase_sink.h"
#include "text/reading/reading_units.h"
#include "text/span_sink.h"
#include "text/symbol_buffer.h"
#include "text/wide_table.h"

namespace zhiwen {
namespace {

// Fast form that reads each character by itself. The kernel makes the symbols.
class DefaultSink {
 public:
  static constexpr bool kExplains = false;

  DefaultSink(const ReadingUnits& reading, const WideTable& table, size_t most,
              const SymbolVisitor& visit)
      : reading_(reading), table_(table), buffer_(visit, most) {}

  void Emit(uint32_t folded, const uint8_t* begin, const uint8_t* end) {
    reading_.ForEachUnit(folded, begin, end, [&](uint32_t unit, const uint8_t*, const uint8_t*) {
      if (unit != kPhraseGap) buffer_.Add(reading_.SymbolOf(unit));
    });
  }
  size_t FoldWide(const uint8_t* at, size_t size) {
    return buffer_.FoldWide(table_.data(), at, size);
  }
  void Flush() { buffer_.Flush(); }

 private:
  const ReadingUnits& reading_;
  const WideTable& table_;
  BasicSymbolBuffer<SymbolVisitor> buffer_;
};

// The same with the bytes of the symbols.
class LocatingReadingSink {
 public:
  static constexpr bool kExplains = false;

  LocatingReadingSink(const ReadingUnits& reading, const WideTable& table, std::string_view utf8)
      : reading_(reading), table_(table), symbols_(utf8) {}

  void Emit(uint32_t folded, const uint8_t* begin, const uint8_t* end) {
    reading_.ForEachUnit(folded, begin, end,
                         [&](uint32_t unit, const uint8_t* unit_begin, const uint8_t* unit_end) {
                           if (unit == kPhraseGap) return;
                           symbols_.Add(reading_.SymbolOf(unit), unit_begin, unit_end);
                         });
  }
  size_t FoldWide(const uint8_t* at, size_t size) { return symbols_.FoldWide(table_, at, size); }
  void Flush() {}
  SpannedSymbols Take() { return symbols_.Take(); }

 private:
  const ReadingUnits& reading_;
  const WideTable& table_;
  LocatedSymbols symbols_;
};

// Explaining form, which gathers reading units with their bytes. Disguise is counted as folded
// does.
class ReadingSpanSink : public SpanSink {
 public:
  ReadingSpanSink(const ReadingUnits& reading, const uint8_t* origin, SpannedSymbols& units)
      : SpanSink(origin, units), reading_(reading), units_(units) {}

  void Emit(uint32_t folded, const uint8_t* begin, const uint8_t* end) {
    if (ReadingUnits::Parts(last_end_, begin)) Add(kPhraseGap, begin, begin);
    const bool is_spelled = reading_.ForEachUnit(
        folded, begin, end, [&](uint32_t unit, const uint8_t* unit_begin, const uint8_t* unit_end) {
          Add(unit, unit_begin, unit_end);
        });
    units_.disguise.spelled += is_spelled ? 1 : 0;
    const bool is_unread_han = units_.symbols.back() == kPhraseGap &&
                               folded < ReadingUnits::kSpelled &&
                               LookUpFold(folded).fold_class() == FoldClass::kHan;
    units_.disguise.unread += is_unread_han ? 1 : 0;
    last_end_ = end;
  }

 private:
  void Add(uint32_t unit, const uint8_t* begin, const uint8_t* end) {
    SpanSink::Emit(unit, begin, end);
  }

  const ReadingUnits& reading_;
  SpannedSymbols& units_;
  const uint8_t* last_end_ = nullptr;
};

// Makes the kernel's table of symbols, or of reading units where there are phrases.
std::unique_ptr<const WideTable> MakeReadingTable(const ReadingUnits& reading) {
  return MakeWideTable([&](uint32_t folded) {
    const uint32_t symbol = reading.SymbolOfCharacter(folded);
    return symbol == 0 ? kFoldDropped : static_cast<uint16_t>(symbol);
  });
}

std::unique_ptr<const WideTable> MakeUnitTable(const ReadingUnits& reading) {
  auto table = std::make_unique<WideTable>(BaseFoldedWideTable());
  for (uint16_t& entry : *table) {
    const bool is_read = entry < kFoldDropped && reading.SymbolOfCharacter(entry) != 0;
    if (entry != kFoldStop && !is_read) entry = kPhraseGap;
  }
  return table;
}

class ReadingView final : public ChannelView {
 public:
  ReadingView(std::string name, const ChannelRequest& request, ReadingUnits reading,
              std::optional<PhraseTable> phrases)
      : ChannelView(std::move(name)),
        language_(request.language),
        reading_(std::move(reading)),
        phrases_(std::move(phrases)),
        table_(phrases_ ? MakeUnitTable(reading_) : MakeReadingTable(reading_)) {}

  void VisitPieces(std::string_view utf8, size_t most, const SymbolVisitor& visit) const override {
    if (phrases_) {
      PhraseSink sink(reading_, *phrases_, *table_, most, visit);
      Run(utf8, sink);
    } else {
      DefaultSink sink(reading_, *table_, most, visit);
      Run(utf8, sink);
    }
  }

  SpannedSymbols Explain(std::string_view utf8) const override {
    SpannedSymbols units;
    const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
    ReadingSpanSink sink(reading_, begin, units);
    FoldMachine<ReadingSpanSink>(sink).Run(begin, begin + utf8.size());
    SpannedSymbols result;
    result.disguise = units.disguise;
    const auto add = [&](uint32_t symbol, size_t at) {
      result.symbols.push_back(symbol);
      result.spans.push_back(units.spans[at]);
    };
    static const PhraseTable kNone;
    ReplacePhrases(
        phrases_ ? *phrases_ : kNone, units.symbols, units.symbols.size(),
        [&](size_t at) { add(reading_.SymbolOf(units.symbols[at]), at); },
        [&](size_t at, const PhraseTable::Match& match) {
          for (const uint32_t syllable : match.output) add(syllable, at++);
        });
    return result;
  }

  SpannedSymbols Locate(std::string_view utf8) const override {
    if (phrases_) return Explain(utf8);
    LocatingReadingSink sink(reading_, *table_, utf8);
    Run(utf8, sink);
    return sink.Take();
  }

  bool reads_chinese_only() const override { return true; }

  std::string Name(uint32_t symbol) const override {
    if (reading_.kind() == ReadingKind::kPinyin && IsSyllable(symbol)) return SyllableName(symbol);
    if (reading_.kind() != ReadingKind::kPhonemes || !IsPhonemes(symbol)) {
      return ChannelView::Name(symbol);
    }
    const std::string_view initial = InitialName(InitialOf(SyllableOf(symbol)));
    return fmt::format("{}-{}-{}", initial.empty() ? "∅" : initial,
                       FinalName(FinalOf(SyllableOf(symbol))), ToneOf(symbol));
  }

 private:
  template <typename Sink>
  static void Run(std::string_view utf8, Sink& sink) {
    const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
    FoldMachine<Sink>(sink).Run(begin, begin + utf8.size());
    sink.Flush();
  }

  std::shared_ptr<const Language> language_;  // owns the data that the other members view
  ReadingUnits reading_;
  std::optional<PhraseTable> phrases_;
  std::unique_ptr<const WideTable> table_;
};

Result<Channel> OpenReading(const ChannelRequest& request, ReadingKind kind,
                            std::string_view versioned_name) {
  const SectionFile& sections = request.language->sections();
  ZHIWEN_ASSIGN_OR_RETURN(const Readings readings, Readings::Open(sections));
  std::optional<PhraseTable> phrases;
  const auto value = request.values.find("reading");
  if (value != request.values.end() && value->second == "phrase") {
    ZHIWEN_ASSIGN_OR_RETURN(phrases, OpenPhraseReadings(sections));
  }
  return Channel(std::make_shared<ReadingView>(request.CanonicalName(versioned_name), request,
                                               ReadingUnits(kind, readings), std::move(phrases)));
}

}  // namespace

Result<Channel> OpenPinyin(const ChannelRequest& request) {
  return OpenReading(request, ReadingKind::kPinyin, "pinyin.v1");
}

Result<Channel> OpenInitials(const ChannelRequest& request) {
  return OpenReading(request, ReadingKind::kInitials, "initials.v1");
}

Result<Channel> OpenPhonemes(const ChannelRequest& request) {
  return OpenReading(request, ReadingKind::kPhonemes, "phonemes.v1");
}

}  // namespace zhiwen
