#include "zhiwen/channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/utf8/utf8.h"
#include "text/channel_view.h"
#include "text/explain.h"
#include "text/fold.h"
#include "text/fold_machine.h"
#include "text/span_sink.h"
#include "text/unit_hash.h"
#include "text/unit_name.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

class ExactView final : public ChannelView {
 public:
  ExactView() : ChannelView("exact.v1") {}
  void VisitPieces(std::string_view utf8, size_t most, const SymbolVisitor& visit) const override {
    VisitExact(utf8, most, visit);
  }
  SpannedSymbols Explain(std::string_view utf8) const override { return ExplainExact(utf8); }
};

constexpr uint32_t ClassBit(FoldClass fold_class) {
  return 1U << static_cast<uint32_t>(fold_class);
}

// The sink for the explaining form when only its symbols are wanted. It takes three-byte characters
// one by one, by their records, instead of using the kernel.
class PlainSink {
 public:
  static constexpr bool kExplains = false;

  PlainSink(const FoldTable& table, std::vector<uint32_t>& symbols)
      : table_(table), symbols_(symbols) {}

  void Emit(uint32_t symbol, const uint8_t*, const uint8_t*) { symbols_.push_back(symbol); }

  // Takes characters that are dropped or are units by themselves, each in its own cluster.
  size_t FoldWide(const uint8_t* text, size_t size) {
    // The number of characters that the buffer has room for at once.
    constexpr size_t kMost = 512;
    const uint8_t* at = text;
    const uint8_t* const end = text + std::min(size, kMost * 3);
    uint32_t taken[kMost];
    uint32_t* out = taken;
    uint32_t code_point = CodePointAt(at, end);
    FoldRecord record = table_.LookUp(code_point);
    while (IsTaken(record)) {
      const uint8_t* const after = at + 3;
      if (after == text + size) break;
      const uint32_t next = CodePointAt(after, end);
      if (next == kNone && *after >= 0x80) break;
      const FoldRecord next_record = table_.LookUp(next);
      if (JoinsFirst(GraphemeBreak::kOther, next_record.grapheme_break())) break;
      *out = record.Map(code_point);
      out += IsOneOf(record, kUnits) ? 1 : 0;
      at = after;
      code_point = next;
      record = next_record;
    }
    symbols_.insert(symbols_.end(), taken, out);
    return static_cast<size_t>(at - text);
  }

 private:
  static constexpr uint32_t kNone = '\n';  // joins nothing, and is not taken

  // Returns the character at `at` when it is one of those that Chinese mostly consists of: Han,
  // kana, punctuation and full-width forms. Returns kNone for all others.
  static uint32_t CodePointAt(const uint8_t* at, const uint8_t* end) {
    if (end - at < 3) return kNone;
    const uint32_t bytes = static_cast<uint32_t>(at[0] << 16 | at[1] << 8 | at[2]);
    if ((bytes & 0xF0C0C0) != 0xE08080) return kNone;
    const uint32_t code_point = (bytes >> 4 & 0xF000) | (bytes >> 2 & 0xFC0) | (bytes & 0x3F);
    return code_point - 0x3000 < 0x7000 || code_point >= 0xFF00 ? code_point : kNone;
  }

  static constexpr uint32_t kUnits = ClassBit(FoldClass::kHan) | ClassBit(FoldClass::kKana);
  static constexpr uint32_t kDropped = ClassBit(FoldClass::kDropped) | ClassBit(FoldClass::kPoint);

  static bool IsOneOf(FoldRecord record, uint32_t classes) {
    return (classes >> static_cast<uint32_t>(record.fold_class()) & 1) != 0;
  }
  static bool IsTaken(FoldRecord record) {
    return record.grapheme_break() == GraphemeBreak::kOther && IsOneOf(record, kUnits | kDropped);
  }

  const FoldTable table_;
  std::vector<uint32_t>& symbols_;
};

