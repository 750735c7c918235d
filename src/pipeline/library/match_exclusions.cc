#include "pipeline/library/match_exclusions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "text/fold.h"

namespace zhiwen {
namespace {

// Returns the authors that a label names, each as symbols of the folded channel.
std::vector<std::vector<uint32_t>> AuthorsOf(std::string_view label) {
  constexpr std::array<std::string_view, 4> kBetween = {";", "|", "；", "、"};
  std::vector<std::vector<uint32_t>> authors;
  size_t begin = 0;
  const auto end_author = [&](size_t end) {
    std::vector<uint32_t> author;
    FoldInto(label.substr(begin, end - begin), author);
    if (!author.empty()) authors.push_back(std::move(author));
  };
  for (size_t at = 0; at < label.size();) {
    const auto* const between = std::ranges::find_if(
        kBetween, [&](std::string_view one) { return label.substr(at).starts_with(one); });
    if (between == kBetween.end()) {
      ++at;
      continue;
    }
    end_author(at);
    at += between->size();
    begin = at;
  }
  end_author(label.size());
  return authors;
}

}  // namespace

bool ShareAuthor(std::string_view a, std::string_view b) {
  const std::vector<std::vector<uint32_t>> of_b = AuthorsOf(b);
  return std::ranges::any_of(AuthorsOf(a), [&](const std::vector<uint32_t>& author) {
    return std::ranges::find(of_b, author) != of_b.end();
  });
}

std::optional<ExclusionReason> ReasonOfDocument(const StoredDocument& document,
                                                const Exclusions& exclusions) {
  if (exclusions.reasons.Has(ExclusionReason::kOwnWork) &&
      (ShareAuthor(exclusions.author, document.labels.author) ||
       ShareAuthor(exclusions.author, document.work.author))) {
    return ExclusionReason::kOwnWork;
  }
  if (!exclusions.reasons.Has(ExclusionReason::kLicensed)) return std::nullopt;
  const bool is_licensed =
      document.labels.kind == DocumentKind::kLicensedCopy ||
      std::ranges::find(exclusions.licences, document.work.licence) != exclusions.licences.end();
  return is_licensed ? std::optional(ExclusionReason::kLicensed) : std::nullopt;
}

void ExcludeWhole(std::optional<ExclusionReason> of_document, CheckMatch& match) {
  if (of_document) {
    for (CopiedPassage& passage : match.passages) {
      match.excluded.push_back({*of_document, std::move(passage)});
    }
    match.passages.clear();
    match.excluded_as = of_document;
    return;
  }
  if (!match.passages.empty() || match.excluded.empty()) return;
  std::vector<CountedReason> counted;  // a passage without symbols counts, too
  counted.reserve(match.excluded.size());
  for (const ExcludedPassage& one : match.excluded) {
    counted.push_back({one.reason, one.passage.matched + 1});
  }
  match.excluded_as = MainReason(counted);
}

Status MatchExclusions::ExcludePlacesOf(std::string_view original, double least_score,
                                        CheckMatch& match) {
  if (!places_) {
    ZHIWEN_ASSIGN_OR_RETURN(
        ExcludedPlaces places,
        ExcludedPlaces::Find(
            text_, {.reasons = exclusions_.reasons, .boilerplate = exclusions_.boilerplate},
            cancellation_));
    places_.emplace(std::move(places));
  }
  places_->Exclude(original, least_score, match.passages, match.excluded);
  return {};
}

}  // namespace zhiwen
