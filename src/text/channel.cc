#include "zhiwen/channel.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "text/explain.h"
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

struct ChannelRow {
  Channel channel;
  std::string_view short_name;
  std::string_view name;
};
constexpr ChannelRow kChannels[] = {
    {Channel::kExact, "exact", "exact.v1"},
    {Channel::kFolded, "folded", "folded.v1"},
};

}  // namespace

std::string_view ChannelName(Channel channel) {
  return kChannels[static_cast<size_t>(channel)].name;
}

Result<Channel> ParseChannel(std::string_view name) {
  for (const ChannelRow& row : kChannels) {
    if (name == row.name || name == row.short_name) return row.channel;
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("unknown channel \"{}\"; channels are folded (folded.v1) and exact "
                          "(exact.v1)",
                          name));
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

Result<SpannedSymbols> ComputeSymbols(Channel channel, std::string_view utf8) {
  if (const size_t broken = FindInvalidUtf8(utf8); broken != utf8.size()) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read the text on channel {}: invalid UTF-8 at byte {}; "
                            "convert it to UTF-8 first",
                            ChannelName(channel), broken));
  }
  return channel == Channel::kExact ? ExplainExact(utf8) : ExplainFolded(utf8);
}

std::string_view UnicodeVersion() { return kTablesUnicodeVersion; }
std::string_view OpenccVersion() { return kTablesOpenccVersion; }

}  // namespace zhiwen
