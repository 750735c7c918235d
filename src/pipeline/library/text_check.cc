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

#include "index/postings/granule_keys.h"
#include "match/similarity.h"
#include "pipeline/library/document_texts.h"
#include "pipeline/library/granule_matches.h"
#include "pipeline/library/match_exclusions.h"
#include "pipeline/library/match_passages.h"
#include "pipeline/library/precedence.h"
#include "pipeline/library/set_phrases.h"
#include "pipeline/library/shared_text.h"
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
// Blocks that few documents have propose these wherever they are: so many for each
// kUnitsOfCandidates symbols. Blocks that more than most documents have are set phrases, and
// propose none.
constexpr uint64_t kFewDocumentsOfBlock = 4, kMostDocumentsOfBlock = 64;
constexpr size_t kRareCandidates = 32;
// Symbols of a text whose granules are looked for.
constexpr uint64_t kMostGranuleUnits = 1 << 20;
// The longer a text is, the more documents share keys with it by chance, or by set phrases.
constexpr size_t kUnitsOfCandidates = 2000, kMostGranuleCandidates = 256;
// That a document shares, so that it is compared: a granule has six, and many documents share one
// or two by chance.
constexpr uint32_t kLeastKeys = 3;

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

struct FoundOn {
  size_t channel = 0;
  const SharedText* shared = nullptr;
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
          channels[i].channel, indexes.selected[i].get(), text, std::move(set)));
    }
    for (const GranuleChannel& one : granules) {
      const Channel& channel = one.scheme->granules().channel();
      channels_.push_back(std::make_unique<SuspectChannel>(channel, one.index, text,
                                                           ComputeChannelSet(channel, text)));
    }
  }

  Result<CheckedText> Check();

 private:
  bool MayMatch(const StoredDocument& document) const {
    return zhiwen::MayMatch(document, options_);
  }
  Status FindEqual(TextHash kind, const Hash128& hash);
  Status FindNear();
  Status FindPassages(size_t channel);
  Status FindGranules(size_t channel);
  size_t CandidatesOf(const Search& search) const;
  Status FindInRounds(Search& search);
  Status CompareSome(Search& search, std::span<const OverlapMatch> proposed);
  Result<double> ResemblanceOf(uint64_t number);
  Status Judge(size_t channel, StoredDocument document);
  Result<const SharedText*> SharedOn(size_t channel, const StoredDocument& document);
  void Cover(const ByteSpan& bytes);
  const GranuleChannel* GranulesOf(size_t channel) const;
  std::string SearchedName(size_t channel) const;
  Status FindPassagesOf(const Found& found, const std::string& original, CheckMatch& match);
  Status Keep(const Found& found, bool keeps_open_places);
  Status KeepMatches();
  void CountMatches();
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
  std::map<uint32_t, StoredDocument> candidates_;  // by number: those that may be same or near
  DocumentTexts texts_{store_};
  std::map<uint64_t, double> resemblances_;  // by key
  size_t unlike_ = 0;                        // documents that are not near
  // Keyed by channel and text key: equal texts are compared once.
  std::map<std::pair<size_t, uint64_t>, SharedText> shared_;
  std::map<uint32_t, Found> found_;        // by number
  std::optional<MatchPassages> passages_;  // made for the first match
  const SetPhraseRules phrases_{channels_, sketch_.keys.units};
  MatchExclusions exclusions_{text_, options_.exclusions, cancellation_};
  // Symbols that are in a passage of a listed match, also where it is excluded, but as a set
  // phrase.
  std::vector<bool> is_listed_;
  std::vector<bool> is_covered_;  // bytes that some document shares; empty: none
  uint64_t covered_bytes_ = 0;
  size_t verified_ = 0;  // documents that were compared, on each channel
  CheckedText checked_;
};

// --- candidates ----------------------------------------------------------------------------------

Status SuspectText::FindEqual(TextHash kind, const Hash128& hash) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<StoredDocument> found, store_.FindEqual(kind, hash));
  for (StoredDocument& document : found) {
    if (!MayMatch(document)) continue;
    if (candidates_.size() >= options_.most_verified) {
      checked_.truncated = true;
      break;
    }
    const uint32_t number = document.number;
    candidates_.try_emplace(number, std::move(document));
  }
  return {};
}

