#include "pipeline/library/every_document.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "base/for_each_until_error.h"
#include "base/hash.h"
#include "base/value_bytes.h"
#include "feature/phoneme_counts.h"
#include "fingerprint/phoneme_model.h"
#include "match/similarity.h"
#include "pipeline/library/similar_documents.h"
#include "pipeline/library/text_sketcher.h"

namespace zhiwen {
namespace {

constexpr size_t kTextsAtOnce = 64;
// Texts with fewer are compared all the same: thresholds are trained on longer ones
// (PhonemeTrainingOptions).
constexpr uint64_t kLeastCharacters = 100;
// One in so many of the excluded texts is compared all the same.
constexpr uint64_t kSampledOneIn = 100;

using Nanoseconds = std::chrono::nanoseconds;

double Seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// A text whose resemblance reaches the least one.
struct SimilarText {
  uint64_t text = 0;  // key
  SetOverlap overlap;
};

// One worker's results, and the time that they took.
struct Share {
  std::vector<SimilarText> similar = {};
  PrefilterReport report = {};
  uint64_t compared = 0;
  Nanoseconds filtering{0}, comparing{0}, sampling{0};
};

class TextComparer {
 public:
  TextComparer(const CorpusStore& store, std::string_view text, const SimilarityOptions& options,
               const PhonemePrefilter* prefilter, const BatchEnvironment& environment,
               TextSketcher& sketcher)
      : store_(store),
        text_(text),
        prefilter_(prefilter),
        environment_(environment),
        least_(LeastOf(options, prefilter, store.settings())) {
    const std::span<const uint64_t> shingles = sketcher.ShingleSet(text);
    shingles_.assign(shingles.begin(), shingles.end());
    symbols_.assign(sketcher.symbols().begin(), sketcher.symbols().end());
    if (prefilter != nullptr) phonemes_ = CountPhonemes(prefilter->channel, text);
  }

  uint64_t units() const { return symbols_.size(); }

  // Compares the text of a key, unless it is excluded.
  Status Take(uint64_t key, TextSketcher& sketcher, Share& share) const;

 private:
  // A filter in front of a comparison needs to know what may not be lost.
  static double LeastOf(const SimilarityOptions& options, const PhonemePrefilter* prefilter,
                        const CatalogSettings& settings) {
    const bool is_open = options.least_resemblance == 0 && prefilter != nullptr;
    return is_open ? settings.near_threshold : options.least_resemblance;
  }

  bool Excludes(std::string_view other) const;

