#ifndef ZHIWEN_DOCUMENT_PARSE_DATE_H_
#define ZHIWEN_DOCUMENT_PARSE_DATE_H_

// Parses dates in the forms that corpora use.

#include <cstdint>
#include <optional>
#include <string_view>

namespace zhiwen {

// The time that a date leaves open, [begin, end) in seconds since 1970-01-01 UTC: a year, a month,
// a day, an hour, a minute, or a second. Without a zone the date is taken as UTC.
struct DateRange {
  int64_t begin = 0, end = 0;
  bool has_zone = false;
};

// Returns the seconds since 1970-01-01 UTC. White space around the date is ignored, fractions of a
// second are dropped (rounding down), a time without zone is UTC, and a missing month, day or time
// is the first one. Reads
//   ISO 8601        2024 · 2024-05 · 2024-05-01 · 20240501 · 2024-05-01T08:30:00.5+08:00, with a
//                   space for T, `,` for the point, zones Z, ±hh, ±hhmm, ±hh:mm
//   with slashes    2024/5/1, 2024/05/01 08:30; with dots, the day included: 2024.5.1
//   months          202405
//   Chinese         2024年5月1日, 2024年5月1日8时30分15秒, 2024年5月1日 08:30
//   epoch           up to 11 digits, with or without a fraction, are seconds, 12 and 13 digits
//                   milliseconds; but 4 digits are a year, 6 a month where there is such a
//                   month, and 8 a day
// Returns nothing for any other form, for a day or time that does not exist, and for years outside
// 1 … 9999.
std::optional<int64_t> ParseDate(std::string_view text);

// Returns the range that a date in one of these forms leaves open, which begins where ParseDate
// says.
std::optional<DateRange> ParseDateRange(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_PARSE_DATE_H_
