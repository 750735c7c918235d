#include "pipeline/library/text_check.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8/utf8.h"
#include "match/similarity.h"
#include "pipeline/library/text_sketcher.h"
#include "zhiwen/channel.h"
#include "zhiwen/compare.h"

namespace zhiwen {
namespace {

// Turns ascending bytes of a text into code points, in one pass over the text.
class CodePointCounter {
 public:
  explicit CodePointCounter(std::string_view utf8) : utf8_(utf8) {}

  CodePointOffset At(ByteOffset byte) {
    if (byte.value < bytes_) bytes_ = code_points_ = 0;  // places in the original may go back
    code_points_ += CountCodePoints(utf8_.substr(bytes_, byte.value - bytes_));
    bytes_ = byte.value;
    return {code_points_};
  }

 private:
  std::string_view utf8_;
  uint64_t bytes_ = 0, code_points_ = 0;
};

// A document that may match.
struct Candidate {
  StoredDocument document;
  Relation relation = Relation::kNone;
  std::string channel;
};

class SuspectText {
 public:
  SuspectText(const CorpusStore& store, const MinHashIndex* near, std::string_view text,
              const TextCheckOptions& options, TextSketcher sketcher)
      : store_(store),
        near_(near),
        text_(text),
        options_(options),
        sketcher_(std::move(sketcher)),
        sketch_(sketcher_.Sketch(text)) {}

  Result<CheckedText> Check();

 private:
  Status FindEqual(TextHash kind, const Hash128& hash, const Channel& channel);
  Status FindNear();
  Result<double> ResemblanceOf(uint64_t number);
  Result<const std::string*> TextOf(const StoredDocument& document);
  Result<std::optional<CheckMatch>> Compare(const Candidate& candidate);

