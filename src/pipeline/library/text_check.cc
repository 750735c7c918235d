#include "pipeline/library/text_check.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "document/parse_date.h"
#include "index/postings/granule_keys.h"
#include "match/similarity.h"
#include "pipeline/library/granule_matches.h"
#include "pipeline/library/match_passages.h"
#include "pipeline/library/precedence.h"
#include "pipeline/library/suspect_channel.h"
#include "pipeline/library/text_sketcher.h"
#include "zhiwen/channel.h"
#include "zhiwen/compare.h"
#include "zhiwen/source_places.h"

namespace zhiwen {
namespace {

// Rounds of candidates from the index of passages, and new candidates of each: a compilation of
// thirty sources names thirty. After rounds without a match it is unlikely that there are more.
constexpr size_t kPassageRounds = 8;
constexpr size_t kPassageCandidates = 16;
// Where an owner is given: most may be the owner's own, which are passed over.
constexpr size_t kPassageCandidatesOfOwners = 128;
constexpr size_t kBarrenRounds = 2;
// Blocks that more documents have are set phrases, and propose none.
constexpr uint64_t kMostDocumentsOfBlock = 64;
constexpr size_t kMostTextBytes = size_t{64} << 20;  // of stored texts that are held
// Symbols of a text whose granules are looked for.
constexpr uint64_t kMostGranuleUnits = 1 << 20;
// First letters of a run: in other texts so many are seldom the same by chance.
constexpr uint32_t kLeastLetters = 16;
// The longer a text is, the more documents share keys with it by chance, or by set phrases.
constexpr size_t kUnitsOfCandidates = 2000, kMostGranuleCandidates = 256;
// That a document shares, so that it is compared: a granule has six, and many documents share one
// or two by chance.
constexpr uint32_t kLeastKeys = 3;

// A document that may match.
struct Candidate {
  StoredDocument document;
  Relation relation = Relation::kNone;  // that is known before texts are compared
  std::string channel;
};

// Where documents are looked for in rounds, by what no match covers.
struct Search {
  // Returns at most `count` documents that share the most with it, most first.
  std::function<Result<OverlapAnswer>(size_t count)> propose;
  std::function<Status(StoredDocument)> judge;
  std::set<uint32_t>& compared;            // numbers of documents
  size_t candidates = kPassageCandidates;  // that a round compares
  uint32_t telling = 1;  // what a document shares that may match; with less it is seldom one
  uint64_t common = 0;   // of the whole text, in so many documents that it proposes none
};

// How a document matches on one channel.
struct FoundOn {
  size_t channel = 0;
  Relation relation = Relation::kNone;
  std::string name;  // of the channel that found it
  const Comparison* comparison = nullptr;
};

struct Found {
  StoredDocument document;
  std::vector<FoundOn> on;  // by channel
};

class SuspectText {
 public:
  SuspectText(const CorpusStore& store, std::span<const PassageChannel> channels,
              std::span<const GranuleChannel> granules, const IndexReaders& indexes,
              std::string_view text, const TextCheckOptions& options, TextSketcher sketcher)
      : store_(store),
        granules_(granules),
        indexes_(indexes),
        text_(text),
        options_(options),
        cancellation_(options.cancellation == nullptr ? never_ : *options.cancellation),
        sketcher_(std::move(sketcher)),
        sketch_(sketcher_.Sketch(text)) {
    for (size_t i = 0; i < channels.size(); ++i) {
      const std::span<const uint32_t> folded = sketcher_.symbols();
      ChannelSet set = i == 0 ? ChannelSet{{folded.begin(), folded.end()}, sketch_.shingles}
                              : ComputeChannelSet(channels[i].channel, text);
      channels_.push_back(std::make_unique<SuspectChannel>(
          channels[i].channel, indexes.selected[i].get(), text, std::move(set),
          i == 0 ? ChannelKind::kFolded : ChannelKind::kDisguises));
    }
    for (const GranuleChannel& one : granules) {
      const Channel& channel = one.scheme->granules().channel();
      channels_.push_back(std::make_unique<SuspectChannel>(
          channel, one.index, text, ComputeChannelSet(channel, text), ChannelKind::kGranules));
    }
  }

  Result<CheckedText> Check();

