#include "pipeline/library/check_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/for_each_until_error.h"
#include "pipeline/library/text_sketcher.h"

namespace zhiwen {
namespace {

constexpr size_t kMostNamedOfIndex = 10;  // named, of each index
constexpr size_t kLookedUpAtOnce = 1024;
// Blocks of more documents are not looked up, so that equal texts do not make a check quadratic.
constexpr uint64_t kMostDocumentsAsked = 64;

// An index that is open.
class ComparedIndex {
 public:
  static Result<ComparedIndex> Open(FileSystem& files, IndexToCompare wanted) {
    ComparedIndex opened(std::move(wanted));
    const std::string& folder = opened.wanted_.folder;
    if (opened.wanted_.index.kind->content == DerivedContent::kSignatures) {
      ZHIWEN_ASSIGN_OR_RETURN(opened.near_, MinHashIndex::Open(files, folder));
    } else {
      ZHIWEN_ASSIGN_OR_RETURN(opened.postings_, PostingsIndex::Open(files, folder));
    }
    return opened;
  }

  // Returns whether a document that the index has to have finds itself, or cannot be looked up.
  Result<bool> Finds(uint32_t document, const TextSketch& sketch) const {
    if (!wanted_.documents.contains(document)) return true;
    if (near_ != nullptr) return FindsNear(document, sketch);
    const bool has_granules = wanted_.index.kind->content == DerivedContent::kGranules;
    return FindsFeatures(document,
                         (has_granules ? sketch.granules : sketch.selected)[wanted_.index.part]);
  }

  const std::string& folder() const { return wanted_.folder; }

 private:
  explicit ComparedIndex(IndexToCompare wanted) : wanted_(std::move(wanted)) {}

  Result<bool> FindsNear(uint32_t document, const TextSketch& sketch) const {
    if (sketch.shingles.empty()) return true;
    bool found = false;
    const SimilarityOf look = [&](uint32_t, std::span<const uint64_t> candidates,
                                  std::span<double> similarities) {
      found = found || std::ranges::find(candidates, document) != candidates.end();
      std::ranges::fill(similarities, 0);
    };
    ZHIWEN_ASSIGN_OR_RETURN(
        const SimilarityAnswer answer,
        near_->QueryVerified(SignatureRows(sketch.signature, kSignatureSize), look));
    return found || !answer.truncated.empty();
  }

  Result<bool> FindsFeatures(uint32_t document, std::span<const uint64_t> features) const {
    ZHIWEN_ASSIGN_OR_RETURN(const OverlapAnswer answer,
                            postings_->Query(features, {.count = kMostDocumentsAsked,
                                                        .max_frequency = kMostDocumentsAsked}));
    const size_t counted = answer.features - answer.cut;
    // At most kMostDocumentsAsked documents have all of these, so that all are in the answer.
    return counted == 0 || std::ranges::any_of(answer.matches, [&](const OverlapMatch& match) {
             return match.document == document && match.overlap == counted;
           });
  }

  IndexToCompare wanted_;
  std::unique_ptr<MinHashIndex> near_ = nullptr;
  std::unique_ptr<PostingsIndex> postings_ = nullptr;
};

class ContentCheck {
 public:
  ContentCheck(const CorpusStore& store, std::vector<ComparedIndex> indexes,
               std::vector<TextSketcher> sketchers, const BatchEnvironment& environment)
      : store_(store),
        indexes_(std::move(indexes)),
        sketchers_(std::move(sketchers)),
        environment_(environment),
        missing_(indexes_.size()) {}

  Status Run() {
    ZHIWEN_RETURN_IF_ERROR(store_.VisitDocuments(
        CorpusStore::Which::kLive, 0, [&](const StoredDocument& document) -> Status {
          batch_.push_back(document);
          return batch_.size() < kLookedUpAtOnce ? Status() : CompareBatch();
        }));
    return CompareBatch();
  }

  void Report(std::vector<std::string>& problems) const {
    for (size_t i = 0; i < indexes_.size(); ++i) {
      const std::vector<uint32_t>& missing = missing_[i];
      for (size_t k = 0; k < std::min(missing.size(), kMostNamedOfIndex); ++k) {
        problems.push_back(
            fmt::format("\"{}\" has another text of document {}; remove that folder, and zhiwen "
                        "library compact makes it anew",
                        indexes_[i].folder(), missing[k]));
      }
      if (missing.size() <= kMostNamedOfIndex) continue;
      problems.push_back(fmt::format("\"{}\" has other texts of {} more documents",
                                     indexes_[i].folder(), missing.size() - kMostNamedOfIndex));
    }
  }

 private:
  Status CompareBatch() {
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    std::vector<std::vector<size_t>> missed(batch_.size());  // indexes, by document
    ZHIWEN_RETURN_IF_ERROR(
        ForEachUntilError(environment_.executor, batch_.size(), 1, [&](size_t worker, size_t i) {
          return CompareOne(batch_[i], sketchers_[worker], missed[i]);
        }));
    for (size_t i = 0; i < batch_.size(); ++i) {
      for (const size_t index : missed[i]) missing_[index].push_back(batch_[i].number);
    }
    done_ += batch_.size();
    environment_.progress.Advance(Stage::kCheckRows, done_, 0);
    batch_.clear();
    return {};
  }

  Status CompareOne(const StoredDocument& document, TextSketcher& sketcher,
                    std::vector<size_t>& missed) const {
    const Result<std::string> text = store_.ReadText(document.text);
    if (!text) return {};  // the catalog's check reports it
    const TextSketch sketch = sketcher.Sketch(*text);
    for (size_t i = 0; i < indexes_.size(); ++i) {
      ZHIWEN_ASSIGN_OR_RETURN(const bool finds, indexes_[i].Finds(document.number, sketch));
      if (!finds) missed.push_back(i);
    }
    return {};
  }

  const CorpusStore& store_;
  const std::vector<ComparedIndex> indexes_;
  std::vector<TextSketcher> sketchers_;  // one a worker
  const BatchEnvironment& environment_;
  std::vector<StoredDocument> batch_;
  std::vector<std::vector<uint32_t>> missing_;  // documents, by index
  uint64_t done_ = 0;
};

}  // namespace

Status CheckContents(const std::string& library, const CorpusStore& store,
                     std::vector<IndexToCompare> indexes, const BatchEnvironment& environment,
                     std::vector<std::string>& problems) {
  if (indexes.empty()) return {};
  const auto channels = OpenPassageChannels(store.settings(), environment.language);
  if (!channels) {
    environment.log.Warn(
        fmt::format("indexes are not compared with texts: {}", channels.error().message));
    return {};
  }
  const auto schemes =
      OpenGranuleSchemes(environment.files, library, store.settings(), environment.language);
  if (!schemes) {
    environment.log.Warn(
        fmt::format("indexes are not compared with texts: {}", schemes.error().message));
    return {};
  }
  std::vector<ComparedIndex> opened;
  for (IndexToCompare& index : indexes) {
    ZHIWEN_ASSIGN_OR_RETURN(ComparedIndex one,
                            ComparedIndex::Open(environment.files, std::move(index)));
    opened.push_back(std::move(one));
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<TextSketcher> sketchers,
                          TextSketcher::CreateForAll(environment.executor, *channels, *schemes));
  ContentCheck check(store, std::move(opened), std::move(sketchers), environment);
  ZHIWEN_RETURN_IF_ERROR(check.Run());
  check.Report(problems);
  return {};
}

}  // namespace zhiwen
