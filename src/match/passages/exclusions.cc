#include "zhiwen/exclusions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/utf8/code_point_table.h"
#include "match/passages/cut_passage.h"
#include "match/passages/passage_parts.h"
#include "text/channel_view.h"
#include "text/citation/quotations.h"
#include "text/citation/reference_lists.h"

namespace zhiwen {
namespace {

struct ReasonNames {
  std::string_view name, zh, en;
};

constexpr std::array<ReasonNames, kExclusionReasons> kReasonNames = {
    {{"set_phrase", "套话", "set phrases"},
     {"quotation", "引文", "quotations"},
     {"references", "参考文献", "references"},
     {"boilerplate", "格式文字", "form text"},
     {"own_work", "本人作品", "own work"},
     {"licensed", "授权来源", "licensed sources"}}};

void AppendPlaces(const std::vector<ByteSpan>& found, ExclusionReason reason,
                  std::vector<ExcludedPlace>& places) {
  for (const ByteSpan& bytes : found) places.push_back({bytes, reason});
}

// Returns what a text shares with form texts.
Result<std::vector<ByteSpan>> FindBoilerplate(std::string_view text,
                                              std::span<const std::string> forms,
                                              const Cancellation& cancellation) {
  std::vector<ByteSpan> found;
  if (forms.empty()) return found;
  ZHIWEN_ASSIGN_OR_RETURN(PassageSearch search,
                          PassageSearch::Create(text, {.b_name = "the form text"}));
  for (const std::string& form : forms) {
    ZHIWEN_ASSIGN_OR_RETURN(const PassageComparison shared, search.Find(form, cancellation));
    for (const CopiedPassage& passage : shared.passages) {
      for (const PassagePiece& piece : passage.pieces) found.push_back(piece.a_bytes);
    }
  }
  return found;
}

// Sorts places, and gives what several have to the first of them.
void MakeDisjoint(std::vector<ExcludedPlace>& places) {
  std::ranges::stable_sort(places, {}, [](const ExcludedPlace& one) { return one.bytes.begin; });
  std::vector<ExcludedPlace> disjoint;
  ByteOffset end;
  for (ExcludedPlace place : places) {
    place.bytes.begin = std::max(place.bytes.begin, end);
    if (place.bytes.begin >= place.bytes.end) continue;
    end = place.bytes.end;
    disjoint.push_back(place);
  }
  places = std::move(disjoint);
}

}  // namespace

struct ExcludedPlaces::Counted {
  std::string_view text;
  CodePointTable points;
  SpannedSymbols symbols;
};

std::string_view ExclusionReasonName(ExclusionReason reason) {
  return kReasonNames[static_cast<size_t>(reason)].name;
}

ExclusionWords WordsOf(ExclusionReason reason) {
  const ReasonNames& names = kReasonNames[static_cast<size_t>(reason)];
  return {names.zh, names.en};
}

std::vector<CountedReason> CountByReason(std::span<const ExcludedPassage> excluded) {
  std::array<uint64_t, kExclusionReasons> counts = {};
  for (const ExcludedPassage& one : excluded) {
    counts[static_cast<size_t>(one.reason)] += one.passage.matched;
  }
  std::vector<CountedReason> counted;
  for (size_t i = 0; i < kExclusionReasons; ++i) {
    if (counts[i] > 0) counted.push_back({static_cast<ExclusionReason>(i), counts[i]});
  }
  return counted;
}

ExclusionReason MainReason(std::span<const CountedReason> counted) {
  std::array<uint64_t, kExclusionReasons> symbols = {};
  for (const CountedReason& one : counted) symbols[static_cast<size_t>(one.reason)] += one.symbols;
  return static_cast<ExclusionReason>(std::ranges::max_element(symbols) - symbols.begin());
}

ExclusionReasons EveryExclusionReason() {
  ExclusionReasons every;
  for (size_t i = 0; i < kExclusionReasons; ++i) every.Add(static_cast<ExclusionReason>(i));
  return every;
}

Result<ExclusionReasons> ParseExclusionReasons(std::string_view names) {
  ExclusionReasons reasons;
  for (size_t begin = 0; begin <= names.size();) {
    const size_t end = std::min(names.find(',', begin), names.size());
    const std::string_view name = names.substr(begin, end - begin);
    begin = end + 1;
    if (name == "all") {
      reasons.Add(EveryExclusionReason());
      continue;
    }
    const auto* const known = std::ranges::find(kReasonNames, name, &ReasonNames::name);
    if (known == kReasonNames.end()) {
      std::vector<std::string_view> every;
      every.reserve(kReasonNames.size());
      for (const ReasonNames& one : kReasonNames) every.push_back(one.name);
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("\"{}\" is no reason to exclude passages; there are {} and all", name,
                              fmt::join(every, ", ")));
    }
    reasons.Add(static_cast<ExclusionReason>(known - kReasonNames.begin()));
  }
  return reasons;
}

ExcludedPlaces::ExcludedPlaces(std::vector<ExcludedPlace> places, std::unique_ptr<Counted> counted)
    : places_(std::move(places)), counted_(std::move(counted)) {}
ExcludedPlaces::ExcludedPlaces(ExcludedPlaces&&) noexcept = default;
ExcludedPlaces::~ExcludedPlaces() = default;