// Returns the resemblance of the text and a document; 0 for one that is no longer live. One that is
// near becomes a candidate.
Result<double> SuspectText::ResemblanceOf(uint64_t number) {
  if (candidates_.contains(static_cast<uint32_t>(number))) return 1;
  if (candidates_.size() + unlike_ >= options_.most_verified) {
    checked_.truncated = true;
    return 0;
  }
  ZHIWEN_ASSIGN_OR_RETURN(std::optional<StoredDocument> document,
                          store_.Find(static_cast<uint32_t>(number)));
  if (!document || !MayMatch(*document)) return 0;
  const auto [known, is_new] = resemblances_.try_emplace(document->text, 0);
  if (is_new) {
    ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
    ZHIWEN_ASSIGN_OR_RETURN(const std::string* text, texts_.Of(*document));
    if (text == nullptr) return 0;
    known->second = ComputeOverlap(sketch_.shingles, sketcher_.ShingleSet(*text)).Resemblance();
  }
  if (known->second >= store_.settings().near_threshold) {
    candidates_.try_emplace(static_cast<uint32_t>(number), *std::move(document));
  } else {
    ++unlike_;
  }
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
  return {};
}

// Compares the documents that share blocks which few have, then those that share others of the
// places that none of them covers.
Status SuspectText::FindPassages(size_t channel) {
  SuspectChannel& suspect = *channels_[channel];
  if (suspect.index() == nullptr) return {};
  // What is found before is looked for once more on the first channel, by its blocks.
  ZHIWEN_ASSIGN_OR_RETURN(
      std::vector<uint64_t> blocks,
      suspect.UncoveredBlocks(channel == 0 ? std::vector<bool>() : is_covered_));
  if (blocks.empty()) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<FeatureLists> lists,
                          suspect.index()->LookUp(blocks));
  const auto propose = [&](uint64_t max_frequency, size_t count) -> Result<OverlapAnswer> {
    if (blocks.empty()) return OverlapAnswer();
    return lists->Query(blocks, {.count = count, .max_frequency = max_frequency});
  };
  bool is_first = true;
  Search search = {
      .propose = [&](size_t count) -> Result<OverlapAnswer> {
        if (channel > 0 || !std::exchange(is_first, false)) {
          ZHIWEN_ASSIGN_OR_RETURN(blocks, suspect.UncoveredBlocks(is_covered_));
        }
        return propose(kMostDocumentsOfBlock, count);
      },
      .judge = [&](StoredDocument document) { return Judge(channel, std::move(document)); },
      .compared = suspect.compared(),
      .candidates = kRareCandidates * (1 + checked_.units / kUnitsOfCandidates),
      .telling = 2};
  ZHIWEN_ASSIGN_OR_RETURN(
      const OverlapAnswer rare,
      propose(kFewDocumentsOfBlock, CandidatesOf(search) + search.compared.size()));
  ZHIWEN_RETURN_IF_ERROR(CompareSome(search, rare.matches));
  search.candidates = kPassageCandidates;
  search.telling = 1;
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

// Returns how many documents a round compares.
size_t SuspectText::CandidatesOf(const Search& search) const {
  return options_.owner.empty() ? search.candidates
                                : std::max(search.candidates, kPassageCandidatesOfOwners);
}

