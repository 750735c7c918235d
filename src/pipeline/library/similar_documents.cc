#include "pipeline/library/similar_documents.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "match/similarity.h"
#include "pipeline/library/text_sketcher.h"

namespace zhiwen {
namespace {

// Blocks of the text are looked up, the rarest first, until so many documents were found for them,
// repeats counted.
constexpr uint64_t kMostPostings = uint64_t{1} << 17;
// Documents that share blocks and are looked at, and those of them that are compared: the ones that
// resemble the text the most by their sizes and the blocks that they share.
constexpr size_t kMostProposed = 2000;
constexpr size_t kMostSharing = 200;

class SimilarSearch {
 public:
  SimilarSearch(const CorpusStore& store, const IndexReaders& indexes, std::string_view text,
                const SimilarityOptions& options, TextSketcher sketcher)
      : store_(store),
        indexes_(indexes),
        text_(text),
        options_(options),
        sketcher_(std::move(sketcher)),
        sketch_(sketcher_.Sketch(text)),
        symbols_(sketcher_.symbols().begin(), sketcher_.symbols().end()) {}

  Result<SimilarDocuments> Run();

 private:
  Status JudgeEqual();
  Status JudgeNear();
  Status JudgeSharing();
  double EstimateResemblance(const StoredDocument& document, uint32_t shared) const;
  Status JudgeNumber(uint64_t number);
  Status Judge(StoredDocument document);
  Result<std::optional<SetOverlap>> OverlapWith(const StoredDocument& document);

  const CorpusStore& store_;
  const IndexReaders& indexes_;
  const std::string_view text_;
  const SimilarityOptions& options_;
  TextSketcher sketcher_;
  const TextSketch sketch_;
  const std::vector<uint32_t> symbols_;
  std::set<uint32_t> judged_;                               // numbers
  std::map<uint64_t, std::optional<SetOverlap>> overlaps_;  // by key: equal texts are read once
  SimilarDocuments found_;
};

// --- candidates ----------------------------------------------------------------------------------

Status SimilarSearch::JudgeEqual() {
  const TextToStore& keys = sketch_.keys;
  if (keys.bytes == 0) return {};
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<StoredDocument> equal,
                          keys.units > 0 ? store_.FindEqual(TextHash::kFolded, keys.folded)
                                         : store_.FindEqual(TextHash::kExact, keys.exact));
  for (StoredDocument& document : equal) {
    if (!judged_.insert(document.number).second) continue;
    ZHIWEN_RETURN_IF_ERROR(Judge(std::move(document)));
  }
  return {};
}

Status SimilarSearch::JudgeNear() {
  if (indexes_.near == nullptr || sketch_.shingles.empty()) return {};
  Status failed;
  const SimilarityOf judge = [&](uint32_t, std::span<const uint64_t> numbers,
                                 std::span<double> similarities) {
    for (const uint64_t number : numbers) {
      if (failed) failed = JudgeNumber(number);
    }
    std::ranges::fill(similarities, 0);
  };
  ZHIWEN_ASSIGN_OR_RETURN(
      const SimilarityAnswer answer,
      indexes_.near->QueryVerified(SignatureRows(sketch_.signature, kSignatureSize), judge));
  found_.truncated |= !answer.truncated.empty();
  return failed;
}

// Estimates the resemblance of the text and a document that shares so many selected blocks with it:
// as though blocks were selected as densely in the one as in the other.
double SimilarSearch::EstimateResemblance(const StoredDocument& document, uint32_t shared) const {
  const auto of_text = static_cast<double>(sketch_.selected.front().size());
  const double of_document =
      of_text * static_cast<double>(document.units) / static_cast<double>(sketch_.keys.units);
  return shared / std::max<double>(shared, of_text + of_document - shared);
}

Status SimilarSearch::JudgeSharing() {
  if (indexes_.selected.front() == nullptr || sketch_.selected.front().empty()) return {};
  const size_t most = std::max(kMostProposed, 10 * options_.count) + judged_.size();
  ZHIWEN_ASSIGN_OR_RETURN(
      const OverlapAnswer answer,
      indexes_.selected.front()->Query(sketch_.selected.front(),
                                       {.count = most, .max_postings = kMostPostings}));
  found_.common_blocks = answer.left_out;
  std::multimap<double, StoredDocument, std::greater<>> proposed;  // by estimate
  for (const OverlapMatch& match : answer.matches) {
    if (judged_.contains(match.document)) continue;
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<StoredDocument> document, store_.Find(match.document));
    if (!document || document->state != DocumentState::kLive) continue;
    const double estimate = EstimateResemblance(*document, match.overlap);
    proposed.emplace(estimate, *std::move(document));
  }
  size_t left = std::max(kMostSharing, 2 * options_.count);
  found_.truncated |= proposed.size() > left || answer.matches.size() == most;
  for (auto& [estimate, document] : proposed) {
    if (left-- == 0) break;
    ZHIWEN_RETURN_IF_ERROR(Judge(std::move(document)));
  }
  return {};
}

