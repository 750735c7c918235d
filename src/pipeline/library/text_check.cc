#include "pipeline/library/text_check.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8/utf8.h"
#include "index/thresholds/containment_threshold.h"
#include "match/run_finder.h"
#include "match/similarity.h"
#include "pipeline/library/text_sketcher.h"
#include "zhiwen/channel.h"
#include "zhiwen/compare.h"

namespace zhiwen {
namespace {

// Rounds of candidates from the index of passages, and new candidates of each: a compilation of
// thirty sources names thirty. After rounds without a match it is unlikely that there are more.
constexpr size_t kPassageRounds = 8;
constexpr size_t kPassageCandidates = 16;
constexpr size_t kBarrenRounds = 2;
// Blocks that more documents have are set phrases, and propose none.
constexpr uint64_t kMostDocumentsOfBlock = 64;
constexpr size_t kMostTextBytes = size_t{64} << 20;  // of stored texts that are held

// Turns bytes of a text into code points, in any order.
class CodePointTable {
 public:
  explicit CodePointTable(std::string_view utf8) : utf8_(utf8) {
    for (size_t begin = 0; begin < utf8.size(); begin += kStep) {
      before_.push_back(before_.empty() ? 0 : before_.back() + CountStarts(begin - kStep, begin));
    }
  }

  CodePointOffset At(ByteOffset byte) const {
    if (utf8_.empty()) return {0};
    const size_t step = std::min<size_t>(byte.value / kStep, before_.size() - 1);
    return {before_[step] + CountStarts(step * kStep, byte.value)};
  }

 private:
  static constexpr size_t kStep = 1024;  // bytes

  // Returns how many code points start in [begin, end).
  uint64_t CountStarts(size_t begin, size_t end) const {
    return static_cast<uint64_t>(
        std::ranges::count_if(utf8_.substr(begin, end - begin),
                              [](char c) { return !IsContinuation(static_cast<uint8_t>(c)); }));
  }

  std::string_view utf8_;
  std::vector<uint64_t> before_;  // code points that start before each step
};

// A document that may match.
struct Candidate {
  StoredDocument document;
  Relation relation = Relation::kNone;  // that is known before texts are compared
  std::string channel;
};

class SuspectText {
 public:
  SuspectText(const CorpusStore& store, const IndexReaders& indexes, std::string_view text,
              const TextCheckOptions& options, TextSketcher sketcher)
      : store_(store),
        indexes_(indexes),
        text_(text),
        options_(options),
        sketcher_(std::move(sketcher)),
        sketch_(sketcher_.Sketch(text)),
        symbols_(sketcher_.symbols().begin(), sketcher_.symbols().end()),
        blocks_(BlocksOf(symbols_)),
        runs_(symbols_, kPassageRun),
        points_(text),
        is_covered_(sketch_.keys.units, false) {}

  Result<CheckedText> Check();

 private:
  Status FindEqual(TextHash kind, const Hash128& hash, const Channel& channel);
  Status FindNear();
  Status FindPassages();
  Status CompareSome(std::span<const OverlapMatch> proposed);
  Result<double> ResemblanceOf(uint64_t number);
  Result<const std::string*> TextOf(const StoredDocument& document);
  Relation RelationTo(std::string_view original);
  Status Judge(StoredDocument document);
  Status Compare(const Candidate& candidate);
  void Keep(const Candidate& candidate, const std::string& original, const Comparison& comparison);

  const CorpusStore& store_;
  const IndexReaders& indexes_;
  const std::string_view text_;
  const TextCheckOptions& options_;
  TextSketcher sketcher_;
  const TextSketch sketch_;
  const std::vector<uint32_t> symbols_;
  const std::vector<BlockAt> blocks_;
  const RunFinder runs_;
  const CodePointTable points_;
  std::map<uint32_t, Candidate> candidates_;    // by number: those whose resemblance was computed
  std::set<uint32_t> compared_;                 // numbers
  std::map<uint64_t, std::string> texts_;       // by key: those read so far
  size_t text_bytes_ = 0;                       // of these
  std::map<uint64_t, double> resemblances_;     // by key
  std::map<uint64_t, Comparison> comparisons_;  // by key: equal texts are compared once
  std::vector<bool> is_covered_;                // symbols that are in a passage of a match
  CheckedText checked_;
};

// Returns the text of a document, valid until the next call; null when it was purged meanwhile.
Result<const std::string*> SuspectText::TextOf(const StoredDocument& document) {
  const auto known = texts_.find(document.text);
  if (known != texts_.end()) return &known->second;
  Result<std::string> text = store_.ReadText(document.text);
  if (!text && text.error().code == ErrorCode::kNotFound) return nullptr;
  if (!text) return Fail(std::move(text));
  if (text_bytes_ > kMostTextBytes) {
    texts_.clear();
    text_bytes_ = 0;
  }
  text_bytes_ += text->size();
  return &texts_.emplace(document.text, *std::move(text)).first->second;
}

// --- candidates ----------------------------------------------------------------------------------

Status SuspectText::FindEqual(TextHash kind, const Hash128& hash, const Channel& channel) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<StoredDocument> found, store_.FindEqual(kind, hash));
  for (StoredDocument& document : found) {
    if (candidates_.size() >= options_.most_verified) {
      checked_.truncated = true;
      break;
    }
    const uint32_t number = document.number;
    candidates_.try_emplace(number, Candidate{.document = std::move(document),
                                              .relation = Relation::kSame,
                                              .channel = channel.name()});
  }
  return {};
}

