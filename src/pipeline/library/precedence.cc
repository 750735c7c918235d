#include "pipeline/library/precedence.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "document/parse_date.h"

namespace zhiwen {
namespace {

// Clocks of the world are between so many hours behind and before UTC.
constexpr int64_t kMostBehind = int64_t{12} * 3600, kMostBefore = int64_t{14} * 3600;

// Returns when something of this date can have been, in UTC.
DateRange InAnyZone(const DateRange& date) {
  if (date.has_zone) return date;
  return {date.begin - kMostBefore, date.end + kMostBehind, true};
}

}  // namespace

OriginalDate DateOf(const StoredDocument& document) {
  if (ParseDate(document.labels.date)) return {document.labels.date, DateOrigin::kDocument};
  const std::string& of_work = document.work.first_publication;
  return ParseDate(of_work) ? OriginalDate{of_work, DateOrigin::kWork} : OriginalDate{};
}

Precedence ComparePrecedence(std::string_view ours, std::string_view theirs) {
  std::optional<DateRange> a = ParseDateRange(ours), b = ParseDateRange(theirs);
  if (!a || !b) return Precedence::kUnknown;
  if (a->has_zone != b->has_zone) {
    a = InAnyZone(*a);
    b = InAnyZone(*b);
  }
  if (a->end <= b->begin) return Precedence::kOurs;
  if (b->end <= a->begin) return Precedence::kTheirs;
  return Precedence::kUnknown;
}

void AddPrecedence(std::string_view theirs, CheckedText& checked) {
  checked.date = theirs;
  for (CheckMatch& match : checked.matches) {
    const OriginalDate ours = DateOf(match.document);
    match.date = ours.date;
    match.date_origin = ours.origin;
    match.precedence = ComparePrecedence(match.date, theirs);
  }
  if (const CheckMatch* match = StrongestMatch(checked)) checked.precedence = match->precedence;
}

bool ComesBefore(const CheckMatch& a, const CheckMatch& b) {
  const auto figures = [](const CheckMatch& match) {
    return std::tuple(match.excluded_as.has_value(), std::min(match.relation, Relation::kContains),
                      ~match.matched, -match.resemblance);
  };
  if (figures(a) != figures(b)) return figures(a) < figures(b);
  const auto date = [](const CheckMatch& match) {
    return ParseDate(DateOf(match.document).date).value_or(INT64_MAX);
  };
  return std::pair(date(a), a.document.number) < std::pair(date(b), b.document.number);
}

}  // namespace zhiwen
