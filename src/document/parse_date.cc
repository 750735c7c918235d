// Days are counted by the proleptic Gregorian calendar.

#include "document/parse_date.h"
#include "base/utf8/ascii.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace zhiwen {
namespace {

constexpr int64_t kSecondsPerHour = 3600, kSecondsPerDay = 86400;
constexpr int64_t kFirstSecond = -62135596800;  // 0001-01-01T00:00:00Z
constexpr int64_t kLastSecond = 253402300799;   // 9999-12-31T23:59:59Z

// Reads from the front of a text; a failed read consumes nothing.
class Cursor {
 public:
  explicit Cursor(std::string_view rest) : rest_(rest) {}

  bool done() const { return rest_.empty(); }
  bool AtDigit() const { return !rest_.empty() && IsAsciiDigit(rest_.front()); }

  bool Skip(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  bool SkipAny(std::initializer_list<std::string_view> tokens) {
    for (const std::string_view token : tokens) {
      if (Skip(token)) return true;
    }
    return false;
  }

  // Reads a number of `least` to `most` digits that is not followed by a further digit.
  std::optional<int> Number(size_t least, size_t most) {
    size_t digits = 0;
    while (digits < rest_.size() && IsAsciiDigit(rest_[digits])) ++digits;
    if (digits < least || digits > most) return std::nullopt;
    return Digits(digits);
  }

  // Reads the next `count` digits.
  std::optional<int> Digits(size_t count) {
    if (rest_.size() < count) return std::nullopt;
    int value = 0;
    for (size_t i = 0; i < count; ++i) {
      if (!IsAsciiDigit(rest_[i])) return std::nullopt;
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }

  void SkipDigits() {
    while (AtDigit()) rest_.remove_prefix(1);
  }

 private:
  std::string_view rest_;
};

std::optional<int64_t> SecondsOfDay(int year, int month, int day) {
  if (year < 1 || year > 9999) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count() * kSecondsPerDay;
}

// Returns the range of `months` months from the first of a month on.
std::optional<DateRange> RangeOfMonths(int year, int month, int months) {
  const auto begin = SecondsOfDay(year, month, 1);
  if (!begin) return std::nullopt;
  const std::chrono::year_month next =
      std::chrono::year(year) / std::chrono::month(static_cast<unsigned>(month)) +
      std::chrono::months(months);
  return DateRange{*begin,
                   std::chrono::sys_days(next / 1).time_since_epoch().count() * kSecondsPerDay};
}

std::optional<DateRange> RangeOfYear(int year) { return RangeOfMonths(year, 1, 12); }
std::optional<DateRange> RangeOfMonth(int year, int month) { return RangeOfMonths(year, month, 1); }

// Accepts 24:00 as the end of the day, and second 60 as a leap second.
std::optional<int64_t> SecondsOfTime(int hour, int minute, int second) {
  if (hour > 24 || minute > 59 || second > 60) return std::nullopt;
  if (hour == 24 && (minute != 0 || second != 0)) return std::nullopt;
  return hour * 3600 + minute * 60 + second;
}

// A time of a day: seconds since midnight UTC, and the seconds that it leaves open.
struct TimeOfDay {
  int64_t seconds = 0, open = 1;
  bool has_zone = false;
};

// Reads Z, ±hh, ±hhmm, ±hh:mm or nothing, and returns the seconds east of UTC.
std::optional<int64_t> ReadZone(Cursor& cursor) {
  if (cursor.done() || cursor.SkipAny({"Z", "z"})) return 0;
  int64_t sign = 1;
  if (cursor.Skip("-")) {
    sign = -1;
  } else if (!cursor.Skip("+")) {
    return std::nullopt;
  }
  const auto hours = cursor.Digits(2);
  if (!hours || *hours > 23) return std::nullopt;
  if (cursor.done()) return sign * *hours * 3600;
  cursor.Skip(":");
  const auto minutes = cursor.Digits(2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

// Reads hh, hh:mm, hh:mm:ss, hhmm or hhmmss, with a fraction after seconds and a zone.
std::optional<TimeOfDay> ReadClock(Cursor& cursor) {
  const auto hour = cursor.Digits(2);
  if (!hour) return std::nullopt;
  std::array<int, 2> minute_second = {0, 0};
  const bool extended = cursor.Skip(":");
  size_t parts = 0;
  for (; parts < 2 && (extended || cursor.AtDigit()); ++parts) {
    if (extended && parts == 1 && !cursor.Skip(":")) break;
    const auto part = cursor.Digits(2);
    if (!part) return std::nullopt;
    minute_second[parts] = *part;
  }
  if (parts == 2 && cursor.SkipAny({".", ","})) {
    if (!cursor.AtDigit()) return std::nullopt;
    cursor.SkipDigits();
  }
  const auto time = SecondsOfTime(*hour, minute_second[0], minute_second[1]);
  cursor.Skip(" ");
  const bool has_zone = !cursor.done();
  const auto zone = ReadZone(cursor);
  if (!time || !zone) return std::nullopt;
  constexpr std::array<int64_t, 3> kOpen = {kSecondsPerHour, 60, 1};
  return TimeOfDay{*time - *zone, kOpen[parts], has_zone};
}

// Reads 8时, 8时30分 or 8时30分15秒.
std::optional<TimeOfDay> ReadChineseClock(Cursor& cursor) {
  int minute = 0, second = 0;
  int64_t open = kSecondsPerHour;
  const auto hour = cursor.Number(1, 2);
  if (!hour || !cursor.SkipAny({"时", "時", "点", "點"})) return std::nullopt;
  if (!cursor.done()) {
    const auto value = cursor.Number(1, 2);
    if (!value || !cursor.Skip("分")) return std::nullopt;
    minute = *value;
    open = 60;
  }
  if (!cursor.done()) {
    const auto value = cursor.Number(1, 2);
    if (!value || !cursor.Skip("秒")) return std::nullopt;
    second = *value;
    open = 1;
  }
  const auto time = SecondsOfTime(*hour, minute, second);
  return time ? std::optional(TimeOfDay{*time, open}) : std::nullopt;
}

std::optional<TimeOfDay> ReadTime(Cursor cursor) {
  Cursor chinese = cursor;
  if (const auto time = ReadChineseClock(chinese); time && chinese.done()) return time;
  const auto time = ReadClock(cursor);
  return cursor.done() ? time : std::nullopt;
}

std::optional<DateRange> WithTime(std::optional<int64_t> day, Cursor cursor) {
  if (!day) return std::nullopt;
  if (cursor.done()) return DateRange{*day, *day + kSecondsPerDay};
  const auto time = ReadTime(cursor);
  if (!time) return std::nullopt;
  const int64_t seconds = *day + time->seconds;
  if (seconds < kFirstSecond || seconds > kLastSecond) return std::nullopt;
  return DateRange{seconds, seconds + time->open, time->has_zone};
}

// Reads the rest of a date after "2024-", "2024/" or "2024.", or of a basic date "20240501…".
std::optional<DateRange> ReadNumericDate(int year, std::string_view separator, Cursor cursor) {
  const size_t least = separator.empty() ? 2 : 1;
  const auto month = separator.empty() ? cursor.Digits(2) : cursor.Number(least, 2);
  if (!month) return std::nullopt;
  // "2024.5" may be a number with a fraction.
  const bool may_be_month = !separator.empty() && separator != ".";
  if (cursor.done() && may_be_month) return RangeOfMonth(year, *month);
  if (!cursor.Skip(separator)) return std::nullopt;
  const auto day = cursor.Number(least, 2);
  if (!day) return std::nullopt;
  const auto seconds = SecondsOfDay(year, *month, *day);
  if (cursor.done()) return WithTime(seconds, cursor);
  if (!cursor.SkipAny({"T", "t", " "})) return std::nullopt;
  return cursor.done() ? std::nullopt : WithTime(seconds, cursor);
}

// Reads the rest of "202405".
std::optional<DateRange> ReadMonth(int year, Cursor cursor) {
  const auto month = cursor.Digits(2);
  return month ? RangeOfMonth(year, *month) : std::nullopt;
}

// Reads the rest of a date after "2024年".
std::optional<DateRange> ReadChineseDate(int year, Cursor cursor) {
  if (cursor.done()) return RangeOfYear(year);
  const auto month = cursor.Number(1, 2);
  if (!month || !cursor.Skip("月")) return std::nullopt;
  if (cursor.done()) return RangeOfMonth(year, *month);
  const auto day = cursor.Number(1, 2);
  if (!day || !cursor.SkipAny({"日", "号", "號"})) return std::nullopt;
  cursor.Skip(" ");
  return WithTime(SecondsOfDay(year, *month, *day), cursor);
}

bool AllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Reads seconds with or without a fraction, or whole milliseconds, rounded down.
std::optional<DateRange> ReadEpoch(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const size_t point = text.find('.');
  const bool has_fraction = point != std::string_view::npos;
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = has_fraction ? text.substr(point + 1) : "";
  const size_t most = has_fraction ? 11 : 13;
  if (!AllDigits(whole) || whole.size() > most) return std::nullopt;
  if (has_fraction && (whole.size() == 4 || !AllDigits(fraction))) return std::nullopt;
  int64_t value = 0;
  std::from_chars(whole.data(), whole.data() + whole.size(), value);
  bool rest = fraction.find_first_not_of('0') != std::string_view::npos;
  if (whole.size() > 11) {
    rest = value % 1000 != 0;
    value /= 1000;
  }
  if (negative) value = -value - (rest ? 1 : 0);
  if (value < kFirstSecond || value > kLastSecond) return std::nullopt;
  return DateRange{value, value + 1, true};
}

}  // namespace

std::optional<int64_t> ParseDate(std::string_view text) {
  const auto range = ParseDateRange(text);
  return range ? std::optional(range->begin) : std::nullopt;
}

std::optional<DateRange> ParseDateRange(std::string_view text) {
  text = Trim(text, " \t\r\n");
  if (text.empty()) return std::nullopt;
  Cursor cursor(text);
  const auto year = cursor.Digits(4);
  if (!year) return ReadEpoch(text);
  if (cursor.done()) return RangeOfYear(*year);
  if (cursor.Skip("年")) return ReadChineseDate(*year, cursor);
  if (cursor.Skip("-")) return ReadNumericDate(*year, "-", cursor);
  if (cursor.Skip("/")) return ReadNumericDate(*year, "/", cursor);
  if (cursor.Skip(".")) return ReadNumericDate(*year, ".", cursor);
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 8) return ReadNumericDate(*year, "", cursor);
  if (digits == 6 && digits == text.size()) {
    // Seconds in the first days of 1970 look the same, but date fields do not hold them.
    if (const auto month = ReadMonth(*year, cursor)) return month;
  }
  return ReadEpoch(text);
}

}  // namespace zhiwen