// Returns the resemblance of the text and a document, which becomes a candidate; 0 for one that is
// no longer live.
Result<double> SuspectText::ResemblanceOf(uint64_t number) {
  if (candidates_.contains(static_cast<uint32_t>(number))) return 1;
  if (candidates_.size() >= options_.most_verified) {
    checked_.truncated = true;
    return 0;
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::optional<StoredDocument> document,
                          store_.Find(static_cast<uint32_t>(number)));
  if (!document || document->state != DocumentState::kLive) return 0;
  const auto [known, is_new] = resemblances_.try_emplace(document->text, 0);
  if (is_new) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string* text, TextOf(*document));
    if (text == nullptr) return 0;
    known->second = ComputeOverlap(sketch_.shingles, sketcher_.ShingleSet(*text)).Resemblance();
  }
  candidates_.try_emplace(static_cast<uint32_t>(number),
                          Candidate{.document = *std::move(document),
                                    .relation = Relation::kNone,
                                    .channel = FoldedChannel().name()});
  return known->second;
}

Status SuspectText::FindNear() {
  if (indexes_.near == nullptr || sketch_.shingles.empty()) return {};
  Status failed;
  const SimilarityOf similarity_of = [&](uint32_t, std::span<const uint64_t> documents,
                                         std::span<double> similarities) {
    for (size_t i = 0; i < documents.size(); ++i) {
      const Result<double> resemblance = failed ? ResemblanceOf(documents[i]) : Result<double>(0);
      if (!resemblance) failed = tl::unexpected(resemblance.error());
      similarities[i] = resemblance ? *resemblance : 0;
    }
  };
  ZHIWEN_ASSIGN_OR_RETURN(const SimilarityAnswer answer,
                          indexes_.near->QueryVerified(
                              SignatureRows(sketch_.signature, kSignatureSize), similarity_of));
  ZHIWEN_RETURN_IF_ERROR(std::move(failed));
  checked_.truncated |= !answer.truncated.empty();
  for (const SimilarDocument& similar : answer.documents) {
    const auto found = candidates_.find(static_cast<uint32_t>(similar.document));
    if (found == candidates_.end() || found->second.relation != Relation::kNone) continue;
    found->second.relation = Relation::kNear;
  }
  return {};
}

// Compares the documents that share the most blocks of the text; then those that share the most of
// the parts that no match covers, until none shares any, or a bound is met.
Status SuspectText::FindPassages() {
  if (indexes_.selected[0] == nullptr) return {};
  size_t barren = 0;
  for (size_t round = 0; round < kPassageRounds; ++round) {
    std::vector<uint64_t> features;
    for (const BlockAt& block : blocks_) {
      if (round == 0 || !is_covered_[block.begin.value]) features.push_back(block.hash);
    }
    if (features.empty()) return {};
    const size_t count = kPassageCandidates + compared_.size();  // some may be these
    ZHIWEN_ASSIGN_OR_RETURN(
        const OverlapAnswer answer,
        indexes_.selected[0]->Query(features,
                                    {.count = count, .max_frequency = kMostDocumentsOfBlock}));
    if (round == 0) checked_.common_blocks = answer.cut;
    const size_t compared = compared_.size();
    const auto covered = std::ranges::count(is_covered_, true);
    ZHIWEN_RETURN_IF_ERROR(CompareSome(answer.matches));
    if (compared_.size() == compared) return {};  // all that share a block are compared
    barren = std::ranges::count(is_covered_, true) > covered ? 0 : barren + 1;
    if (barren < kBarrenRounds) continue;
    checked_.truncated |= answer.matches.size() == count;
    return {};
  }
  checked_.truncated = true;
  return {};
}

// Compares the proposed documents that were not compared before, as many as a round may.
Status SuspectText::CompareSome(std::span<const OverlapMatch> proposed) {
  size_t taken = 0;
  for (const OverlapMatch& match : proposed) {
    if (taken == kPassageCandidates) return {};
    if (compared_.contains(match.document)) continue;
    if (compared_.size() >= options_.most_verified) {
      checked_.truncated = true;
      return {};
    }
    compared_.insert(match.document);
    ++taken;
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<StoredDocument> document, store_.Find(match.document));
    if (!document || document->state != DocumentState::kLive) continue;
    ZHIWEN_RETURN_IF_ERROR(Judge(*std::move(document)));
  }
  return {};
}

// --- comparison ----------------------------------------------------------------------------------

