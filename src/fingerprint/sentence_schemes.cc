// Schemes based on punctuation: codes of clauses, with or without their level in a tree, and the
// symbols around full stops.

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <ranges>
#include <system_error>
#include <vector>

#include "base/hash.h"
#include "base/utf8/utf8.h"
#include "base/value_bytes.h"
#include "feature/shingles.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/scheme_family.h"
#include "fingerprint/tagstr.h"
#include "text/channel_view.h"
#include "text/letter.h"
#include "zhiwen/body_tree.h"
#include "zhiwen/sentences.h"

namespace zhiwen {
namespace {

constexpr ParameterSpec kCodeParameters[] = {
    {"channel", ParameterKind::kChannel, "exact", "the view of a character"},
};
constexpr std::string_view kSplits[] = {"clause", "mark"};
constexpr ParameterSpec kTagstrParameters[] = {
    {"channel", ParameterKind::kChannel, "exact", "the view of a character"},
    {"split", ParameterKind::kChoice, "clause",
     "what a line is cut into: clauses, or what is between ，。；！？： and , . ; ! ? :", 0, 0,
     kSplits},
};
constexpr ParameterSpec kStopParameters[] = {
    kChannelParameter,
    {"n", ParameterKind::kInteger, "5", "symbols before and behind a full stop", 1, 64},
};

constexpr size_t kEndsBytes = 2 * sizeof(uint32_t);
constexpr uint32_t kDeepestLevel = 0xFFFF;

// Base of schemes that keep the ends of pieces of a text.
class EndsScheme : public ChannelScheme {
 public:
  using ChannelScheme::ChannelScheme;

 protected:
  struct Ends {
    uint32_t first, last;
  };

  // Returns the symbols of the first and the last letter that the channel has. They are equal for a
  // single letter.
  std::optional<Ends> EndsOf(std::string_view piece) const {
    std::vector<std::string_view> letters;
    VisitCodePoints(piece, [&](DecodedCodePoint decoded, size_t begin) {
      if (!IsLetterOrDigit(decoded.code_point)) return;
      letters.push_back(piece.substr(begin, decoded.length));
    });
    const std::optional<uint32_t> first = FirstSymbolOf(letters);
    if (!first) return std::nullopt;
    return Ends{*first, *FirstSymbolOf(letters | std::views::reverse)};
  }

  static void AppendEnds(const Ends& ends, FingerprintBytes& bytes) {
    AppendBigEndian(bytes, ends.first, 4);
    AppendBigEndian(bytes, ends.last, 4);
  }

 private:
  template <typename Letters>
  std::optional<uint32_t> FirstSymbolOf(const Letters& letters) const {
    for (const std::string_view letter : letters) {
      const std::vector<uint32_t> symbols = SymbolsOf(letter);
      if (!symbols.empty()) return symbols.front();
    }
    return std::nullopt;
  }
};

class FeatureCodesScheme final : public EndsScheme {
 public:
  using EndsScheme::EndsScheme;

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    CodeSequence codes = {.width = kEndsBytes, .bytes = {}};
    VisitSentences(utf8, {.sentence_class = SentenceClass::kClause}, [&](ByteSpan clause) {
      const std::optional<Ends> ends = EndsOf(utf8.substr(clause.begin.value, clause.size()));
      if (ends) AppendEnds(*ends, codes.bytes);
    });
    if (codes.bytes.empty()) return NoFingerprint();
    return codes;
  }
};

// Calls visit(piece) for what is between the marks at which S1 cuts.
template <typename Visit>
void VisitMarkedPieces(std::string_view line, const Visit& visit) {
  constexpr std::u32string_view kMarks = U"，。；！？：,.;!?:";
  size_t begin = 0;
  VisitCodePoints(line, [&](DecodedCodePoint decoded, size_t at) {
    if (kMarks.find(static_cast<char32_t>(decoded.code_point)) == std::u32string_view::npos) return;
    visit(line.substr(begin, at - begin));
    begin = at + decoded.length;
  });
  visit(line.substr(begin));
}

// Returns the numbers of DocumentFields::levels; nothing where it has something else.
std::optional<std::vector<uint32_t>> ReadLevels(std::string_view levels) {
  std::vector<uint32_t> numbers;
  for (const auto part : std::views::split(levels, ' ')) {
    const std::string_view digits(part.begin(), part.end());
    uint32_t& number = numbers.emplace_back();
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
    if (error != std::errc() || end != digits.end() || number > kDeepestLevel) return std::nullopt;
  }
  return numbers;
}

class TagstrScheme final : public EndsScheme {
 public:
  explicit TagstrScheme(const ResolvedName& name)
      : EndsScheme(name), cuts_at_marks_(name["split"].text == "mark") {}

  bool uses_fields() const override { return true; }

  Result<Fingerprint> ComputeDocument(const DocumentFields& document) const override {
    ZHIWEN_RETURN_IF_ERROR(CheckUtf8(document.text));
    ZHIWEN_RETURN_IF_ERROR(CheckUtf8(document.title));
    BodyTree tree = MakeBodyTree(document.text, document.title);
    if (document.levels.empty()) return ComputeTree(document.text, tree);
    BodyTree lines = MakeBodyTree(document.text);
    const std::optional<std::vector<uint32_t>> levels = ReadLevels(document.levels);
    const bool fits = levels && levels->size() + 1 == lines.nodes.size();
    if (!fits) return ComputeTree(document.text, tree);
    for (size_t i = 1; i < lines.nodes.size(); ++i) lines.nodes[i].depth = (*levels)[i - 1];
    return ComputeTree(document.text, lines);
  }

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    return ComputeTree(utf8, MakeBodyTree(utf8));
  }

  Fingerprint ComputeTree(std::string_view utf8, const BodyTree& tree) const {
    CodeSequence codes = {.width = kTagstrWidth, .bytes = {}};
    for (const BodyNode& node : tree.nodes) {
      if (node.depth == 0) continue;
      const std::string_view line = utf8.substr(node.text.begin.value, node.text.size());
      const auto add = [&](std::string_view piece) {
        const std::optional<Ends> ends = EndsOf(piece);
        if (!ends) return;
        AppendBigEndian(codes.bytes, node.depth, 2);
        AppendEnds(*ends, codes.bytes);
      };
      if (cuts_at_marks_) {
        VisitMarkedPieces(line, add);
      } else {
        VisitSentences(line, {.sentence_class = SentenceClass::kClause}, [&](ByteSpan clause) {
          add(line.substr(clause.begin.value, clause.size()));
        });
      }
    }
    if (codes.bytes.empty()) return NoFingerprint();
    return codes;
  }

  bool cuts_at_marks_;
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

constinit const SchemeFamily kTagstrScheme = {
    .name = {"tagstr", 1, "channel", kTagstrParameters},
    .source = "熊忠阳, 牙漫, 张玉芳, 基于网页正文结构和特征串的相似网页去重算法, 2013",
    .input = "clauses, and the level of their line in the tree of the document",
    .value = "10 bytes a clause: its level, its first and its last character",
    .distance = "the share of levels with nearly the same clauses",
    .use_for = "reposted pages with headings; clauses may have changed inside",
    .not_for = "pages whose copies have other headings",
    .measure = "levels",
    // The source says: above 0.90.
    .threshold = 0.9000000000000001,
    .threshold_meaning = "more than 0.90 of the levels are alike",
    .create = CreateOf<TagstrScheme>,
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