 private:
  bool MayMatch(const StoredDocument& document) const {
    return zhiwen::MayMatch(document, options_);
  }
  Status FindEqual(TextHash kind, const Hash128& hash, const Channel& channel);
  Status FindNear();
  Status FindPassages(size_t channel);
  Status FindGranules(size_t channel);
  Status FindInRounds(Search& search);
  Status CompareSome(Search& search, std::span<const OverlapMatch> proposed);
  Result<double> ResemblanceOf(uint64_t number);
  Result<const std::string*> TextOf(const StoredDocument& document);
  Status Judge(size_t channel, StoredDocument document);
  Status Compare(size_t channel, const Candidate& candidate);
  Result<const Comparison*> ComparisonOn(size_t channel, const StoredDocument& document,
                                         const std::string& original);
  Status TakeSharesOfRuns(const std::string& original, Comparison& compared);
  void Cover(const ByteSpan& bytes);
  const GranuleChannel* GranulesOf(size_t channel) const;
  std::string SearchedName(size_t channel) const;
  Status FindPassagesOf(CheckMatch& match, const std::string& original,
                        std::vector<bool>& is_matched);
  Status Keep(const Found& found, std::vector<bool>& is_matched);
  Status LocateOriginals();

  const CorpusStore& store_;
  const std::span<const GranuleChannel> granules_;
  const IndexReaders& indexes_;
  const std::string_view text_;
  const TextCheckOptions& options_;
  const Cancellation never_;
  const Cancellation& cancellation_;
  TextSketcher sketcher_;
  const TextSketch sketch_;
  std::vector<std::unique_ptr<SuspectChannel>> channels_;  // the folded one first
  std::map<uint32_t, Candidate> candidates_;  // by number: those whose resemblance was computed
  std::map<uint64_t, std::string> texts_;     // by key: those read so far
  size_t text_bytes_ = 0;                     // of these
  std::map<uint64_t, double> resemblances_;   // by key
  // Keyed by channel and text key: equal texts are compared once.
  std::map<std::pair<size_t, uint64_t>, Comparison> comparisons_;
  std::map<uint32_t, Found> found_;        // by number
  std::optional<MatchPassages> passages_;  // made for the first match
  std::vector<bool> is_covered_;           // bytes that are in a run of a match; empty: none
  uint64_t covered_bytes_ = 0;
  size_t verified_ = 0;  // documents that were compared, on each channel
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
    if (!MayMatch(document)) continue;
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
  if (!document || !MayMatch(*document)) return 0;
  const auto [known, is_new] = resemblances_.try_emplace(document->text, 0);
  if (is_new) {
    ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
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

Status SuspectText::FindPassages(size_t channel) {
  SuspectChannel& suspect = *channels_[channel];
  if (suspect.index() == nullptr) return {};
  bool is_whole = channel == 0;  // what is found before is looked for once more, by its blocks
  Search search = {
      .propose = [&](size_t count) -> Result<OverlapAnswer> {
        ZHIWEN_ASSIGN_OR_RETURN(
            const std::vector<uint64_t> features,
            suspect.UncoveredBlocks(std::exchange(is_whole, false) ? std::vector<bool>()
                                                                   : is_covered_));
        if (features.empty()) return OverlapAnswer();
        return suspect.index()->Query(features,
                                      {.count = count, .max_frequency = kMostDocumentsOfBlock});
      },
      .judge = [&](StoredDocument document) { return Judge(channel, std::move(document)); },
      .compared = suspect.compared()};
  ZHIWEN_RETURN_IF_ERROR(FindInRounds(search));
  if (channel == 0) checked_.common_blocks = search.common;
  return {};
}

// Finds the documents that have granules which no match covers.
Status SuspectText::FindGranules(size_t channel) {
  if (checked_.units > kMostGranuleUnits) {
    checked_.truncated = true;
    return {};
  }
  const GranuleChannel& granules = *GranulesOf(channel);
  ZHIWEN_ASSIGN_OR_RETURN(const GranuleText suspect,
                          GranuleText::Create(granules.scheme->granules(), text_,
                                              GranuleScheme::Begin::kAtEveryCharacter));
  if (suspect.granules().is_short) return {};
  Search search = {
      .propose = [&](size_t count) -> Result<OverlapAnswer> {
        ZHIWEN_ASSIGN_OR_RETURN(OverlapAnswer answer,
                                suspect.Propose(*granules.index, count, is_covered_));
        std::erase_if(answer.matches,
                      [](const OverlapMatch& one) { return one.overlap < kLeastKeys; });
        return answer;
      },
      .judge = [&](StoredDocument document) { return Judge(channel, std::move(document)); },
      .compared = channels_[channel]->compared(),
      .candidates = std::min(kPassageCandidates * (1 + checked_.units / kUnitsOfCandidates),
                             kMostGranuleCandidates),
      .telling = kKeysOfGranule};
  ZHIWEN_RETURN_IF_ERROR(FindInRounds(search));
  checked_.common_keys += search.common;
  return {};
}

// Compares the documents that share the most; then those that share the most of the parts that no
// match covers, until none shares any, or a bound is met.
Status SuspectText::FindInRounds(Search& search) {
  size_t barren = 0;
  for (size_t round = 0; round < kPassageRounds; ++round) {
    const size_t candidates = options_.owner.empty()
                                  ? search.candidates
                                  : std::max(search.candidates, kPassageCandidatesOfOwners);
    const size_t count = candidates + search.compared.size();  // some may be these
    ZHIWEN_ASSIGN_OR_RETURN(const OverlapAnswer answer, search.propose(count));
    if (round == 0) search.common = answer.cut;
    const size_t compared = search.compared.size();
    const uint64_t covered = covered_bytes_;
    const size_t verified = verified_;
    ZHIWEN_RETURN_IF_ERROR(CompareSome(search, answer.matches));
    if (search.compared.size() == compared) return {};  // all that share anything are compared
    barren = covered_bytes_ > covered ? 0 : barren + (verified_ > verified ? 1 : 0);
    if (barren < kBarrenRounds) continue;
    checked_.truncated |=
        answer.matches.size() == count && answer.matches.back().overlap >= search.telling;
    return {};
  }
  checked_.truncated = true;
  return {};
}

// Compares the proposed documents that were not compared before, as many as a round may.
Status SuspectText::CompareSome(Search& search, std::span<const OverlapMatch> proposed) {
  size_t taken = 0;
  for (const OverlapMatch& match : proposed) {
    if (taken == search.candidates) return {};
    if (search.compared.contains(match.document)) continue;
    if (verified_ >= options_.most_verified) {
      checked_.truncated = true;
      return {};
    }
    ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
    search.compared.insert(match.document);
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<StoredDocument> document, store_.Find(match.document));
    if (!document || !MayMatch(*document)) continue;
    ++taken;
    ++verified_;
    ZHIWEN_RETURN_IF_ERROR(search.judge(*std::move(document)));
  }
  return {};
}

// --- comparison ----------------------------------------------------------------------------------

// Compares the text with a document that shares blocks with it on a channel, and keeps it if it is
// a match.
Status SuspectText::Judge(size_t channel, StoredDocument document) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string* original, TextOf(document));
  if (original == nullptr) return {};
  const Relation relation = channels_[channel]->RelationTo(
      *original, store_.settings().near_threshold, options_.containment);
  if (relation == Relation::kNone) return {};
  return Compare(
      channel,
      {.document = std::move(document), .relation = relation, .channel = SearchedName(channel)});
}

// Texts that are unlike share shingles of first letters, too: gives their comparison the
// resemblance of the folded channel, and what its runs have of the texts as their containments.
Status SuspectText::TakeSharesOfRuns(const std::string& original, Comparison& compared) {
  uint64_t units = 0;
  compared.longest_run = 0;
  ZHIWEN_ASSIGN_OR_RETURN(const std::span<const ByteSpan> spans, channels_[0]->Spans());
  for (const SharedRun& run : compared.runs) {
    const SymbolSpan in_run = SymbolsIn(spans, run.a_bytes);
    units += in_run.size();
    compared.longest_run = std::max(compared.longest_run, in_run.size());
  }
  compared.resemblance =
      ComputeOverlap(sketch_.shingles, sketcher_.ShingleSet(original)).Resemblance();
  compared.containment_of_a = ShareOf(units, checked_.units);
  compared.containment_of_b = ShareOf(compared.b_covered, compared.b_symbols);
  return {};
}

Result<const Comparison*> SuspectText::ComparisonOn(size_t channel, const StoredDocument& document,
                                                    const std::string& original) {
  const std::pair key(channel, document.text);
  auto known = comparisons_.find(key);
  if (known == comparisons_.end()) {
    const bool is_of_granules = GranulesOf(channel) != nullptr;
    const uint32_t least = is_of_granules ? kLeastLetters : uint32_t{1};
    ZHIWEN_ASSIGN_OR_RETURN(Comparison compared,
                            zhiwen::Compare(text_, original,
                                            {.channel = channels_[channel]->channel(),
                                             .min_run = std::max(options_.min_run, least)}));
    if (is_of_granules) {
      ZHIWEN_RETURN_IF_ERROR(TakeSharesOfRuns(original, compared));
    }
    known = comparisons_.emplace(key, std::move(compared)).first;
  }
  return &known->second;
}

// Compares the text with a match symbol by symbol, and keeps it. Texts whose hashes are equal, and
// that are not, are no match.
Status SuspectText::Compare(size_t channel, const Candidate& candidate) {
  ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
  ZHIWEN_ASSIGN_OR_RETURN(const std::string* original, TextOf(candidate.document));
  if (original == nullptr) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const Comparison* comparison,
                          ComparisonOn(channel, candidate.document, *original));
  const bool is_same = comparison->equal_exact || comparison->equal_channel;
  // Equal only on a later channel, texts are near.
  const bool is_near = channel == 0 && candidate.relation == Relation::kNear;
  if (candidate.relation == Relation::kSame && !is_same) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const bool is_confirmed,
                          channels_[channel]->Confirms(candidate.relation, *original, *comparison));
  if (!is_confirmed) return {};
  for (const SharedRun& run : comparison->runs) Cover(run.a_bytes);
  Found& found = found_.try_emplace(candidate.document.number).first->second;
  found.document = candidate.document;
  found.on.push_back({.channel = channel,
                      .relation = is_near && is_same ? Relation::kSame : candidate.relation,
                      .name = candidate.channel,
                      .comparison = comparison});
  return {};
}

