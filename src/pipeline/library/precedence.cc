#include "pipeline/library/precedence.h"

#include <cstdint>
#include <optional>

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

// Takes the date of a document, or else that of its work.
void TakeDate(CheckMatch& match) {
  const StoredDocument& document = match.document;
  if (ParseDate(document.labels.date)) {
    match.date = document.labels.date;
    match.date_origin = DateOrigin::kDocument;
  } else if (ParseDate(document.work.first_publication)) {
    match.date = document.work.first_publication;
    match.date_origin = DateOrigin::kWork;
  }
}

}  // namespace

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
    TakeDate(match);
    match.precedence = ComparePrecedence(match.date, theirs);
  }
  if (!checked.matches.empty()) checked.precedence = checked.matches.front().precedence;
}

}  // namespace zhiwen
