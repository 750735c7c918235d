#include "base/json/json_writer.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

void AppendEscaped(std::string& out, char byte) {
  switch (byte) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(byte));
  }
}

// Returns how many bytes at the front of `value` can be copied as they are.
size_t PlainPrefix(std::string_view value) {
  size_t size = 0;
  while (size < value.size()) {
    const auto byte = static_cast<unsigned char>(value[size]);
    if (byte < 0x20 || byte == '"' || byte == '\\') break;
    if (byte < 0x80) {
      ++size;
      continue;
    }
    const DecodedCodePoint decoded = DecodeAt(value, size);
    if (!decoded.is_valid()) break;
    size += decoded.length;
  }
  return size;
}

}  // namespace

std::string FormatUtc(std::chrono::sys_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss of_day(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     of_day.hours().count(), of_day.minutes().count(), of_day.seconds().count());
}

std::string CountsToJson(std::span<const uint64_t> counts) {
  std::string out;
  JsonWriter json(out);
  json.BeginArray();
  for (const uint64_t count : counts) json.Unsigned(count);
  json.EndArray();
  return out;
}

void AppendJsonString(std::string& out, std::string_view value) {
  out.push_back('"');
  while (true) {
    const size_t plain = PlainPrefix(value);
    out.append(value.substr(0, plain));
    value.remove_prefix(plain);
    if (value.empty()) break;
    if (static_cast<unsigned char>(value.front()) < 0x80) {
      AppendEscaped(out, value.front());
      value.remove_prefix(1);
    } else {
      AppendUtf8(kReplacementCharacter, out);
      value.remove_prefix(BrokenUtf8Length(value));
    }
  }
  out.push_back('"');
}

JsonWriter& JsonWriter::BeginObject() {
  BeforeValue();
  out_.push_back('{');
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::EndObject() {
  const bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) Newline();
  out_.push_back('}');
  return *this;
}

JsonWriter& JsonWriter::BeginArray() {
  BeforeValue();
  out_.push_back('[');
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::EndArray() {
  const bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) Newline();
  out_.push_back(']');
  return *this;
}

JsonWriter& JsonWriter::Key(std::string_view key) {
  BeforeValue();
  AppendJsonString(out_, key);
  out_ += layout_ == Layout::kIndented ? ": " : ":";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::String(std::string_view value) {
  BeforeValue();
  AppendJsonString(out_, value);
  return *this;
}

JsonWriter& JsonWriter::Unsigned(uint64_t value) {
  BeforeValue();
  fmt::format_to(std::back_inserter(out_), "{}", value);
  return *this;
}

JsonWriter& JsonWriter::Double(double value) {
  if (!std::isfinite(value)) return Null();
  BeforeValue();
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out_.append(digits.data(), end);
  return *this;
}

JsonWriter& JsonWriter::Fixed(double value, int decimals) {
  if (!std::isfinite(value)) return Null();
  BeforeValue();
  std::string digits = fmt::format("{:.{}f}", value, decimals);
  if (digits.find('.') != std::string::npos) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  out_ += digits == "-0" ? "0" : digits;
  return *this;
}

JsonWriter& JsonWriter::Bool(bool value) { return Raw(value ? "true" : "false"); }

JsonWriter& JsonWriter::Null() { return Raw("null"); }

JsonWriter& JsonWriter::Raw(std::string_view json) {
  BeforeValue();
  out_.append(json);
  return *this;
}

// Writes what separates a key or an item from the one before; a value after its key needs nothing.
void JsonWriter::BeforeValue() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) out_.push_back(',');
  has_items_.back() = true;
  Newline();
}

void JsonWriter::Newline() {
  if (layout_ == Layout::kCompact) return;
  out_.push_back('\n');
  out_.append(2 * has_items_.size(), ' ');
}

}  // namespace zhiwen
