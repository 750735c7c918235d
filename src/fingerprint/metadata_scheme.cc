// Computes fingerprints of documents from their fields, most frequent words and passages, each
// hashed separately.

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/utf8/utf8.h"
#include "base/utf8/white_space.h"
#include "document/parse_date.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/feature_parts.h"
#include "fingerprint/scheme_family.h"
#include "zhiwen/metadata.h"
#include "zhiwen/sentences.h"

namespace zhiwen {
namespace {

constexpr std::string_view kEdges[] = {"opening", "closing"};
constexpr ParameterSpec kMetadataParameters[] = {
    kChannelParameter,
    {"edge", ParameterKind::kChoice, "opening", "the paragraph that is a part: the first, the last",
     0, 0, kEdges},
    {"key", ParameterKind::kKey, "none", "a key, without which nobody can make the value"},
    {"least", ParameterKind::kInteger, "2", "code points of a frequent word", 1, 64},
    {"n", ParameterKind::kInteger, "8", "how many frequent words", 1, 100000},
    {"paragraph", ParameterKind::kInteger, "5", "whose first sentence is the fixed passage", 1,
     100000},
    {"stop_words", ParameterKind::kStopWords, "", "words that are no frequent words"},
    {"terms", ParameterKind::kTerms, "", "what cuts the text into words"},
};

// Removes white space at both ends.
std::string_view Trim(std::string_view utf8) {
  size_t first = utf8.size();
  size_t behind = 0;
  VisitCodePoints(utf8, [&](DecodedCodePoint decoded, size_t begin) {
    if (IsPythonSpace(decoded.code_point)) return;
    first = std::min(first, begin);
    behind = begin + decoded.length;
  });
  return behind == 0 ? std::string_view() : utf8.substr(first, behind - first);
}

// Calls take(piece) for each piece between separators, including the first and the last piece.
template <typename Take>
void VisitPieces(std::string_view utf8, bool (*is_separator)(uint32_t), const Take& take) {
  size_t first = 0;
  VisitCodePoints(utf8, [&](DecodedCodePoint decoded, size_t begin) {
    if (!is_separator(decoded.code_point)) return;
    take(utf8.substr(first, begin - first));
    first = begin + decoded.length;
  });
  take(utf8.substr(first));
}

bool IsBetweenKeywords(uint32_t code_point) {
  constexpr std::u32string_view kSeparators = U",;|、，；｜\n\r\t\x1F";
  return kSeparators.find(static_cast<char32_t>(code_point)) != std::u32string_view::npos;
}

// The passages of a text that become parts of the fingerprint, as views of the text.
struct Passages {
  std::string_view edge, fixed;
};

// A paragraph is a line that is not blank.
Passages FindPassages(std::string_view text, bool is_closing, uint64_t fixed_paragraph) {
  Passages passages;
  uint64_t paragraphs = 0;
  VisitPieces(text, IsLineEnd, [&](std::string_view line) {
    const std::string_view paragraph = Trim(line);
    if (paragraph.empty()) return;
    ++paragraphs;
    if (paragraphs == 1 || is_closing) passages.edge = paragraph;
    if (paragraphs != fixed_paragraph) return;
    VisitSentences(paragraph, {}, [&](ByteSpan sentence) {
      if (!passages.fixed.empty()) return;
      passages.fixed = paragraph.substr(sentence.begin.value, sentence.size());
    });
  });
  return passages;
}

class MetadataScheme final : public ChannelScheme {
 public:
  MetadataScheme(const ResolvedName& name, TermPart terms, std::string key)
      : ChannelScheme(name),
        terms_(std::move(terms)),
        key_(std::move(key)),
        word_(channel()),
        is_closing_(name["edge"].text == "closing"),
        paragraph_(name["paragraph"].integer) {}

  bool uses_fields() const override { return true; }

  Result<Fingerprint> ComputeDocument(const DocumentFields& document) const override {
    for (const std::string_view field :
         {document.text, document.title, document.author, document.published, document.modified,
          document.keywords, document.abstract}) {
      ZHIWEN_RETURN_IF_ERROR(CheckUtf8(field));
    }
    const Passages passages = FindPassages(document.text, is_closing_, paragraph_);
    FingerprintBytes value;
    value.reserve(kMetadataBytes);
    Append(value, OnChannel(document.title));
    Append(value, OnChannel(document.author));
    Append(value, DatesOf(document));
    Append(value, KeywordsOf(document.keywords));
    Append(value, OnChannel(document.abstract));
    Append(value, FrequentWordsOf(document.text));
    Append(value, OnChannel(passages.edge));
    Append(value, OnChannel(passages.fixed));
    const bool has_part = std::ranges::any_of(value, [](uint8_t byte) { return byte != 0; });
    return has_part ? Fingerprint(std::move(value)) : Fingerprint(NoFingerprint());
  }

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    return *ComputeDocument({.text = utf8});
  }