// Compares the documents that share the most; then those that share the most of the parts that no
// match covers, until none shares any, or a bound is met.
Status SuspectText::FindInRounds(Search& search) {
  size_t barren = 0;
  for (size_t round = 0; round < kPassageRounds; ++round) {
    const size_t count = CandidatesOf(search) + search.compared.size();  // some may be these
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
  std::vector<uint32_t> numbers;
  auto next = proposed.begin();
  const auto pass_compared = [&] {
    while (next != proposed.end() && search.compared.contains(next->document)) ++next;
    return next != proposed.end();
  };
  for (size_t taken = 0; taken < search.candidates && pass_compared();) {
    const size_t room = options_.most_verified - std::min(verified_, options_.most_verified);
    if (room == 0) {
      checked_.truncated = true;
      return {};
    }
    numbers.clear();
    while (numbers.size() < std::min(room, search.candidates - taken) && pass_compared()) {
      search.compared.insert(next->document);
      numbers.push_back(next->document);
    }
    ZHIWEN_ASSIGN_OR_RETURN(std::vector<std::optional<StoredDocument>> found,
                            store_.FindAll(numbers));
    std::erase_if(found, [&](const auto& document) { return !document || !MayMatch(*document); });
    ZHIWEN_RETURN_IF_ERROR(texts_.ReadAhead(found));
    for (std::optional<StoredDocument>& document : found) {
      ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
      ++taken;
      ++verified_;
      ZHIWEN_RETURN_IF_ERROR(search.judge(*std::move(document)));
    }
  }
  return {};
}

// --- comparison ----------------------------------------------------------------------------------

// Compares the text with a document on a channel, and keeps it if it may be a match.
Status SuspectText::Judge(size_t channel, StoredDocument document) {
  ZHIWEN_ASSIGN_OR_RETURN(const SharedText* shared, SharedOn(channel, document));
  if (shared == nullptr || shared->relation == Relation::kNone) return {};
  Found& found = found_.try_emplace(document.number).first->second;
  found.document = std::move(document);
  found.on.push_back({.channel = channel, .shared = shared});
  return {};
}

// Returns what the text shares with a document on a channel; null when it was purged meanwhile.
Result<const SharedText*> SuspectText::SharedOn(size_t channel, const StoredDocument& document) {
  const std::pair key(channel, document.text);
  const auto known = shared_.find(key);
  if (known != shared_.end()) return &known->second;
  ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
  ZHIWEN_ASSIGN_OR_RETURN(const std::string* original, texts_.Of(document));
  if (original == nullptr) return nullptr;
  const CheckedSuspect checked = {text_, sketch_, store_.settings().near_threshold,
                                  options_.containment};
  SuspectChannel& suspect = *channels_[channel];
  ZHIWEN_ASSIGN_OR_RETURN(
      SharedText shared,
      GranulesOf(channel) == nullptr
          ? CompareOnChannel(checked, suspect, channel == 0, *original, cancellation_)
          : CompareGranules(checked, suspect, *channels_[0], sketcher_, *original));
  for (const ByteSpan& stretch : std::exchange(shared.stretches, {})) Cover(stretch);
  return &shared_.emplace(key, std::move(shared)).first->second;
}

void SuspectText::Cover(const ByteSpan& bytes) {
  is_covered_.resize(text_.size(), false);
  for (uint64_t i = bytes.begin.value; i < bytes.end.value; ++i) {
    covered_bytes_ += is_covered_[i] ? 0 : 1;
    is_covered_[i] = true;
  }
}

// --- matches -------------------------------------------------------------------------------------

// Finds the passages that the text has from a match, on all channels; from a document that merely
// shares passages, where some channel found them. Evidence is verified with the whole text.
Status SuspectText::FindPassagesOf(const Found& found, const std::string& original,
                                   CheckMatch& match) {
  if (!passages_) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::span<const ByteSpan> units, channels_[0]->Spans());
    std::vector<Channel> channels;
    channels.reserve(channels_.size());
    for (const auto& channel : channels_) channels.push_back(channel->channel());
    ZHIWEN_ASSIGN_OR_RETURN(MatchPassages passages,
                            MatchPassages::Create(text_, units, std::move(channels)));
    passages_.emplace(std::move(passages));
  }
  std::vector<ByteSpan> parts = {{{0}, {text_.size()}}};
  if (match.relation == Relation::kPassages && options_.set_phrases != SetPhrases::kKeepInMatches) {
    parts.clear();
    for (const FoundOn& on : found.on) {
      parts.insert(parts.end(), on.shared->hulls.begin(), on.shared->hulls.end());
    }
    std::ranges::sort(parts, {}, &ByteSpan::begin);
  }
  return passages_->Find(original, parts, cancellation_, match);
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
Status SuspectText::Keep(const Found& found, bool keeps_open_places) {
  ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
  const FoundOn& best = *std::ranges::min_element(found.on, {}, [](const FoundOn& on) {
    return std::pair(on.shared->relation, ~on.shared->matched);
  });
  CheckMatch match = {.document = found.document, .channel = {}, .passages = {}};
  ZHIWEN_ASSIGN_OR_RETURN(const std::string* original, texts_.Of(found.document));
  if (original == nullptr) return {};
  TakeFigures(*best.shared, *channels_[best.channel], *original, match);
  match.channel = best.shared->is_exact ? ExactChannel().name() : SearchedName(best.channel);
  ZHIWEN_RETURN_IF_ERROR(FindPassagesOf(found, *original, match));
  ZHIWEN_RETURN_IF_ERROR(
      exclusions_.ExcludePlacesOf(*original, LeastPassageScore(checked_.units), match));
  const bool has_other_reasons = !match.excluded.empty();
  const bool is_of_granules = std::ranges::any_of(
      found.on, [&](const FoundOn& on) { return GranulesOf(on.channel) != nullptr; });
  if (match.relation == Relation::kPassages && !is_of_granules &&
      options_.set_phrases == SetPhrases::kLeaveOut) {
    ZHIWEN_RETURN_IF_ERROR(phrases_.LeaveOut(match, is_listed_, keeps_open_places));
  }
  const bool needs_passages = match.relation == Relation::kPassages || best.channel > 0;
  if (needs_passages && !is_of_granules && match.passages.empty() && !has_other_reasons) {
    checked_.of_set_phrases += match.excluded.empty() ? 0 : 1;
    return {};
  }
  if (match.containment < options_.least_containment) {
    ++checked_.below_least;
    return {};
  }
  passages_->Mark(match, is_listed_);
  passages_->MarkExcluded(match, is_listed_);
  checked_.matches.push_back(std::move(match));
  return {};
}

