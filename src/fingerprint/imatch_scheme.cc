#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/hash.h"
#include "fingerprint/channel_scheme.h"
#include "fingerprint/feature_parts.h"
#include "fingerprint/scheme_family.h"
#include "zhiwen/term_snapshot.h"

namespace zhiwen {
namespace {

constexpr uint64_t kLeastIdf = 65536;  // idf of a term that every document has

constexpr ParameterSpec kImatchParameters[] = {
    {"channel", ParameterKind::kChannel, "exact", "the view of a term that is hashed"},
    {"df", ParameterKind::kSnapshot, "", "the document frequencies of a corpus"},
    {"high", ParameterKind::kDecimal, "0.8", "terms that are rarer are not in the lexicon", 0,
     kMillion},
    {"keep", ParameterKind::kDecimal, "0.67", "share of the lexicon that a random one has", 1,
     kMillion},
    {"lexicons", ParameterKind::kInteger, "10", "random lexicons beside the whole one", 0, 1000},
    {"low", ParameterKind::kDecimal, "0.2", "terms that are more common are not in the lexicon", 0,
     kMillion},
    {"seed", ParameterKind::kInteger, "0", "chooses the random lexicons", 0, ~uint64_t{0}},
    {"terms", ParameterKind::kTerms, "", "what cuts the text into words"},
};

class ImatchScheme final : public ChannelScheme {
 public:
  ImatchScheme(const ResolvedName& name, const SchemeResources& resources)
      : ChannelScheme(name),
        word_(channel()),
        terms_(resources.terms),
        snapshot_(resources.snapshot),
        rarest_(snapshot_->Idf("") - kLeastIdf),
        low_(name["low"].integer),
        high_(name["high"].integer),
        keep_(name["keep"].integer),
        lexicons_(name["lexicons"].integer + 1),
        seed_(name["seed"].integer) {}

 private:
  Fingerprint ComputeValid(std::string_view utf8) const override {
    std::vector<std::string> words;
    ChannelWord::Scratch scratch;
    for (const Term& term : terms_->Count(utf8)) {
      if (!IsInLexicon(term.text)) continue;
      const std::string_view word = word_.Of(term.text, scratch);
      if (!word.empty()) words.emplace_back(word);
    }
    std::ranges::sort(words);
    words.erase(std::ranges::unique(words).begin(), words.end());
    if (words.empty()) return NoFingerprint();
    CodeSequence codes = {.width = sizeof(Md5Digest), .bytes = {}};
    for (uint64_t lexicon = 0; lexicon < lexicons_; ++lexicon) {
      const Md5Digest digest = DigestOf(words, lexicon);
      codes.bytes.insert(codes.bytes.end(), digest.begin(), digest.end());
    }
    return codes;
  }

  // Selects by normalized idf: 0 for a term that every document has, 1 for the rarest term.
  bool IsInLexicon(std::string_view term) const {
    if (snapshot_->DocumentsWith(term) == 0) return false;
    const uint64_t idf = (snapshot_->Idf(term) - kLeastIdf) * kMillion;
    return low_ * rarest_ <= idf && idf <= high_ * rarest_;
  }

  bool IsInRandomLexicon(std::string_view word, uint64_t lexicon) const {
    const Hash128 hash = HashBytes128(word, seed_ ^ lexicon * 0x9E3779B97F4A7C15);
    return hash.high % kMillion < keep_;
  }

  // Returns zeros, which match nothing, when the lexicon has no word of the text.
  Md5Digest DigestOf(const std::vector<std::string>& words, uint64_t lexicon) const {
    std::string joined;
    for (const std::string& word : words) {
      if (lexicon > 0 && !IsInRandomLexicon(word, lexicon)) continue;
      joined += word + kUnitSeparator;
    }
    return joined.empty() ? Md5Digest{} : ComputeMd5(joined);
  }

  ChannelWord word_;
  std::shared_ptr<const TermExtractor> terms_;
  std::shared_ptr<const TermSnapshot> snapshot_;
  uint64_t rarest_;
  uint64_t low_, high_, keep_;  // in millionths
  uint64_t lexicons_, seed_;
};

Result<std::unique_ptr<Scheme>> CreateImatch(const ResolvedName& name,
                                             const SchemeResources& resources) {
  if (name["low"].integer > name["high"].integer) {
    return FailScheme(name, "no term is rarer than low and more common than high; low is above it");
  }
  ZHIWEN_RETURN_IF_ERROR(resources.snapshot->CheckMadeWith(*resources.terms));
  return std::make_unique<ImatchScheme>(name, resources);
}

}  // namespace

constinit const SchemeFamily kImatchScheme = {
    .name = {"imatch", 1, "lexicons", kImatchParameters},
    .source =
        "A. Chowdhury, O. Frieder, D. Grossman, M. McCabe, Collection Statistics for Fast "
        "Duplicate Document Detection, 2002; A. Kołcz, A. Chowdhury, Lexicon Randomization "
        "for Near-Duplicate Detection with I-Match, 2008",
    .input = "words",
    .value = "16 bytes a lexicon",
    .distance = "one equal code at one place: a match",
    .use_for = "near-copies of long texts, found by equality; edits of rare words do no harm",
    .not_for = "short texts, of which too few words are in the lexicon",
    .measure = "equal_places",
    .threshold = kAnythingInCommon,
    .threshold_meaning = "one equal code",
    .create = CreateImatch,
};

}  // namespace zhiwen
