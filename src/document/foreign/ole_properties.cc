#include "document/foreign/ole_properties.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "base/utf8/transcoder.h"
#include "document/foreign/ole_directory.h"
#include "document/office/office_text.h"

namespace zhiwen {
namespace {

constexpr size_t kSetOffsetAt = 44;                   // in the stream
constexpr size_t kCountAt = 4, kFirstPropertyAt = 8;  // in the set
constexpr size_t kMostProperties = 1000, kMostTextBytes = 4096;

enum class Property : uint32_t {
  kCodePage = 1,
  kTitle = 2,
  kAuthor = 4,
  kLastAuthor = 8,
  kCreated = 12,
  kSaved = 13,
};

enum class ValueType : uint32_t { kShort = 2, kBytes = 30, kWideText = 31, kFileTime = 64 };

constexpr uint32_t kUtf16Page = 1200, kWesternPage = 1252;

class PropertySet {
 public:
  explicit PropertySet(std::string_view stream)
      : set_(stream.substr(
            std::min<size_t>(ReadOleNumber(stream, kSetOffsetAt, 4), stream.size()))) {
    const std::string_view page = Find(Property::kCodePage, ValueType::kShort);
    if (!page.empty()) page_ = ReadOleNumber(page, 0, 2);
  }

  std::string Text(Property property) const {
    if (const std::string_view wide = Find(property, ValueType::kWideText); !wide.empty()) {
      const size_t bytes = size_t{2} * ReadOleNumber(wide, 0, 4);
      return Decoded(kUtf16Page, wide.substr(4, bytes));
    }
    const std::string_view narrow = Find(property, ValueType::kBytes);
    if (narrow.empty()) return {};
    return Decoded(page_, narrow.substr(4, ReadOleNumber(narrow, 0, 4)));
  }

  // Counted from 1601 in 100 nanoseconds; what is before 1970 is no date of a document.
  std::string Date(Property property) const {
    constexpr uint64_t kTicks = 10'000'000, kSecondsTo1970 = 11'644'473'600;
    constexpr uint64_t kMostSeconds = 253'402'300'799;  // the last of the year 9999
    const std::string_view value = Find(property, ValueType::kFileTime);
    const uint64_t ticks = uint64_t{ReadOleNumber(value, 4, 4)} << 32 | ReadOleNumber(value, 0, 4);
    const uint64_t seconds = ticks / kTicks - kSecondsTo1970;  // wraps before 1970
    if (seconds > kMostSeconds) return {};
    const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  }

 private:
  // What is behind the type of a property; empty where it is not there, or of another type.
  std::string_view Find(Property property, ValueType type) const {
    const size_t count = std::min<size_t>(ReadOleNumber(set_, kCountAt, 4), kMostProperties);
    for (size_t i = 0; i < count; ++i) {
      const size_t at = kFirstPropertyAt + 8 * i;
      if (at + 8 > set_.size()) return {};
      const size_t value = ReadOleNumber(set_, at + 4, 4);
      if (ReadOleNumber(set_, at, 4) != static_cast<uint32_t>(property) || value + 8 > set_.size())
        continue;
      const bool is_type = ReadOleNumber(set_, value, 4) == static_cast<uint32_t>(type);
      return is_type ? set_.substr(value + 4) : std::string_view();
    }
    return {};
  }

  // Text ends with a character 0, or where the file says.
  static std::string Decoded(uint32_t page, std::string_view bytes) {
    bytes = bytes.substr(0, kMostTextBytes);
    std::string text;
    if (page == kUtf16Page) {
      if (auto decoder = TextDecoder::Create(TextEncoding::kUtf16Le)) decoder->Decode(bytes, text);
    } else {
      CodePageDecoder().Decode(page, bytes, text);
    }
    std::string shown;
    AppendShownText(std::string_view(text).substr(0, text.find('\0')), shown);
    return OnOneLine(shown);
  }

  std::string_view set_;
  uint32_t page_ = kWesternPage;
};

std::string FirstOf(std::string first, std::string other) {
  return first.empty() ? std::move(other) : std::move(first);
}

}  // namespace

OleProperties ReadOleProperties(std::string_view stream) {
  const PropertySet set(stream);
  return {.title = set.Text(Property::kTitle),
          .author = FirstOf(set.Text(Property::kAuthor), set.Text(Property::kLastAuthor)),
          .date = FirstOf(set.Date(Property::kCreated), set.Date(Property::kSaved))};
}

}  // namespace zhiwen