// --- comparison ----------------------------------------------------------------------------------

// Compares a document that was not compared before, if it is live.
Status SimilarSearch::JudgeNumber(uint64_t number) {
  if (!judged_.insert(static_cast<uint32_t>(number)).second) return {};
  ZHIWEN_ASSIGN_OR_RETURN(std::optional<StoredDocument> document,
                          store_.Find(static_cast<uint32_t>(number)));
  if (!document || document->state != DocumentState::kLive) return {};
  return Judge(*std::move(document));
}

Status SimilarSearch::Judge(StoredDocument document) {
  if (document.number == options_.except) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<SetOverlap> overlap, OverlapWith(document));
  if (!overlap || overlap->shared == 0) return {};
  if (options_.least_resemblance > 0 && !overlap->Reaches(options_.least_resemblance)) return {};
  found_.documents.push_back(SimilarBy(*overlap, std::move(document)));
  return {};
}

// Returns what a document shares with the text; nothing when it was purged meanwhile, or when as
// many texts were compared as may be.
Result<std::optional<SetOverlap>> SimilarSearch::OverlapWith(const StoredDocument& document) {
  const auto known = overlaps_.find(document.text);
  if (known != overlaps_.end()) return known->second;
  if (found_.compared >= options_.most_compared) {
    found_.truncated = true;
    return std::optional<SetOverlap>();
  }
  const Result<std::string> original = store_.ReadText(document.text);
  std::optional<SetOverlap>& overlap = overlaps_[document.text];
  if (!original && original.error().code == ErrorCode::kNotFound) return overlap;
  if (!original) return tl::unexpected(original.error());
  ++found_.compared;
  overlap = CompareTexts({text_, sketch_.shingles, symbols_}, *original, sketcher_);
  return overlap;
}

Result<SimilarDocuments> SimilarSearch::Run() {
  found_.units = sketch_.keys.units;
  ZHIWEN_RETURN_IF_ERROR(JudgeEqual());
  ZHIWEN_RETURN_IF_ERROR(JudgeNear());
  ZHIWEN_RETURN_IF_ERROR(JudgeSharing());
  RankSimilar(options_.count, found_);
  return std::move(found_);
}

}  // namespace

SetOverlap CompareTexts(const ComparedText& text, std::string_view other, TextSketcher& sketcher) {
  const std::span<const uint64_t> shingles = sketcher.ShingleSet(other);
  if (!text.shingles.empty()) return ComputeOverlap(text.shingles, shingles);
  const bool is_equal = text.symbols.empty() ? text.text == other
                                             : std::ranges::equal(text.symbols, sketcher.symbols());
  return is_equal ? SetOverlap{1, 1, 1} : SetOverlap{};
}

SimilarDocumentOfText SimilarBy(const SetOverlap& overlap, StoredDocument document) {
  return {.document = std::move(document),
          .resemblance = overlap.Resemblance(),
          .containment = overlap.ContainmentOfA(),
          .containment_of_original = overlap.ContainmentOfB()};
}

void RankSimilar(size_t count, SimilarDocuments& similar) {
  std::ranges::sort(similar.documents, {}, [](const SimilarDocumentOfText& one) {
    return std::tuple(-one.resemblance, -one.containment, one.document.number);
  });
  if (similar.documents.size() > count) similar.documents.resize(count);
}

Result<SimilarDocuments> FindSimilarDocuments(const CorpusStore& store, const IndexReaders& indexes,
                                              std::string_view text,
                                              const SimilarityOptions& options) {
  const PassageChannel folded = {
      .index = std::string(kPassageIndex), .scheme = PassageScheme(), .channel = FoldedChannel()};
  ZHIWEN_ASSIGN_OR_RETURN(TextSketcher sketcher, TextSketcher::Create({&folded, 1}));
  return SimilarSearch(store, indexes, text, options, std::move(sketcher)).Run();
}

}  // namespace zhiwen
