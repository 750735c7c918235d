// Schemes over the words of a text and their weights.

#include <algorithm>
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

constexpr std::string_view kVectorWeights[] = {"tf"};
constexpr const NameFamily* kVectorWeightParts[] = {&kTfidfPart};
constexpr const NameFamily* kVectorTerms[] = {&kTermPart};
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
     0, 0, kVectorWeights, kVectorWeightParts},
};
constexpr ParameterSpec kFrequentParameters[] = {
    {"channel", ParameterKind::kChannel, "exact", "the view of a word"},
    {"feature",
     ParameterKind::kChoice,
     "term(top=10)",
     "which words count",
     0,
     0,
     {},
     kVectorTerms},
};

class VectorScheme final : public ChannelScheme {
 public:
  VectorScheme(const ResolvedName& name, TermPart terms)
      : ChannelScheme(name), terms_(std::move(terms)) {}

 private:
  // Lists the words in ascending order.
  Fingerprint ComputeValid(std::string_view utf8) const override {
    WeightedTerms weights;
    for (const RankedTerm& term : terms_.Rank(utf8)) weights.push_back({term.text, term.score});
    if (weights.empty()) return NoFingerprint();
    std::ranges::sort(weights, {}, &WeightedTerm::term);
    return weights;
  }

  TermPart terms_;
};

class FrequentWordsScheme final : public ChannelScheme {
 public:
  FrequentWordsScheme(const ResolvedName& name, TermPart terms)
      : ChannelScheme(name), terms_(std::move(terms)) {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    CodeSequence codes = {.width = sizeof(uint64_t), .bytes = {}};
    for (const RankedTerm& term : terms_.RankInOrder(utf8)) {
      AppendBigEndian(codes.bytes, HashBytes64(term.text), codes.width);
    }
    if (codes.bytes.empty()) return NoFingerprint();
    return codes;
  }

  TermPart terms_;
};

Result<std::unique_ptr<Scheme>> CreateVector(const ResolvedName& name,
                                             const SchemeResources& resources) {
  ZHIWEN_ASSIGN_OR_RETURN(
      TermPart terms, TermPart::Create(TermParametersOf(name["feature"].nested[0], &name["weight"]),
                                       *name["channel"].channel, resources));
  return std::make_unique<VectorScheme>(name, std::move(terms));
}

Result<std::unique_ptr<Scheme>> CreateFrequentWords(const ResolvedName& name,
                                                    const SchemeResources& resources) {
  ZHIWEN_ASSIGN_OR_RETURN(TermPart terms,
                          TermPart::Create(TermParametersOf(name["feature"].nested[0], nullptr),
                                           *name["channel"].channel, resources));
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