void SuspectText::Cover(const ByteSpan& bytes) {
  is_covered_.resize(text_.size(), false);
  for (uint64_t i = bytes.begin.value; i < bytes.end.value; ++i) {
    covered_bytes_ += is_covered_[i] ? 0 : 1;
    is_covered_[i] = true;
  }
}

// --- matches -------------------------------------------------------------------------------------

// Finds the passages that the text has from a match, on all channels.
Status SuspectText::FindPassagesOf(CheckMatch& match, const std::string& original,
                                   std::vector<bool>& is_matched) {
  if (!passages_) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::span<const ByteSpan> units, channels_[0]->Spans());
    std::vector<Channel> channels;
    channels.reserve(channels_.size());
    for (const auto& channel : channels_) channels.push_back(channel->channel());
    ZHIWEN_ASSIGN_OR_RETURN(MatchPassages passages,
                            MatchPassages::Create(text_, units, std::move(channels)));
    passages_.emplace(std::move(passages));
  }
  return passages_->Find(original, cancellation_, match, is_matched);
}

// Returns what documents are looked for by on a channel; null: by blocks.
const GranuleChannel* SuspectText::GranulesOf(size_t channel) const {
  const size_t others = channels_.size() - granules_.size();
  return channel < others ? nullptr : &granules_[channel - others];
}