  std::string OnChannel(std::string_view utf8) const {
    ChannelWord::Scratch scratch;
    return std::string(word_.Of(Trim(utf8), scratch));
  }

  // Maps all spellings of a date to one string: the seconds since 1970, where the date can be
  // parsed.
  std::string DateOf(std::string_view date) const {
    const std::optional<int64_t> seconds = ParseDate(date);
    return seconds ? std::to_string(*seconds) : OnChannel(date);
  }

  std::string DatesOf(const DocumentFields& document) const {
    const std::string published = DateOf(document.published);
    const std::string modified = DateOf(document.modified);
    return published.empty() && modified.empty() ? "" : published + kUnitSeparator + modified;
  }

  // Normalizes a list of keywords, so that its order does not matter.
  std::string KeywordsOf(std::string_view list) const {
    std::vector<std::string> keywords;
    VisitPieces(list, IsBetweenKeywords,
                [&](std::string_view keyword) { keywords.push_back(OnChannel(keyword)); });
    return JoinDistinct(std::move(keywords));
  }

  // Lists the most frequent words first, each with its count.
  std::string FrequentWordsOf(std::string_view text) const {
    std::string joined;
    for (const RankedTerm& term : terms_.Rank(text)) {
      if (!joined.empty()) joined += kUnitSeparator;
      joined += term.text + kUnitSeparator + std::to_string(term.count);
    }
    return joined;
  }

  // Appends zeros when the part is empty.
  void Append(FingerprintBytes& value, const std::string& part) const {
    Sha256Digest digest = {};
    if (!part.empty()) digest = key_.empty() ? ComputeSha256(part) : ComputeHmacSha256(key_, part);
    value.insert(value.end(), digest.begin(), digest.end());
  }

  TermPart terms_;
  std::string key_;  // empty when there is no key
  ChannelWord word_;
  bool is_closing_;
  uint64_t paragraph_;
};

Result<std::unique_ptr<Scheme>> CreateMetadata(const ResolvedName& name,
                                               const SchemeResources& resources) {
  const TermParameters parameters = {.has_stop_words = !name["stop_words"].is_none(),
                                     .least = name["least"].integer,
                                     .top = name["n"].integer};
  ZHIWEN_ASSIGN_OR_RETURN(TermPart terms,
                          TermPart::Create(parameters, *name["channel"].channel, resources));
  return std::make_unique<MetadataScheme>(name, std::move(terms),
                                          name["key"].is_none() ? "" : resources.key);
}

}  // namespace

std::span<const uint8_t> MetadataPart(const FingerprintBytes& value, size_t part) {
  const auto bytes = std::span(value).subspan(part * kMetadataPartBytes, kMetadataPartBytes);
  const bool is_there = std::ranges::any_of(bytes, [](uint8_t byte) { return byte != 0; });
  return is_there ? bytes : std::span<const uint8_t>();
}

std::string_view AgreementName(PartAgreement agreement) {
  constexpr std::array<std::string_view, 3> kNames = {"missing", "different", "equal"};
  return kNames[static_cast<size_t>(agreement)];
}

std::array<PartAgreement, kMetadataParts.size()> CompareParts(const FingerprintBytes& a,
                                                              const FingerprintBytes& b) {
  std::array<PartAgreement, kMetadataParts.size()> agreements = {};
  for (size_t part = 0; part < agreements.size(); ++part) {
    const auto of_a = MetadataPart(a, part);
    const auto of_b = MetadataPart(b, part);
    if (of_a.empty() || of_b.empty()) continue;
    agreements[part] =
        std::ranges::equal(of_a, of_b) ? PartAgreement::kEqual : PartAgreement::kDifferent;
  }
  return agreements;
}

constinit const SchemeFamily kMetadataScheme = {
    .name = {"metadata", 1, "edge", kMetadataParameters},
    .source = "语义指纹: 网络爬虫全解析, 文本信息指纹提取",
    .input = "fields, words, passages",
    .value = "256 bytes: eight parts of 32 (docs/formats/metadata.md)",
    .distance = "the share of parts that are equal, of those that both have",
    .use_for = "records with fields: what was changed, title, author or text; tampering (key=…)",
    .not_for = "texts without fields, which have three of the parts; edited passages",
    .measure = "equal_parts",
    .create = CreateMetadata,
};

}  // namespace zhiwen