// Counts what the listed matches have, and finds the verdict, once it is known what is excluded.
void SuspectText::CountMatches() {
  UnionOfMatches all(checked_.units);
  for (CheckMatch& match : checked_.matches) {
    exclusions_.Finish(match);
    all.Add(*passages_, match);
    if (!match.excluded_as) checked_.verdict = std::min(checked_.verdict, match.relation);
  }
  all.Count(checked_);
}

// Lists the documents that share more than set phrases; then the places that no match has and few
// texts share, for one of these, or for the documents that share most of them.
Status SuspectText::KeepMatches() {
  is_listed_.assign(checked_.units, false);
  std::vector<std::pair<uint64_t, const Found*>> left;  // by the most that they share on a channel
  for (const auto& [number, found] : found_) {
    const bool is_rare =
        options_.set_phrases == SetPhrases::kKeep ||
        std::ranges::any_of(found.on, [&](const FoundOn& on) {
          return on.shared->relation != Relation::kPassages || GranulesOf(on.channel) != nullptr ||
                 phrases_.HasRarePassage(*channels_[on.channel], on.shared->passages);
        });
    if (is_rare) {
      ZHIWEN_RETURN_IF_ERROR(Keep(found, false));
      continue;
    }
    uint64_t most = 0;
    for (const FoundOn& on : found.on) most = std::max(most, on.shared->matched);
    left.emplace_back(most, &found);
  }
  for (CheckMatch& match : checked_.matches) {
    const bool has_set_phrase = std::ranges::any_of(match.excluded, [](const ExcludedPassage& one) {
      return one.reason == ExclusionReason::kSetPhrase;
    });
    if (!has_set_phrase) continue;
    ZHIWEN_RETURN_IF_ERROR(phrases_.TakeBack(match, is_listed_));
    passages_->Mark(match, is_listed_);
  }
  std::ranges::stable_sort(left, std::greater(), &std::pair<uint64_t, const Found*>::first);
  for (const auto& [most, found] : left) {
    bool has_open_place = false;
    for (const FoundOn& on : found->on) {
      ZHIWEN_ASSIGN_OR_RETURN(
          const bool is_open,
          phrases_.HasOpenPlace(*channels_[on.channel], on.shared->passages, is_listed_));
      has_open_place |= is_open;
    }
    if (has_open_place) {
      ZHIWEN_RETURN_IF_ERROR(Keep(*found, true));
    } else {
      ++checked_.of_set_phrases;
    }
  }
  CountMatches();
  return {};
}

// Says where the passages of the listed matches stand in what the documents were extracted from.
Status SuspectText::LocateOriginals() {
  for (CheckMatch& match : checked_.matches) {
    if (!match.document.source) continue;
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<DocumentSource> source,
                            store_.ReadSource(match.document.number));
    ZHIWEN_ASSIGN_OR_RETURN(const std::string* original, texts_.Of(match.document));
    if (!source || original == nullptr) continue;  // purged meanwhile
    const auto places = SourcePlaces::Parse(*original, source->places);
    if (!places) continue;
    match.member = std::move(source->member);
    LocatePassages(*places, PassageSide::kB, match.passages, match.excluded);
  }
  return {};
}

Result<CheckedText> SuspectText::Check() {
  const TextToStore& keys = sketch_.keys;
  checked_.units = keys.units;
  checked_.channels.push_back(ExactChannel().name());
  for (size_t channel = 0; channel < channels_.size(); ++channel) {
    checked_.channels.push_back(SearchedName(channel));
  }
  if (keys.bytes != 0) ZHIWEN_RETURN_IF_ERROR(FindEqual(TextHash::kExact, keys.exact));
  if (keys.units != 0) ZHIWEN_RETURN_IF_ERROR(FindEqual(TextHash::kFolded, keys.folded));
  ZHIWEN_RETURN_IF_ERROR(FindNear());
  for (const auto& [number, candidate] : candidates_) {
    channels_[0]->compared().insert(number);
    ++verified_;
    ZHIWEN_RETURN_IF_ERROR(Judge(0, candidate));
  }
  for (size_t channel = 0; channel < channels_.size(); ++channel) {
    ZHIWEN_RETURN_IF_ERROR(GranulesOf(channel) == nullptr ? FindPassages(channel)
                                                          : FindGranules(channel));
    channels_[channel]->places().Count(channels_[channel]->symbols());
  }
  ZHIWEN_RETURN_IF_ERROR(KeepMatches());
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