std::string SuspectText::SearchedName(size_t channel) const {
  const GranuleChannel* const granules = GranulesOf(channel);
  return granules == nullptr ? channels_[channel]->channel().name()
                             : granules->scheme->scheme->canonical_name();
}

// Makes a match of what was found, if it is to be listed. Marks the symbols of the folded channel
// that it has.
Status SuspectText::Keep(const Found& found, std::vector<bool>& is_matched) {
  ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
  const FoundOn& best = *std::ranges::min_element(found.on, {}, [](const FoundOn& on) {
    return std::pair(on.relation, -on.comparison->containment_of_a);
  });
  if (best.comparison->containment_of_a < options_.least_containment) {
    ++checked_.below_least;
    return {};
  }
  CheckMatch match = {.document = found.document,
                      .relation = best.relation,
                      .channel = best.name,
                      .resemblance = best.comparison->resemblance,
                      .containment = best.comparison->containment_of_a,
                      .containment_of_original = best.comparison->containment_of_b,
                      .longest_run = best.comparison->longest_run,
                      .matched = 0,
                      .passages = {}};
  ZHIWEN_ASSIGN_OR_RETURN(const std::string* original, TextOf(found.document));
  if (original == nullptr) return {};
  ZHIWEN_RETURN_IF_ERROR(FindPassagesOf(match, *original, is_matched));
  checked_.verdict = std::min(checked_.verdict, match.relation);
  checked_.matches.push_back(std::move(match));
  return {};
}