// Returns how the text is related to a document that is not equal to it.
Relation SuspectText::RelationTo(std::string_view original) {
  const SetOverlap overlap = ComputeOverlap(sketch_.shingles, sketcher_.ShingleSet(original));
  if (overlap.Reaches(store_.settings().near_threshold)) return Relation::kNear;
  if (ContainmentReaches(overlap.shared, overlap.b, options_.containment)) {
    return Relation::kContains;
  }
  if (ContainmentReaches(overlap.shared, overlap.a, options_.containment)) {
    return Relation::kContained;
  }
  return runs_.SharesRun(sketcher_.symbols()) ? Relation::kPassages : Relation::kNone;
}

// Compares the text with a document that shares blocks with it, and keeps it if it is a match.
Status SuspectText::Judge(StoredDocument document) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string* original, TextOf(document));
  if (original == nullptr) return {};
  const Relation relation = RelationTo(*original);
  if (relation == Relation::kNone) return {};
  return Compare(
      {.document = std::move(document), .relation = relation, .channel = FoldedChannel().name()});
}

// Compares the text with a match symbol by symbol, and keeps it. Texts whose hashes are equal, and
// that are not, are no match.
Status SuspectText::Compare(const Candidate& candidate) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string* original, TextOf(candidate.document));
  if (original == nullptr) return {};
  auto known = comparisons_.find(candidate.document.text);
  if (known == comparisons_.end()) {
    ZHIWEN_ASSIGN_OR_RETURN(Comparison compared,
                            zhiwen::Compare(text_, *original, {.min_run = options_.min_run}));
    known = comparisons_.emplace(candidate.document.text, std::move(compared)).first;
  }
  const Comparison& comparison = known->second;
  const bool is_same = comparison.equal_exact || comparison.equal_channel;
  if (candidate.relation == Relation::kSame && !is_same) return {};
  for (const SharedRun& run : comparison.runs) {
    for (uint64_t i = run.a_symbols.begin.value; i < run.a_symbols.end.value; ++i) {
      is_covered_[i] = true;
    }
  }
  Keep(candidate, *original, comparison);
  return {};
}

void SuspectText::Keep(const Candidate& candidate, const std::string& original,
                       const Comparison& comparison) {
  if (comparison.containment_of_a < options_.least_containment) {
    ++checked_.below_least;
    return;
  }
  CheckMatch match = {.document = candidate.document,
                      .relation = candidate.relation,
                      .channel = candidate.channel,
                      .resemblance = comparison.resemblance,
                      .containment = comparison.containment_of_a,
                      .containment_of_original = comparison.containment_of_b,
                      .matched = comparison.a_covered,
                      .longest_run = comparison.longest_run,
                      .passages = {}};
  const CodePointTable original_points(original);
  for (const SharedRun& run : comparison.runs) {
    CheckPassage passage;
    passage.suspect_bytes = run.a_bytes;
    passage.original_bytes = run.b_bytes;
    passage.suspect.begin = points_.At(run.a_bytes.begin);
    passage.suspect.end = points_.At(run.a_bytes.end);
    passage.original.begin = original_points.At(run.b_bytes.begin);
    passage.original.end = original_points.At(run.b_bytes.end);
    passage.is_verbatim =
        text_.substr(run.a_bytes.begin.value, run.a_bytes.size()) ==
        std::string_view(original).substr(run.b_bytes.begin.value, run.b_bytes.size());
    passage.matched = run.a_symbols.size();
    match.passages.push_back(passage);
  }
  checked_.verdict = std::min(checked_.verdict, match.relation);
  checked_.matches.push_back(std::move(match));
}

Result<CheckedText> SuspectText::Check() {
  const TextToStore& keys = sketch_.keys;
  checked_.units = keys.units;
  if (keys.bytes != 0) {
    ZHIWEN_RETURN_IF_ERROR(FindEqual(TextHash::kExact, keys.exact, ExactChannel()));
  }
  if (keys.units != 0) {
    ZHIWEN_RETURN_IF_ERROR(FindEqual(TextHash::kFolded, keys.folded, FoldedChannel()));
  }
  ZHIWEN_RETURN_IF_ERROR(FindNear());
  for (const auto& [number, candidate] : candidates_) {
    if (candidate.relation == Relation::kNone) continue;
    compared_.insert(number);
    ZHIWEN_RETURN_IF_ERROR(Compare(candidate));
  }
  ZHIWEN_RETURN_IF_ERROR(FindPassages());
  checked_.union_matched = static_cast<uint64_t>(std::ranges::count(is_covered_, true));
  const auto order = [](const CheckMatch& match) {
    return std::pair(~match.matched, match.document.number);
  };
  std::ranges::sort(checked_.matches, {}, order);
  if (checked_.matches.size() > options_.most_matches) {
    checked_.matches.resize(options_.most_matches);
    checked_.truncated = true;
  }
  return std::move(checked_);
}

}  // namespace

Result<CheckedText> CheckText(const CorpusStore& store, std::span<const PassageChannel> channels,
                              const IndexReaders& indexes, std::string_view text,
                              const TextCheckOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(TextSketcher sketcher, TextSketcher::Create(channels));
  return SuspectText(store, indexes, text, options, std::move(sketcher)).Check();
}

}  // namespace zhiwen
