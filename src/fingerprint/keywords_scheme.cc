#include <memory>
#include <string>
#include <utility>

#include "base/digest.h"
#include "base/string_hash.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/feature_parts.h"
#include "fingerprint/scheme_family.h"
#include "text/open_channel.h"

namespace zhiwen {
namespace {

constexpr std::string_view kKeywordsForms[] = {"hash", "list"};
constexpr std::string_view kKeywordsHashes[] = {"md5", "lookup3ycs64", "murmur64a"};
constexpr ParameterSpec kKeywordsParameters[] = {
    {"channel", ParameterKind::kChannel, "exact", "the view of a term"},
    {"df", ParameterKind::kSnapshot, "none", "the document frequencies of a corpus"},
    {"form", ParameterKind::kChoice, "hash", "one hash of all terms, or the terms with weights", 0,
     0, kKeywordsForms},
    {"hash", ParameterKind::kChoice, "md5", "hash of the terms in order of characters", 0, 0,
     kKeywordsHashes},
    {"least", ParameterKind::kInteger, "2", "code points of a term", 1, 64},
    {"n", ParameterKind::kInteger, "8", "how many terms, the heaviest", 1, 100000},
    {"seed", ParameterKind::kInteger, "0", "what murmur64a and lookup3ycs64 start from", 0,
     ~uint64_t{0}},
    {"stop_words", ParameterKind::kStopWords, "", "words that are no keywords"},
    {"tags", ParameterKind::kChoice, "yes", "whether names and nouns weigh more", 0, 0, kYesOrNo},
    {"terms", ParameterKind::kTerms, "", "what cuts the text into words"},
};

class KeywordsScheme final : public ChannelScheme {
 public:
  KeywordsScheme(const ResolvedName& name, TermPart terms)
      : ChannelScheme(name),
        terms_(std::move(terms)),
        is_list_(name["form"].text == "list"),
        hash_(name["hash"].text),
        seed_(name["seed"].integer) {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    const std::vector<RankedTerm> keywords = terms_.Rank(utf8);
    if (keywords.empty()) return NoFingerprint();
    if (is_list_) {
      WeightedTerms list;
      for (const RankedTerm& keyword : keywords) list.push_back({keyword.text, keyword.score});
      return list;
    }
    std::vector<std::string> words;
    words.reserve(keywords.size());
    for (const RankedTerm& keyword : keywords) words.push_back(keyword.text);
    return HashOf(JoinDistinct(std::move(words)));
  }

  FingerprintBytes HashOf(std::string_view joined) const {
    FingerprintBytes bytes;
    if (hash_ == "md5") {
      const Md5Digest digest = ComputeMd5(joined);
      bytes.assign(digest.begin(), digest.end());
    } else {
      const bool is_murmur = hash_ == "murmur64a";
      AppendBigEndian(bytes, is_murmur ? Murmur64A(joined, seed_) : Lookup3Ycs64(joined, seed_), 8);
    }
    return bytes;
  }

  TermPart terms_;
  bool is_list_;
  std::string hash_;
  uint64_t seed_;
};

Result<std::unique_ptr<Scheme>> CreateKeywords(const ResolvedName& name,
                                               const SchemeResources& resources) {
  const bool is_md5 = name["hash"].text == "md5";
  if (is_md5 && name["seed"].integer != 0) return FailScheme(name, "md5 has no seed");
  if (!is_md5 && name["form"].text == "list") {
    return FailScheme(name, "a list is not hashed; leave out the hash");
  }
  const TermParameters parameters = {.has_stop_words = !name["stop_words"].is_none(),
                                     .df = &name["df"],
                                     .tags = &name["tags"],
                                     .least = name["least"].integer,
                                     .top = name["n"].integer};
  ZHIWEN_ASSIGN_OR_RETURN(TermPart terms,
                          TermPart::Create(parameters, *name["channel"].channel, resources));
  return std::make_unique<KeywordsScheme>(name, std::move(terms));
}

}  // namespace

constinit const SchemeFamily kKeywordsScheme = {
    .name = {"keywords", 1, "n", kKeywordsParameters},
    .source = "语义指纹: 网络爬虫全解析, 语义指纹生成算法, 第1–4步",
    .input = "words",
    .value = "16 bytes (md5), 8 bytes, or terms with weights (form=list)",
    .distance = "none: equal or not; of lists the terms that both have",
    .use_for = "pages whose heaviest words are the same: copies with other frames and small edits",
    .not_for = "short texts, whose keywords are chance; evidence",
    .measure = "equal",
    .threshold = 1,
    .threshold_meaning = "equal",
    .create = CreateKeywords,
};

}  // namespace zhiwen