// Says where the passages of the listed matches stand in what the documents were extracted from.
Status SuspectText::LocateOriginals() {
  for (CheckMatch& match : checked_.matches) {
    if (!match.document.source) continue;
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<DocumentSource> source,
                            store_.ReadSource(match.document.number));
    ZHIWEN_ASSIGN_OR_RETURN(const std::string* original, TextOf(match.document));
    if (!source || original == nullptr) continue;  // purged meanwhile
    const auto places = SourcePlaces::Parse(*original, source->places);
    if (!places) continue;
    match.member = std::move(source->member);
    LocatePassages(*places, PassageSide::kB, match.passages);
  }
  return {};
}

// Returns whether a match is listed before another one.
bool ComesBefore(const CheckMatch& a, const CheckMatch& b) {
  const auto figures = [](const CheckMatch& match) {
    return std::tuple(std::min(match.relation, Relation::kContains), ~match.matched,
                      -match.resemblance);
  };
  if (figures(a) != figures(b)) return figures(a) < figures(b);
  const auto date = [](const CheckMatch& match) {
    return ParseDate(DateOf(match.document).date).value_or(INT64_MAX);
  };
  return std::pair(date(a), a.document.number) < std::pair(date(b), b.document.number);
}

Result<CheckedText> SuspectText::Check() {
  const TextToStore& keys = sketch_.keys;
  checked_.units = keys.units;
  checked_.channels.push_back(ExactChannel().name());
  for (size_t channel = 0; channel < channels_.size(); ++channel) {
    checked_.channels.push_back(SearchedName(channel));
  }
  if (keys.bytes != 0) {
    ZHIWEN_RETURN_IF_ERROR(FindEqual(TextHash::kExact, keys.exact, ExactChannel()));
  }
  if (keys.units != 0) {
    ZHIWEN_RETURN_IF_ERROR(FindEqual(TextHash::kFolded, keys.folded, FoldedChannel()));
  }
  ZHIWEN_RETURN_IF_ERROR(FindNear());
  for (const auto& [number, candidate] : candidates_) {
    if (candidate.relation == Relation::kNone) continue;
    channels_[0]->compared().insert(number);
    ++verified_;
    ZHIWEN_RETURN_IF_ERROR(Compare(0, candidate));
  }
  for (size_t channel = 0; channel < channels_.size(); ++channel) {
    ZHIWEN_RETURN_IF_ERROR(GranulesOf(channel) == nullptr ? FindPassages(channel)
                                                          : FindGranules(channel));
  }
  std::vector<bool> is_matched(keys.units, false);
  for (const auto& [number, found] : found_) ZHIWEN_RETURN_IF_ERROR(Keep(found, is_matched));
  checked_.union_matched = static_cast<uint64_t>(std::ranges::count(is_matched, true));
  std::ranges::sort(checked_.matches, ComesBefore);
  if (checked_.matches.size() > options_.most_matches) {
    checked_.matches.resize(options_.most_matches);
    checked_.truncated = true;
  }
  ZHIWEN_RETURN_IF_ERROR(LocateOriginals());
  return std::move(checked_);
}

}  // namespace

bool MayMatch(const StoredDocument& document, const TextCheckOptions& options) {
  if (document.state != DocumentState::kLive) return false;
  const std::string& owner = document.work.owner;
  return options.owner.empty() || (!owner.empty() && owner != options.owner);
}

Result<CheckedText> CheckText(const CorpusStore& store, std::span<const PassageChannel> channels,
                              std::span<const GranuleChannel> granules, const IndexReaders& indexes,
                              std::string_view text, const TextCheckOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(TextSketcher sketcher, TextSketcher::Create({}));
  return SuspectText(store, channels, granules, indexes, text, options, std::move(sketcher))
      .Check();
}

}  // namespace zhiwen