  const CorpusStore& store_;
  const std::string_view text_;
  const PhonemePrefilter* const prefilter_;
  const BatchEnvironment& environment_;
  const double least_;
  std::vector<uint64_t> shingles_;
  std::vector<uint32_t> symbols_;
  PhonemeCounts phonemes_;
};

bool TextComparer::Excludes(std::string_view other) const {
  const PhonemeCounts counts = CountPhonemes(prefilter_->channel, other);
  if (std::min(counts.characters(), phonemes_.characters()) < kLeastCharacters) return false;
  const PhonemeTriple cosines = ComputeCosines(phonemes_, counts);
  return prefilter_->has_one_threshold ? !prefilter_->model.Model2(cosines)
                                       : !prefilter_->model.Model1(cosines);
}

Status TextComparer::Take(uint64_t key, TextSketcher& sketcher, Share& share) const {
  const Result<std::string> other = store_.ReadText(key);
  if (!other && other.error().code == ErrorCode::kNotFound) return {};  // purged meanwhile
  if (!other) return tl::unexpected(other.error());
  bool is_excluded = false;
  const Nanoseconds begin = environment_.clock.Monotonic();
  Nanoseconds filtered = begin;
  if (prefilter_ != nullptr) {
    is_excluded = Excludes(*other);
    filtered = environment_.clock.Monotonic();
    share.filtering += filtered - begin;
    ++share.report.texts;
    share.report.excluded += is_excluded ? 1 : 0;
    if (is_excluded && HashBytes64(BytesOfValue(key)) % kSampledOneIn != 0) return {};
  }
  const SetOverlap overlap = CompareTexts({text_, shingles_, symbols_}, *other, sketcher);
  const bool is_similar = overlap.shared > 0 && (least_ == 0 || overlap.Reaches(least_));
  const Nanoseconds comparing = environment_.clock.Monotonic() - filtered;
  if (is_excluded) {
    share.sampling += comparing;
    ++share.report.sampled;
    share.report.lost += is_similar ? 1 : 0;
    return {};
  }
  ++share.compared;
  share.comparing += comparing;
  if (is_similar) share.similar.push_back({.text = key, .overlap = overlap});
  return {};
}

// The live documents by their texts.
using DocumentsOfTexts = std::vector<std::pair<uint64_t, uint32_t>>;  // key, number

Result<DocumentsOfTexts> ReadDocuments(const CorpusStore& store, uint32_t except) {
  DocumentsOfTexts documents;
  const auto take = [&](const StoredDocument& document) -> Status {
    if (document.number != except) documents.emplace_back(document.text, document.number);
    return {};
  };
  ZHIWEN_RETURN_IF_ERROR(store.VisitDocuments(CorpusStore::Which::kLive, 0, take));
  std::ranges::sort(documents);
  return documents;
}

// Compares all texts, which the workers of the executor share.
Result<std::vector<Share>> CompareAll(const TextComparer& comparer,
                                      const std::vector<uint64_t>& texts,
                                      std::vector<TextSketcher>& sketchers,
                                      const BatchEnvironment& environment) {
  std::vector<Share> shares(sketchers.size());
  const auto compare = [&](size_t worker, size_t i) -> Status {
    ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
    environment.progress.Advance(Stage::kCompare, i, texts.size());
    return comparer.Take(texts[i], sketchers[worker], shares[worker]);
  };
  ZHIWEN_RETURN_IF_ERROR(
      ForEachUntilError(environment.executor, texts.size(), kTextsAtOnce, compare));
  return shares;
}

// Adds up what the workers found. What was saved follows from what the sample took.
PrefilterReport AddUp(const std::vector<Share>& shares) {
  PrefilterReport report;
  Nanoseconds filtering{0}, comparing{0}, sampling{0};
  for (const Share& share : shares) {
    report.texts += share.report.texts;
    report.excluded += share.report.excluded;
    report.sampled += share.report.sampled;
    report.lost += share.report.lost;
    filtering += share.filtering;
    comparing += share.comparing;
    sampling += share.sampling;
  }
  report.seconds = Seconds(filtering);
  report.comparison_seconds = Seconds(comparing);
  if (report.sampled > 0) {
    report.excluded_seconds = Seconds(sampling) / static_cast<double>(report.sampled) *
                              static_cast<double>(report.excluded);
  }
  return report;
}

// Adds the documents that have a similar text.
Status AddDocuments(const CorpusStore& store, const SimilarText& similar,
                    const DocumentsOfTexts& documents, SimilarDocuments& found) {
  const auto of_text =
      std::ranges::equal_range(documents, similar.text, {}, &DocumentsOfTexts::value_type::first);
  for (const auto& [text, number] : of_text) {
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<StoredDocument> document, store.Find(number));
    if (!document || document->state != DocumentState::kLive) continue;
    found.documents.push_back(SimilarBy(similar.overlap, *std::move(document)));
  }
  return {};
}

}  // namespace

Result<SimilarDocuments> CompareWithEvery(const CorpusStore& store, std::string_view text,
                                          const SimilarityOptions& options,
                                          const PhonemePrefilter* prefilter,
                                          const BatchEnvironment& environment) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<TextSketcher> sketchers,
                          TextSketcher::CreateForAll(environment.executor, {}));
  const TextComparer comparer(store, text, options, prefilter, environment, sketchers.front());
  ZHIWEN_ASSIGN_OR_RETURN(const DocumentsOfTexts documents, ReadDocuments(store, options.except));
  std::vector<uint64_t> texts;
  for (const auto& [key, number] : documents) {
    if (texts.empty() || texts.back() != key) texts.push_back(key);
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<Share> shares,
                          CompareAll(comparer, texts, sketchers, environment));
  SimilarDocuments found = {.units = comparer.units(), .documents = {}};
  std::vector<SimilarText> similar;
  for (const Share& share : shares) {
    found.compared += share.compared;
    similar.insert(similar.end(), share.similar.begin(), share.similar.end());
  }
  const auto rank = [](const SimilarText& one) {
    return std::pair(-one.overlap.Resemblance(), -one.overlap.ContainmentOfA());
  };
  std::ranges::sort(similar, {}, rank);
  for (size_t i = 0; i < similar.size(); ++i) {
    // Those that are as good as the last one may have a smaller number.
    if (i >= options.count && rank(similar[i]) > rank(similar[options.count - 1])) break;
    ZHIWEN_RETURN_IF_ERROR(AddDocuments(store, similar[i], documents, found));
  }
  RankSimilar(options.count, found);
  if (prefilter != nullptr) found.prefilter = AddUp(shares);
  return found;
}

}  // namespace zhiwen
