#include "zhiwen/channel.h"

#include <fmt/format.h>

#include <utility>

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