  const CorpusStore& store_;
  const MinHashIndex* near_;
  const std::string_view text_;
  const TextCheckOptions& options_;
  TextSketcher sketcher_;
  const TextSketch sketch_;
  std::map<uint32_t, Candidate> candidates_;  // by number
  std::map<uint64_t, std::string> texts_;     // by key: those read so far
  std::map<uint64_t, double> resemblances_;   // by key
  bool truncated_ = false;
};

// Returns the text of a document; null when it was purged meanwhile.
Result<const std::string*> SuspectText::TextOf(const StoredDocument& document) {
  const auto known = texts_.find(document.text);
  if (known != texts_.end()) return &known->second;
  Result<std::string> text = store_.ReadText(document.text);
  if (!text && text.error().code == ErrorCode::kNotFound) return nullptr;
  if (!text) return Fail(std::move(text));
  return &texts_.emplace(document.text, *std::move(text)).first->second;
}

Status SuspectText::FindEqual(TextHash kind, const Hash128& hash, const Channel& channel) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<StoredDocument> found, store_.FindEqual(kind, hash));
  for (StoredDocument& document : found) {
    if (candidates_.size() >= options_.most_verified) {
      truncated_ = true;
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
    truncated_ = true;
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
  if (near_ == nullptr || sketch_.shingles.empty()) return {};
  Status failed;
  const SimilarityOf similarity_of = [&](uint32_t, std::span<const uint64_t> documents,
                                         std::span<double> similarities) {
    for (size_t i = 0; i < documents.size(); ++i) {
      const Result<double> resemblance = failed ? ResemblanceOf(documents[i]) : Result<double>(0);
      if (!resemblance) failed = tl::unexpected(resemblance.error());
      similarities[i] = resemblance ? *resemblance : 0;
    }
  };
  ZHIWEN_ASSIGN_OR_RETURN(
      const SimilarityAnswer answer,
      near_->QueryVerified(SignatureRows(sketch_.signature, kSignatureSize), similarity_of));
  ZHIWEN_RETURN_IF_ERROR(std::move(failed));
  truncated_ |= !answer.truncated.empty();
  for (const SimilarDocument& similar : answer.documents) {
    const auto found = candidates_.find(static_cast<uint32_t>(similar.document));
    if (found == candidates_.end() || found->second.relation != Relation::kNone) continue;
    found->second.relation = Relation::kNear;
  }
  return {};
}

// Compares the text with a candidate symbol by symbol. Nothing when they are not what their hashes
// said.
Result<std::optional<CheckMatch>> SuspectText::Compare(const Candidate& candidate) {
  std::optional<CheckMatch> match;
  ZHIWEN_ASSIGN_OR_RETURN(const std::string* original, TextOf(candidate.document));
  if (original == nullptr) return match;
  ZHIWEN_ASSIGN_OR_RETURN(const Comparison comparison,
                          zhiwen::Compare(text_, *original, {.min_run = options_.min_run}));
  const bool is_same = comparison.equal_exact || comparison.equal_channel;
  if (candidate.relation == Relation::kSame && !is_same) return match;
  match.emplace();
  match->document = candidate.document;
  match->relation = candidate.relation;
  match->channel = candidate.channel;
  match->resemblance = comparison.resemblance;
  match->containment = comparison.containment_of_a;
  match->containment_of_original = comparison.containment_of_b;
  match->matched = comparison.a_covered;
  match->longest_run = comparison.longest_run;
  CodePointCounter suspect_points(text_), original_points(*original);
  for (const SharedRun& run : comparison.runs) {
    CheckPassage passage;
    passage.suspect_bytes = run.a_bytes;
    passage.original_bytes = run.b_bytes;
    passage.suspect.begin = suspect_points.At(run.a_bytes.begin);
    passage.suspect.end = suspect_points.At(run.a_bytes.end);
    passage.original.begin = original_points.At(run.b_bytes.begin);
    passage.original.end = original_points.At(run.b_bytes.end);
    passage.is_verbatim =
        text_.substr(run.a_bytes.begin.value, run.a_bytes.size()) ==
        std::string_view(*original).substr(run.b_bytes.begin.value, run.b_bytes.size());
    passage.matched = run.a_symbols.size();
    match->passages.push_back(passage);
  }
  return match;
}

// Returns the number of symbols of the text that lie in a passage of any match, counted by the
// bytes that passages cover.
uint64_t CountUnion(std::string_view text, std::span<const CheckMatch> matches) {
  std::vector<ByteSpan> covered;
  for (const CheckMatch& match : matches) {
    for (const CheckPassage& passage : match.passages) covered.push_back(passage.suspect_bytes);
  }
  if (covered.empty()) return 0;
  std::ranges::sort(covered, {}, [](const ByteSpan& span) { return span.begin; });
  const auto symbols = ComputeSymbols(FoldedChannel(), text);
  if (!symbols) return 0;
  uint64_t count = 0;
  size_t next = 0;
  ByteOffset end;  // of the passages up to `next`
  for (const ByteSpan& symbol : symbols->spans) {
    while (next < covered.size() && covered[next].begin <= symbol.begin) {
      end = std::max(end, covered[next++].end);
    }
    count += symbol.end <= end ? 1 : 0;
  }
  return count;
}

Result<CheckedText> SuspectText::Check() {
  const TextToStore& keys = sketch_.keys;
  CheckedText checked;
  checked.units = keys.units;
  if (keys.bytes != 0)
    ZHIWEN_RETURN_IF_ERROR(FindEqual(TextHash::kExact, keys.exact, ExactChannel()));
  if (keys.units != 0)
    ZHIWEN_RETURN_IF_ERROR(FindEqual(TextHash::kFolded, keys.folded, FoldedChannel()));
  ZHIWEN_RETURN_IF_ERROR(FindNear());
  for (const auto& [number, candidate] : candidates_) {
    if (candidate.relation == Relation::kNone) continue;
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<CheckMatch> match, Compare(candidate));
    if (!match) continue;
    if (match->containment < options_.least_containment) {
      ++checked.below_least;
      continue;
    }
    checked.verdict = std::min(checked.verdict, match->relation);
    checked.matches.push_back(*std::move(match));
  }
  std::ranges::stable_sort(checked.matches, std::greater(), &CheckMatch::matched);
  if (checked.matches.size() > options_.most_matches) {
    checked.matches.resize(options_.most_matches);
    truncated_ = true;
  }
  checked.union_matched = CountUnion(text_, checked.matches);
  checked.truncated = truncated_;
  return checked;
}

}  // namespace

Result<CheckedText> CheckText(const CorpusStore& store, const MinHashIndex* near,
                              std::string_view text, const TextCheckOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(TextSketcher sketcher, TextSketcher::Create());
  return SuspectText(store, near, text, options, std::move(sketcher)).Check();
}

}  // namespace zhiwen
