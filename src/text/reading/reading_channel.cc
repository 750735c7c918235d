#include "text/reading/reading_channel.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "text/channel_view.h"
#include "text/fold_machine.h"
#include "text/reading/reading_units.h"
#include "text/span_sink.h"
#include "text/symbol_buffer.h"
#include "text/wide_table.h"

namespace zhiwen {
namespace {

// Fast form, each character by itself: the kernel makes symbols.
class DefaultSink {
 public:
  static constexpr bool kExplains = false;

  DefaultSink(const ReadingUnits& reading, const WideTable& table, const SymbolVisitor& visit)
      : reading_(reading), table_(table), buffer_(visit) {}

  void Emit(uint32_t folded, const uint8_t* begin, const uint8_t* end) {
    reading_.ForEachUnit(folded, begin, end, [&](uint32_t unit, const uint8_t*, const uint8_t*) {
      buffer_.Add(reading_.SymbolOf(unit));
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

// Fast form with phrases: the kernel makes reading units, which wait until no phrase that begins
// with them can go on.
class PhraseSink {
 public:
  static constexpr bool kExplains = false;

  PhraseSink(const ReadingUnits& reading, const PhraseTable& phrases, const WideTable& table,
             const SymbolVisitor& visit)
      : reading_(reading),
        phrases_(phrases),
        table_(table),
        fold_wide_(ActiveKernels().fold_wide),
        buffer_(visit) {}

  void Emit(uint32_t folded, const uint8_t* begin, const uint8_t* end) {
    MoveTo(begin);
    size_t added = 0;
    reading_.ForEachUnit(folded, begin, end, [&](uint32_t unit, const uint8_t*, const uint8_t*) {
      Add(unit);
      ++added;
    });
    if (added == 0) Add(ReadingUnits::kGap);
    last_end_ = end;
  }

  size_t FoldWide(const uint8_t* at, size_t size) {
    MoveTo(at);
    if (kCapacity - count_ < kCapacity / 2) ReadBut(kMaxPhraseLength - 1);
    const size_t room = (kCapacity - count_ - 16) * 3;
    const size_t taken =
        fold_wide_(at, std::min(size, room), table_.data(), units_ + count_, &count_);
    last_end_ = at + taken;
    return taken;
  }

  void Flush() {
    ReadBut(0);
    buffer_.Flush();
  }

 private:
  static constexpr size_t kCapacity = 2048;

  // What lies between two units parts them.
  void MoveTo(const uint8_t* begin) {
    if (begin != last_end_) Add(ReadingUnits::kGap);
  }

  void Add(uint32_t unit) {
    units_[count_++] = unit;
    if (count_ == kCapacity) ReadBut(kMaxPhraseLength - 1);
  }

  // Reads all but the last units.
  void ReadBut(size_t left) {
    if (count_ <= left) return;
    const size_t next =
        ReadUnits(reading_, phrases_, std::span<const uint32_t>(units_, count_), count_ - left,
                  [&](uint32_t symbol, size_t) { buffer_.Add(symbol); });
    std::copy(units_ + next, units_ + count_, units_);
    count_ -= next;
  }

  const ReadingUnits& reading_;
  const PhraseTable& phrases_;
  const WideTable& table_;
  decltype(Kernels::fold_wide) fold_wide_;
  BasicSymbolBuffer<SymbolVisitor> buffer_;
  const uint8_t* last_end_ = nullptr;
  size_t count_ = 0;
  uint32_t units_[kCapacity];
};

// Explaining form: gathers reading units with their bytes; disguise is counted as folded does.
class ReadingSpanSink : public SpanSink {
 public:
  ReadingSpanSink(const ReadingUnits& reading, const uint8_t* origin, SpannedSymbols& units)
      : SpanSink(origin, units), reading_(reading), units_(units) {}

  void Emit(uint32_t folded, const uint8_t* begin, const uint8_t* end) {
    if (begin != last_end_) Add(ReadingUnits::kGap, begin, begin);
    const size_t before = units_.symbols.size();
    const bool is_spelled = reading_.ForEachUnit(
        folded, begin, end, [&](uint32_t unit, const uint8_t* unit_begin, const uint8_t* unit_end) {
          Add(unit, unit_begin, unit_end);
        });
    units_.disguise.spelled += is_spelled ? 1 : 0;
    if (units_.symbols.size() == before) {
      Add(ReadingUnits::kGap, begin, begin);
      const bool is_han =
          folded < ReadingUnits::kSpelled && LookUpFold(folded).fold_class() == FoldClass::kHan;
      units_.disguise.unread += is_han ? 1 : 0;
    }
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

// The kernel's table of symbols, or of reading units where there are phrases.
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
    if (entry != kFoldStop && !is_read) entry = static_cast<uint16_t>(ReadingUnits::kGap);
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

  void Visit(std::string_view utf8, const SymbolVisitor& visit) const override {
    if (phrases_) {
      PhraseSink sink(reading_, *phrases_, *table_, visit);
      Run(utf8, sink);
    } else {
      DefaultSink sink(reading_, *table_, visit);
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
    ReadUnits(reading_, phrases_ ? *phrases_ : PhraseTable(), units.symbols, units.symbols.size(),
              [&](uint32_t symbol, size_t at) {
                result.symbols.push_back(symbol);
                result.spans.push_back(units.spans[at]);
              });
    return result;
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

  std::shared_ptr<const Language> language_;  // what the others look into
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
