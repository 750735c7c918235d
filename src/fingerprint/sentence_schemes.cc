// Schemes based on punctuation: codes of clauses, and the symbols around full stops.

#include <algorithm>
#include <memory>
#include <optional>
#include <ranges>
#include <vector>

#include "base/hash.h"
#include "base/utf8/utf8.h"
#include "base/value_bytes.h"
#include "feature/shingles.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/scheme_family.h"
#include "text/channel_view.h"
#include "text/letter.h"
#include "zhiwen/sentences.h"

namespace zhiwen {
namespace {

constexpr ParameterSpec kCodeParameters[] = {
    {"channel", ParameterKind::kChannel, "exact", "the view of a character"},
};
constexpr ParameterSpec kStopParameters[] = {
    kChannelParameter,
    {"n", ParameterKind::kInteger, "5", "symbols before and behind a full stop", 1, 64},
};

class FeatureCodesScheme final : public ChannelScheme {
 public:
  using ChannelScheme::ChannelScheme;

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    CodeSequence codes = {.width = 2 * sizeof(uint32_t), .bytes = {}};
    VisitSentences(utf8, {.sentence_class = SentenceClass::kClause}, [&](ByteSpan clause) {
      const std::optional<Ends> ends = EndsOf(utf8.substr(clause.begin.value, clause.size()));
      if (!ends) return;
      AppendBigEndian(codes.bytes, ends->first, 4);
      AppendBigEndian(codes.bytes, ends->last, 4);
    });
    if (codes.bytes.empty()) return NoFingerprint();
    return codes;
  }

  struct Ends {
    uint32_t first, last;
  };

  // Returns the symbols of the first and the last letter that the channel has. They are equal for a
  // single letter.
  std::optional<Ends> EndsOf(std::string_view clause) const {
    std::vector<std::string_view> letters;
    VisitCodePoints(clause, [&](DecodedCodePoint decoded, size_t begin) {
      if (!IsLetterOrDigit(decoded.code_point)) return;
      letters.push_back(clause.substr(begin, decoded.length));
    });
    const std::optional<uint32_t> first = FirstSymbolOf(letters);
    if (!first) return std::nullopt;
    return Ends{*first, *FirstSymbolOf(letters | std::views::reverse)};
  }

  template <typename Letters>
  std::optional<uint32_t> FirstSymbolOf(const Letters& letters) const {
    for (const std::string_view letter : letters) {
      const std::vector<uint32_t> symbols = SymbolsOf(letter);
      if (!symbols.empty()) return symbols.front();
    }
    return std::nullopt;
  }
};

class FullStopsScheme final : public ChannelScheme {
 public:
  explicit FullStopsScheme(const ResolvedName& name)
      : ChannelScheme(name), length_(name["n"].integer) {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    constexpr std::string_view kFullStop = "。";
    const SpannedSymbols read = channel().view().Explain(utf8);
    const std::vector<ByteSpan>& spans = read.spans;
    HashSet set;
    std::vector<uint32_t> around;
    // Index of the first symbol that is not before the mark: the mark's own symbol, if it has one.
    size_t mark = 0;
    size_t behind = 0;  // index of the first symbol after the mark
    for (size_t at = utf8.find(kFullStop); at != std::string_view::npos;
         at = utf8.find(kFullStop, at + kFullStop.size())) {
      while (mark < spans.size() && spans[mark].begin.value < at) ++mark;
      behind = std::max(behind, mark);
      while (behind < spans.size() && spans[behind].begin.value <= at) ++behind;
      const size_t before = std::min(mark, length_);
      const size_t end = std::min(behind + length_, spans.size());
      const uint32_t* const symbols = read.symbols.data();
      around.assign(symbols + mark - before, symbols + mark);
      around.insert(around.end(), symbols + behind, symbols + end);
      if (around.empty()) continue;
      // The same symbols are another feature when fewer of them are before the mark.
      set.hashes.push_back(HashBytes64(BytesOfValues(around), before));
    }
    if (set.hashes.empty()) return NoFingerprint();
    std::vector<uint64_t> scratch;
    MakeShingleSet(set.hashes, scratch);
    return set;
  }

  size_t length_;
};

}  // namespace

constinit const SchemeFamily kFeatureCodesScheme = {
    .name = {"feature_codes", 1, "channel", kCodeParameters},
    .source = "吴平博, 陈群秀, 马亮, 基于特征串的大规模中文网页快速去重算法研究, 2003",
    .input = "clauses",
    .value = "8 bytes a clause: its first and its last character",
    .distance = "the share of codes that follow one another in both",
    .use_for = "reposts, whose clauses keep their ends",
    .not_for = "texts of few clauses",
    .measure = "consecutive",
    .create = CreateOf<FeatureCodesScheme>,
};

constinit const SchemeFamily kFullStopsScheme = {
    .name = {"full_stops", 1, "n", kStopParameters},
    .source = "韦永壮, 袁春风, 黄宜华, CCDet, 2013",
    .input = "symbols around 。",
    .value = "8 bytes a full stop",
    .distance = "the share of full stops with the same symbols around them",
    .use_for = "news pages: frames and menus have no full stops",
    .not_for = "texts without 。",
    .measure = "resemblance",
    .create = CreateOf<FullStopsScheme>,
};

}  // namespace zhiwen
