#include "pipeline/library/granule_matches.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "fingerprint/dna_code.h"
#include "index/postings/granule_keys.h"
#include "pipeline/library/code_point_table.h"

namespace zhiwen {
namespace {

using Begin = GranuleScheme::Begin;

// Keys that more documents have say little, and propose none.
constexpr uint64_t kMostDocumentsOfKey = 256;
constexpr size_t kMostCompared = 200;  // documents
// Granules of a text, which begin at every character, whose keys are looked up at once.
constexpr size_t kSection = 2000;
// Some keys are shared by chance. There may be more matches than were compared where the last
// quarter of those that were compared has one.
constexpr size_t kLastShare = 4;
// The distance of granules that differ by one character, which changes the counts of two letters.
constexpr uint32_t kOneCharacter = 4;

// A text with its granules.
class GranuleText {
 public:
  static Result<GranuleText> Create(const GranuleScheme& scheme, std::string_view utf8,
                                    Begin begin) {
    ZHIWEN_ASSIGN_OR_RETURN(Granules granules, scheme.ComputeGranules(utf8, begin));
    return GranuleText(utf8, std::move(granules));
  }

  const Granules& granules() const { return granules_; }
  Span<CodePointOffset> PlaceOf(const ByteSpan& bytes) const { return points_.Of(bytes); }
  GranulePlace At(size_t granule) const {
    const std::span<const uint8_t> code = granules_.codes[granule];
    const ByteSpan& bytes = granules_.sources[granule];
    return {bytes, PlaceOf(bytes), FingerprintBytes(code.begin(), code.end())};
  }

 private:
  GranuleText(std::string_view utf8, Granules granules)
      : granules_(std::move(granules)), points_(utf8) {}

  Granules granules_;
  CodePointTable points_;
};

MatchedPassage PassageOf(const GranulePassage& aligned, const GranuleText& text,
                         const GranuleText& document) {
  const uint32_t largest = LargestGranuleDistance(text.granules().codes);
  MatchedPassage passage;
  for (const AlignedGranule& one : aligned) {
    passage.granules.push_back({.text = text.At(one.query),
                                .document = document.At(one.stored),
                                .distance = one.distance,
                                .similarity = 1 - static_cast<double>(one.distance) / largest});
  }
  const MatchedGranule &first = passage.granules.front(), &last = passage.granules.back();
  passage.text_bytes = {first.text.bytes.begin, last.text.bytes.end};
  passage.document_bytes = {first.document.bytes.begin, last.document.bytes.end};
  passage.text = {first.text.place.begin, last.text.place.end};
  passage.document = {first.document.place.begin, last.document.place.end};
  return passage;
}

// Returns a document with its passages; none where it shares none.
SchemeMatch MatchOf(std::span<const GranulePassage> passages, const GranuleText& text,
                    const GranuleText& document) {
  SchemeMatch match = {.document = {}, .distance = UINT32_MAX};
  match.granules = document.granules().begins.size();
  uint64_t distances = 0;
  for (const GranulePassage& passage : passages) {
    match.passages.push_back(PassageOf(passage, text, document));
    match.granules_matched += passage.size();
    for (const AlignedGranule& one : passage) {
      match.distance = std::min(match.distance, one.distance);
      distances += one.distance;
    }
  }
  const uint64_t largest = match.granules_matched * LargestGranuleDistance(text.granules().codes);
  match.similarity = 1 - static_cast<double>(distances) / static_cast<double>(largest);
  return match;
}

// Returns nothing where the texts share no passage.
Result<std::optional<SchemeMatch>> CompareWith(
    const CorpusStore& store, const GranuleScheme& scheme, const StoredDocument& document,
    const GranuleText& suspect, const SearchedCodes& codes_of_suspect,
    const GranuleMatchOptions& options, const Cancellation& cancellation) {
  const Result<std::string> text = store.ReadText(document.text);
  if (!text && text.error().code == ErrorCode::kNotFound) return std::nullopt;  // it was purged
  if (!text) return tl::unexpected(text.error());
  ZHIWEN_ASSIGN_OR_RETURN(const GranuleText stored,
                          GranuleText::Create(scheme, *text, Begin::kAtSteps));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<GranulePassage> passages,
                          FindGranulePassages(scheme, stored.granules(), suspect.granules(),
                                              codes_of_suspect, options, cancellation));
  if (passages.empty()) return std::nullopt;
  return MatchOf(passages, suspect, stored);
}

auto RankOf(const SchemeMatch& match) {
  return std::tuple(~match.granules_matched, -match.similarity, match.document.number);
}

struct Proposals {
  std::vector<OverlapMatch> documents = {};  // that share the most keys with a section, most first
  uint64_t common_keys = 0;
  bool is_bounded = false;  // others share keys
};

// Looks the keys of a text up, those of a section at once: a long text shares some keys with every
// document by chance, and more of them than a passage has.
Result<Proposals> ProposeDocuments(const PostingsIndex& index, const Granules& granules,
                                   size_t most) {
  Proposals proposals;
  std::map<uint32_t, uint32_t> shared;  // by document: in the section that it shares the most with
  const auto look_up = [&](const Fingerprint& section) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(
        const OverlapAnswer answer,
        index.Query(GranuleKeys(section), {.count = most, .max_frequency = kMostDocumentsOfKey}));
    proposals.common_keys += answer.cut;
    proposals.is_bounded |= answer.matches.size() == most;
    for (const OverlapMatch& match : answer.matches) {
      uint32_t& overlap = shared[match.document];
      overlap = std::max(overlap, match.overlap);
    }
    return {};
  };
  if (granules.is_short) {
    ZHIWEN_RETURN_IF_ERROR(look_up(ValueOf(granules)));
  } else {
    const CodeSequence& codes = granules.codes;
    for (size_t begin = 0; begin < codes.size(); begin += kSection) {
      const size_t count = std::min(kSection, codes.size() - begin);
      const auto bytes = std::span(codes.bytes).subspan(begin * codes.width, count * codes.width);
      ZHIWEN_RETURN_IF_ERROR(look_up(CodeSequence{
          .width = codes.width, .bytes = FingerprintBytes(bytes.begin(), bytes.end())}));
    }
  }
  for (const auto& [document, overlap] : shared) proposals.documents.push_back({document, overlap});
  std::ranges::stable_sort(proposals.documents, std::greater(), &OverlapMatch::overlap);
  return proposals;
}

}  // namespace

