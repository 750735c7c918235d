// Schemes over the words of a text with their weights.

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/feature_parts.h"
#include "fingerprint/scheme_family.h"

namespace zhiwen {
namespace {

constexpr std::string_view kWeights[] = {"tf"};
constexpr const NameFamily* kWeightParts[] = {&kTfidfPart};
constexpr const NameFamily* kTerms[] = {&kTermPart};
constexpr const NameFamily* kTermsOrCharacters[] = {&kTermPart, &kCharacterPart};
constexpr ParameterSpec kVectorParameters[] = {
    {"channel", ParameterKind::kChannel, "exact", "the view of a word"},
    {"feature",
     ParameterKind::kChoice,
     "term",
     "which words count, or characters",
     0,
     0,
     {},
     kTermsOrCharacters},
    {"weight", ParameterKind::kChoice, "tf", "what a word counts: how often it occurs, or TF·IDF",
     0, 0, kWeights, kWeightParts},
};
constexpr ParameterSpec kFrequentParameters[] = {
    {"channel", ParameterKind::kChannel, "exact", "the view of a word"},
    {"feature", ParameterKind::kChoice, "term(top=10)", "which words count", 0, 0, {}, kTerms},
};

class VectorScheme final : public ChannelScheme {
 public:
  VectorScheme(const ResolvedName& name, TermPart terms)
      : ChannelScheme(name), word_(channel()), terms_(std::move(terms)) {}

 private:
  // In order of words; words that the channel makes one are added up.
  Fingerprint ComputeValid(std::string_view utf8) const override {
    std::map<std::string, uint64_t> sums;
    ChannelWord::Scratch scratch;
    for (const Keyword& keyword : terms_.Rank(utf8)) {
      const std::string_view word = word_.Of(keyword.term.text, scratch);
      if (!word.empty()) sums[std::string(word)] += keyword.score;
    }
    if (sums.empty()) return NoFingerprint();
    WeightedTerms weights;
    for (const auto& [word, weight] : sums) weights.push_back({word, weight});
    return weights;
  }

  ChannelWord word_;
  TermPart terms_;
};

class FrequentWordsScheme final : public ChannelScheme {
 public:
  FrequentWordsScheme(const ResolvedName& name, TermPart terms)
      : ChannelScheme(name), word_(channel()), terms_(std::move(terms)) {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    CodeSequence codes = {.width = sizeof(uint64_t), .bytes = {}};
    ChannelWord::Scratch scratch;
    for (const Keyword& keyword : terms_.RankInOrder(utf8)) {
      const std::string_view word = word_.Of(keyword.term.text, scratch);
      if (!word.empty()) AppendBigEndian(codes.bytes, HashBytes64(word), codes.width);
    }
    if (codes.bytes.empty()) return NoFingerprint();
    return codes;
  }

  ChannelWord word_;
  TermPart terms_;
};

Result<std::unique_ptr<Scheme>> CreateVector(const ResolvedName& name,
                                             const SchemeResources& resources) {
  ZHIWEN_ASSIGN_OR_RETURN(
      TermPart terms,
      TermPart::Create(TermParametersOf(name["feature"].nested[0], &name["weight"]), resources));
  return std::make_unique<VectorScheme>(name, std::move(terms));
}

Result<std::unique_ptr<Scheme>> CreateFrequentWords(const ResolvedName& name,
                                                    const SchemeResources& resources) {
  ZHIWEN_ASSIGN_OR_RETURN(
      TermPart terms,
      TermPart::Create(TermParametersOf(name["feature"].nested[0], nullptr), resources));
  return std::make_unique<FrequentWordsScheme>(name, std::move(terms));
}

}  // namespace

constinit const SchemeFamily kVectorScheme = {
    .name = {"vector", 1, "feature", kVectorParameters},
    .source =
        "基于语义指纹的中文文本快速去重, 基于相似性的方法 [9] [10]; N. Shivakumar, H. "
        "Garcia-Molina, SCAM, 1995; of characters: 王勇建 等, 近似镜像网页检测算法的研究与评价, "
        "2000",
    .input = "words or characters",
    .value = "each word with its weight",
    .distance = "the cosine of the weights; or SCAM's overlap of frequencies",
    .use_for = "texts on one subject, ranked; the reference that signatures are measured by",
    .not_for = "large libraries: every pair is a product of long vectors",
    .measure = "cosine",
    .create = CreateVector,
};

constinit const SchemeFamily kFrequentWordsScheme = {
    .name = {"frequent_words", 1, "feature", kFrequentParameters},
    .source = "白广慧, 网页排重技术研究及应用, 2006; 熊忠阳 等 2013, 1 (3)",
    .input = "words",
    .value = "8 bytes a word, in order of first occurrences",
    .distance = "the longest sequence of words that both have in order",
    .use_for = "copies with small edits: frequent words keep their order",
    .not_for = "short texts, in which no word is frequent",
    .measure = "subsequence",
    .create = CreateFrequentWords,
};

}  // namespace zhiwen