class FoldedView final : public ChannelView {
 public:
  FoldedView(std::string name, FoldedVersion version)
      : ChannelView(std::move(name)), version_(version) {}
  void VisitPieces(std::string_view utf8, size_t most, const SymbolVisitor& visit) const override {
    VisitFolded(utf8, version_, most, visit);
  }
  SpannedSymbols Explain(std::string_view utf8) const override {
    return ExplainFolded(utf8, FoldTableOf(version_));
  }
  SpannedSymbols Locate(std::string_view utf8) const override {
    return LocateFolded(utf8, version_);
  }
  void ExplainInto(std::string_view utf8, std::vector<uint32_t>& symbols) const override {
    const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
    PlainSink sink(FoldTableOf(version_), symbols);
    FoldMachine<PlainSink>(sink, FoldTableOf(version_)).Run(begin, begin + utf8.size());
  }

 private:
  FoldedVersion version_;
};

}  // namespace

std::string ChannelView::Name(uint32_t symbol) const {
  if (symbol >= 0x110000) return fmt::format("#{:x}", symbol);
  std::string utf8;
  AppendUtf8(symbol, utf8);
  return utf8;
}

std::string ChannelView::NameIn(std::string_view source, uint32_t symbol) const {
  if (!IsHashedUnit(symbol)) return Name(symbol);
  for (const FoldTable& table : {FoldedV2Table(), FoldedV1Table()}) {
    std::string name = NameOfUnit(symbol, source, table);
    if (!name.empty()) return name;
  }
  return Name(symbol);
}

const std::string& Channel::name() const { return view_->name(); }
Channel::Channel() : Channel(FoldedChannel()) {}

const Channel& ExactChannel() {
  static const Channel channel(std::make_shared<ExactView>());
  return channel;
}

const Channel& FoldedChannel() {
  static const Channel channel(std::make_shared<FoldedView>("folded.v3", FoldedVersion::kV3));
  return channel;
}

const Channel& FoldedV2Channel() {
  static const Channel channel(std::make_shared<FoldedView>("folded.v2", FoldedVersion::kV2));
  return channel;
}

const Channel& FoldedV1Channel() {
  static const Channel channel(std::make_shared<FoldedView>("folded.v1", FoldedVersion::kV1));
  return channel;
}

SpannedSymbols ExplainFolded(std::string_view utf8, const FoldTable& table) {
  return ExplainWith<FoldMachine>(utf8, table);
}

std::span<const DisguiseKind> DisguiseKinds() {
  static constexpr DisguiseKind kKinds[] = {
      {"invisible", "invisible character", &DisguiseCounts::invisible},
      {"compatibility", "compatibility form", &DisguiseCounts::compatibility},
      {"traditional", "traditional character", &DisguiseCounts::traditional},
      {"variants", "variant character", &DisguiseCounts::variants},
      {"look_alikes", "look-alike letter", &DisguiseCounts::look_alikes},
      {"letter_case", "capital letter", &DisguiseCounts::letter_case},
      {"symbols", "symbol", &DisguiseCounts::symbols},
      {"inserted", "inserted mark", &DisguiseCounts::inserted},
      {"spelled", "spelled word", &DisguiseCounts::spelled},
      {"recomposed", "split character", &DisguiseCounts::recomposed},
      {"regional", "regional word", &DisguiseCounts::regional},
      {"numbers", "number character", &DisguiseCounts::numbers},
      {"slang", "character of slang", &DisguiseCounts::slang},
      {"unread", "character without a reading", &DisguiseCounts::unread},
  };
  return kKinds;
}

namespace {

Status CheckReadable(const Channel& channel, std::string_view utf8) {
  const size_t broken = FindInvalidUtf8(utf8);
  if (broken == utf8.size()) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read the text on channel {}: invalid UTF-8 at byte {}; "
                          "convert it to UTF-8 first",
                          channel.name(), broken));
}

}  // namespace

Result<SpannedSymbols> ComputeSymbols(const Channel& channel, std::string_view utf8) {
  ZHIWEN_RETURN_IF_ERROR(CheckReadable(channel, utf8));
  return channel.view().Explain(utf8);
}

Result<SpannedSymbols> LocateSymbols(const Channel& channel, std::string_view utf8) {
  ZHIWEN_RETURN_IF_ERROR(CheckReadable(channel, utf8));
  return channel.view().Locate(utf8);
}

std::string_view UnicodeVersion() { return kTablesUnicodeVersion; }
std::string_view OpenccVersion() { return kTablesOpenccVersion; }

std::string_view ShortChannelName(std::string_view name) { return name.substr(0, name.find('.')); }

}  // namespace zhiwen
