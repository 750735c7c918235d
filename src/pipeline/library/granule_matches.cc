#include "pipeline/library/granule_matches.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "fingerprint/dna_code.h"
#include "index/postings/granule_keys.h"

namespace zhiwen {
namespace {

using Begin = GranuleScheme::Begin;

// Keys that more documents have say little, and propose none.
constexpr uint64_t kMostDocumentsOfKey = 256;
constexpr size_t kMostCompared = 200;  // documents
constexpr size_t kMostWithKeys = kMostCompared + 1;
// Granules of a text, which begin at every character, whose keys are looked up at once.
constexpr size_t kSection = 200;
// Some keys are shared by chance. There may be more matches than were compared where the last
// quarter of those that were compared has one.
constexpr size_t kLastShare = 4;
// The distance of granules that differ by one character, which changes the counts of two letters.
constexpr uint32_t kOneCharacter = 4;

// Returns the largest L1 distance of two codes.
uint32_t LargestGranuleDistance(const CodeSequence& codes) {
  return static_cast<uint32_t>(kDnaLetters.size()) * (DnaRadix(codes.width) - 1);
}

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

// Returns a match with these passages. A granule of the document that is in several counts once.
SchemeMatch MatchOf(std::span<const GranulePassage> passages, const GranuleText& text,
                    const GranuleText& document) {
  SchemeMatch match = {.document = {}, .distance = UINT32_MAX};
  match.granules = document.granules().begins.size();
  std::map<size_t, uint32_t> distances;  // by granule of the document
  for (const GranulePassage& passage : passages) {
    match.passages.push_back(PassageOf(passage, text, document));
    for (const AlignedGranule& one : passage) {
      uint32_t& least = distances.try_emplace(one.stored, one.distance).first->second;
      least = std::min(least, one.distance);
    }
  }
  uint64_t sum = 0;
  for (const auto& [granule, distance] : distances) {
    match.distance = std::min(match.distance, distance);
    sum += distance;
  }
  match.granules_matched = distances.size();
  const uint64_t largest = distances.size() * LargestGranuleDistance(text.granules().codes);
  match.similarity = 1 - static_cast<double>(sum) / static_cast<double>(largest);
  return match;
}

auto RankOf(const SchemeMatch& match) {
  return std::tuple(~match.granules_matched, -match.similarity, match.document.number);
}

// Whether the granule at `bytes` lies in what is covered, by its ends.
bool IsCovered(const ByteSpan& bytes, const std::vector<bool>& covered) {
  return !covered.empty() && covered[bytes.begin.value] && covered[bytes.end.value - 1];
}

// Returns the codes of the granules of a section that are not covered.
CodeSequence CodesOfSection(const Granules& granules, size_t begin, size_t end,
                            const std::vector<bool>& covered) {
  CodeSequence section = {.width = granules.codes.width, .bytes = {}};
  for (size_t i = begin; i < end; ++i) {
    if (IsCovered(granules.sources[i], covered)) continue;
    const std::span<const uint8_t> code = granules.codes[i];
    section.bytes.insert(section.bytes.end(), code.begin(), code.end());
  }
  return section;
}

}  // namespace

GranuleMatchOptions GranuleOptions(uint32_t radius, size_t least_granules) {
  return {.radius = radius, .least_granules = least_granules, .short_radius = kOneCharacter};
}

// --- texts with their granules -------------------------------------------------------------------

Result<GranuleText> GranuleText::Create(const GranuleScheme& scheme, std::string_view utf8,
                                        Begin begin) {
  ZHIWEN_ASSIGN_OR_RETURN(Granules granules, scheme.ComputeGranules(utf8, begin));
  return GranuleText(utf8, std::move(granules));
}

GranulePlace GranuleText::At(size_t granule) const {
  const std::span<const uint8_t> code = granules_.codes[granule];
  const ByteSpan& bytes = granules_.sources[granule];
  return {bytes, points_.Of(bytes), FingerprintBytes(code.begin(), code.end())};
}

// The keys of a section are looked up at once: a long text shares some keys with every document by
// chance, and more of them than a passage has.
Result<OverlapAnswer> GranuleText::Propose(const PostingsIndex& index, size_t most,
                                           const std::vector<bool>& covered) const {
  OverlapAnswer proposed;
  std::map<uint32_t, uint32_t> shared;  // by document: in the section that it shares the most with
  const auto look_up = [&](const Fingerprint& section) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(
        const OverlapAnswer answer,
        index.Query(GranuleKeys(section), {.count = most, .max_frequency = kMostDocumentsOfKey}));
    proposed.cut += answer.cut;
    for (const OverlapMatch& match : answer.matches) {
      uint32_t& overlap = shared[match.document];
      overlap = std::max(overlap, match.overlap);
    }
    return {};
  };
  if (granules_.is_short) {
    ZHIWEN_RETURN_IF_ERROR(look_up(ValueOf(granules_)));
  } else {
    for (size_t begin = 0; begin < granules_.begins.size(); begin += kSection) {
      const size_t end = std::min(begin + kSection, granules_.begins.size());
      const CodeSequence section = CodesOfSection(granules_, begin, end, covered);
      if (section.size() > 0) ZHIWEN_RETURN_IF_ERROR(look_up(section));
    }
  }
  for (const auto& [document, overlap] : shared) proposed.matches.push_back({document, overlap});
  std::ranges::stable_sort(proposed.matches, std::greater(), &OverlapMatch::overlap);
  if (proposed.matches.size() > most) proposed.matches.resize(most);
  return proposed;
}

// --- queries -------------------------------------------------------------------------------------

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
  ZHIWEN_ASSIGN_OR_RETURN(const SearchedCodes codes,
                          SearchedCodes::Create(suspect.granules().codes, cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(const OverlapAnswer proposed, suspect.Propose(*index, kMostWithKeys));
  found.common_keys = proposed.cut;
  const GranuleMatchOptions options = GranuleOptions(found.radius, query.least_granules);
  size_t compared = 0, last_match = 0;
  for (const OverlapMatch& candidate : proposed.matches) {
    if (compared == kMostCompared) break;
    ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<StoredDocument> document, store.Find(candidate.document));
    if (!document || document->state != DocumentState::kLive) continue;
    if (document->number == query.except) continue;
    const Result<std::string> stored = store.ReadText(document->text);
    if (!stored && stored.error().code == ErrorCode::kNotFound) continue;  // it was purged
    if (!stored) return tl::unexpected(stored.error());
    ++compared;
    ZHIWEN_ASSIGN_OR_RETURN(const GranuleText original,
                            GranuleText::Create(scheme.granules(), *stored, Begin::kAtSteps));
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<GranulePassage> passages,
                            FindGranulePassages(scheme.granules(), original.granules(),
                                                suspect.granules(), codes, options, cancellation));
    if (passages.empty()) continue;
    last_match = compared;
    found.documents.push_back(MatchOf(passages, suspect, original));
    found.documents.back().document = *std::move(document);
  }
  const bool is_bounded = compared == kMostCompared || proposed.matches.size() == kMostWithKeys;
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