Result<ExcludedPlaces> ExcludedPlaces::Find(std::string_view text, const ExclusionOptions& options,
                                            const Cancellation& cancellation) {
  std::vector<ExcludedPlace> places;
  // The first reason counts where several places begin together.
  if (options.reasons.Has(ExclusionReason::kBoilerplate)) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::vector<ByteSpan> found,
                            FindBoilerplate(text, options.boilerplate, cancellation));
    AppendPlaces(found, ExclusionReason::kBoilerplate, places);
  }
  if (options.reasons.Has(ExclusionReason::kReferences)) {
    AppendPlaces(FindReferenceLists(text), ExclusionReason::kReferences, places);
  }
  if (options.reasons.Has(ExclusionReason::kQuotation)) {
    AppendPlaces(FindQuotations(text), ExclusionReason::kQuotation, places);
  }
  MakeDisjoint(places);
  if (places.empty()) return ExcludedPlaces({}, nullptr);
  ZHIWEN_ASSIGN_OR_RETURN(SpannedSymbols symbols, LocateSymbols(options.channel, text));
  return ExcludedPlaces(std::move(places), std::make_unique<Counted>(Counted{
                                               text, CodePointTable(text), std::move(symbols)}));
}

// Returns a passage that is a part of another one, without its code points and symbols.
CopiedPassage ExcludedPlaces::PartOf(const CopiedPassage& passage, CutPassage part,
                                     const CodePointTable& original, double share) const {
  CopiedPassage cut = passage;
  cut.pieces = std::move(part.pieces);
  cut.edits = std::move(part.edits);
  cut.score = passage.score * share;
  if (cut.pieces.size() == 1) cut.kind = KindOfEdits(cut.edits);
  cut.a_bytes = {cut.pieces.front().a_bytes.begin, cut.pieces.back().a_bytes.end};
  cut.b_bytes = cut.pieces.front().b_bytes;
  for (const PassagePiece& piece : cut.pieces) {
    cut.b_bytes.begin = std::min(cut.b_bytes.begin, piece.b_bytes.begin);
    cut.b_bytes.end = std::max(cut.b_bytes.end, piece.b_bytes.end);
  }
  cut.a_points = counted_->points.Of(cut.a_bytes);
  cut.b_points = original.Of(cut.b_bytes);
  cut.matched = CountMatchedSymbols(PassageSide::kA, {&cut, 1}, counted_->symbols.spans);
  uint64_t changed = 0;
  for (const PassageEdit& edit : cut.edits) changed += IsDisguise(edit.kind) ? 0 : edit.symbols;
  cut.similarity = static_cast<double>(cut.matched) /
                   static_cast<double>(std::max<uint64_t>(cut.matched + changed, 1));
  return cut;
}

void ExcludedPlaces::Exclude(std::string_view original, double least_score,
                             std::vector<CopiedPassage>& passages,
                             std::vector<ExcludedPassage>& excluded) const {
  if (places_.empty()) return;
  std::optional<CodePointTable> points;  // of the original, made for the first passage that is cut
  std::vector<CopiedPassage> kept;
  const auto take = [&](std::optional<ExclusionReason> reason, CopiedPassage passage) {
    reason ? excluded.push_back({*reason, std::move(passage)}) : kept.push_back(std::move(passage));
  };
  for (CopiedPassage& passage : passages) {
    std::vector<CutPassage> parts =
        CutAtPlaces(counted_->text, original, passage, places_, least_score);
    if (parts.size() == 1) {
      take(parts.front().reason, std::move(passage));
      continue;
    }
    if (!points) points.emplace(original);
    uint64_t bytes = 0;
    for (const CutPassage& part : parts) bytes += part.matched_bytes;
    for (CutPassage& part : parts) {
      const std::optional<ExclusionReason> reason = part.reason;
      const double share = static_cast<double>(part.matched_bytes) /
                           static_cast<double>(std::max<uint64_t>(bytes, 1));
      take(reason, PartOf(passage, std::move(part), *points, share));
    }
  }
  passages = std::move(kept);
}

Status ExcludePlaces(std::string_view a, std::string_view b, const ExclusionOptions& options,
                     const Cancellation& cancellation, PassageComparison& comparison) {
  ZHIWEN_ASSIGN_OR_RETURN(const ExcludedPlaces places,
                          ExcludedPlaces::Find(a, options, cancellation));
  return ExcludePlaces(places, a, b, options.channel, comparison);
}

Status ExcludePlaces(const ExcludedPlaces& places, std::string_view a, std::string_view b,
                     const Channel& channel, PassageComparison& comparison) {
  places.Exclude(b, kPassageScore, comparison.passages, comparison.excluded);
  if (comparison.excluded.empty()) return {};
  SetExpected(comparison.a_symbols, comparison.b_symbols, comparison.passages, comparison.excluded);
  comparison.edits = {};
  for (const CopiedPassage& passage : comparison.passages) {
    for (const PassageEdit& edit : passage.edits) {
      comparison.edits[static_cast<size_t>(edit.kind)] += edit.symbols;
    }
  }
  ZHIWEN_ASSIGN_OR_RETURN(const SpannedSymbols of_a, LocateSymbols(channel, a));
  ZHIWEN_ASSIGN_OR_RETURN(const SpannedSymbols of_b, LocateSymbols(channel, b));
  comparison.a_matched = CountMatchedSymbols(PassageSide::kA, comparison.passages, of_a.spans);
  comparison.b_matched = CountMatchedSymbols(PassageSide::kB, comparison.passages, of_b.spans);
  return {};
}

}  // namespace zhiwen
