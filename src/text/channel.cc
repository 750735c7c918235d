#include "zhiwen/channel.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "text/channel_view.h"
#include "text/explain.h"
#include "text/fold.h"
#include "text/fold_machine.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

// Whether something of a character alone reaches the symbols.
bool YieldsUnit(FoldRecord record) {
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

class ExactView final : public ChannelView {
 public:
  ExactView() : ChannelView("exact.v1") {}
  void Visit(std::string_view utf8, const SymbolVisitor& visit) const override {
    VisitExact(utf8, visit);
  }
  SpannedSymbols Explain(std::string_view utf8) const override { return ExplainExact(utf8); }
};

class FoldedView final : public ChannelView {
 public:
  FoldedView() : ChannelView("folded.v1") {}
  void Visit(std::string_view utf8, const SymbolVisitor& visit) const override {
    VisitFolded(utf8, visit);
  }
  SpannedSymbols Explain(std::string_view utf8) const override { return ExplainFolded(utf8); }
};

}  // namespace

const std::string& Channel::name() const { return view_->name(); }
Channel::Channel() : Channel(FoldedChannel()) {}

const Channel& ExactChannel() {
  static const Channel channel(std::make_shared<ExactView>());
  return channel;
}

const Channel& FoldedChannel() {
  static const Channel channel(std::make_shared<FoldedView>());
  return channel;
}

SpannedSymbols ExplainFolded(std::string_view utf8) {
  SpannedSymbols result;
  // As many as there are Han characters where there is nothing else.
  result.symbols.reserve(utf8.size() / 3 + 1);
  result.spans.reserve(utf8.size() / 3 + 1);
  const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
  SpanSink sink(begin, result);
  FoldMachine<SpanSink>(sink).Run(begin, begin + utf8.size());
  return result;
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
  };
  return kKinds;
}

Result<SpannedSymbols> ComputeSymbols(const Channel& channel, std::string_view utf8) {
  if (const size_t broken = FindInvalidUtf8(utf8); broken != utf8.size()) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read the text on channel {}: invalid UTF-8 at byte {}; "
                            "convert it to UTF-8 first",
                            channel.name(), broken));
  }
  return channel.view().Explain(utf8);
}

std::string_view UnicodeVersion() { return kTablesUnicodeVersion; }
std::string_view OpenccVersion() { return kTablesOpenccVersion; }

}  // namespace zhiwen