uint32_t LargestGranuleDistance(const CodeSequence& codes) {
  return static_cast<uint32_t>(kDnaLetters.size()) * (DnaRadix(codes.width) - 1);
}

GranuleMatchOptions GranuleOptions(uint32_t radius, size_t least_granules) {
  return {.radius = radius, .least_granules = least_granules, .short_radius = kOneCharacter};
}

Result<SchemeMatches> FindGranuleMatches(const CorpusStore& store, const CodeScheme& scheme,
                                         const PostingsIndex* index, std::string_view text,
                                         const SchemeQuery& query) {
  const Cancellation never;
  const Cancellation& cancellation = query.cancellation == nullptr ? never : *query.cancellation;
  SchemeMatches found = {.scheme = scheme.scheme->canonical_name()};
  found.has_granules = true;
  found.radius = query.radius.value_or(kGranuleRadius);
  ZHIWEN_ASSIGN_OR_RETURN(found.value, scheme.scheme->Compute(text));
  if (!HasValue(found.value) || index == nullptr) return found;
  ZHIWEN_ASSIGN_OR_RETURN(const GranuleText suspect,
                          GranuleText::Create(scheme.granules(), text, Begin::kAtEveryCharacter));
  ZHIWEN_ASSIGN_OR_RETURN(const Proposals proposals,
                          ProposeDocuments(*index, suspect.granules(), kMostCompared + 1));
  found.common_keys = proposals.common_keys;
  ZHIWEN_ASSIGN_OR_RETURN(const SearchedCodes codes_of_suspect,
                          SearchedCodes::Create(suspect.granules().codes, cancellation));
  const GranuleMatchOptions options = GranuleOptions(found.radius, query.least_granules);
  size_t compared = 0, last_match = 0;
  for (const OverlapMatch& candidate : proposals.documents) {
    if (compared == kMostCompared) break;
    ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<StoredDocument> document, store.Find(candidate.document));
    if (!document || document->state != DocumentState::kLive) continue;
    if (document->number == query.except) continue;
    ++compared;
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<SchemeMatch> match,
                            CompareWith(store, scheme.granules(), *document, suspect,
                                        codes_of_suspect, options, cancellation));
    if (!match) continue;
    last_match = compared;
    match->document = *std::move(document);
    found.documents.push_back(*std::move(match));
  }
  const bool is_bounded = compared == kMostCompared || proposals.is_bounded;
  found.truncated = is_bounded && last_match > compared - compared / kLastShare;
  std::ranges::sort(found.documents, {}, RankOf);
  if (found.documents.size() > query.count) {
    found.truncated = true;
    found.documents.erase(found.documents.begin() + static_cast<int64_t>(query.count),
                          found.documents.end());
  }
  return found;
}

}  // namespace zhiwen
