#include "document/archive/tar_entry.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

constexpr size_t kBlock = 512;

// A field of a header.
struct Place {
  size_t at, size;
};
constexpr Place kName = {0, 100}, kMode = {100, 8}, kUser = {108, 8}, kGroup = {116, 8},
                kSize = {124, 12}, kModified = {136, 12}, kChecksum = {148, 8}, kType = {156, 1},
                kMagic = {257, 8};
constexpr char kFile = '0', kPaxHeader = 'x';
constexpr std::string_view kUstar("ustar\00000", 8);
constexpr int64_t kMostModified = (int64_t{1} << 33) - 1;  // of 11 octal digits

constexpr std::string_view kPathKey = "path";
constexpr std::string_view kTooLargeKey = "ZHIWEN.too_large", kUnreadableKey = "ZHIWEN.unreadable";

using TarHeader = std::array<char, kBlock>;

void Put(TarHeader& header, Place place, std::string_view value) {
  std::ranges::copy(value.substr(0, place.size),
                    header.begin() + static_cast<std::ptrdiff_t>(place.at));
}

void PutOctal(TarHeader& header, Place place, uint64_t value) {
  Put(header, place, fmt::format("{:0{}o}", value, place.size - 1));
}

std::string_view Field(std::string_view header, Place place) {
  const std::string_view field = header.substr(place.at, place.size);
  return field.substr(0, std::min(field.find('\0'), field.size()));
}

uint64_t OctalOf(std::string_view header, Place place) {
  std::string_view digits = header.substr(place.at, place.size);
  digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
  uint64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '7') break;
    value = value * 8 + static_cast<uint64_t>(c - '0');
  }
  return value;
}

// The sum of the bytes of a header, its own field counted as blanks.
uint64_t ChecksumOf(std::string_view header) {
  uint64_t sum = kChecksum.size * ' ';
  for (size_t i = 0; i < kBlock; ++i) {
    const bool is_own = i >= kChecksum.at && i < kChecksum.at + kChecksum.size;
    sum += is_own ? 0 : static_cast<unsigned char>(header[i]);
  }
  return sum;
}

bool IsHeader(std::string_view header) { return OctalOf(header, kChecksum) == ChecksumOf(header); }

uint64_t Padded(uint64_t size) { return (size + kBlock - 1) / kBlock * kBlock; }

std::string_view CutName(std::string_view name, size_t most) {
  if (name.size() <= most) return name;
  while (most > 0 && IsContinuation(static_cast<uint8_t>(name[most]))) --most;
  return name.substr(0, most);
}

void AppendPadded(std::string_view content, std::string& out) {
  out += content;
  out.append(static_cast<size_t>(Padded(content.size()) - content.size()), '\0');
}

void AppendHeader(const TarEntry& entry, char type, size_t size, std::string& out) {
  TarHeader header{};
  Put(header, kName, CutName(entry.name, kName.size));
  PutOctal(header, kMode, 0644);
  PutOctal(header, kUser, 0);
  PutOctal(header, kGroup, 0);
  PutOctal(header, kSize, size);
  PutOctal(header, kModified,
           static_cast<uint64_t>(std::clamp<int64_t>(entry.modified, 0, kMostModified)));
  Put(header, kType, {&type, 1});
  Put(header, kMagic, kUstar);
  const std::string_view bytes(header.data(), header.size());
  std::string checksum = fmt::format("{:06o}", ChecksumOf(bytes));
  checksum.append("\0 ", 2);
  Put(header, kChecksum, checksum);
  out += bytes;
}

// "30 path=...\n": the number counts all bytes of the line, itself too.
void AppendPaxLine(std::string_view key, std::string_view value, std::string& out) {
  const size_t rest = key.size() + value.size() + 3;
  size_t all = rest + fmt::formatted_size("{}", rest);
  all = rest + fmt::formatted_size("{}", all);
  out += fmt::format("{} {}={}\n", all, key, value);
}

bool NeedsPaxName(std::string_view name) {
  return name.size() > kName.size ||
         std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

// Reads the lines of a pax header.
void TakePaxLines(std::string_view lines, TarEntry& entry) {
  while (!lines.empty()) {
    size_t size = 0;
    const auto [stop, error] = std::from_chars(lines.data(), lines.data() + lines.size(), size);
    const auto begin = static_cast<size_t>(stop - lines.data()) + 1;
    if (error != std::errc() || size <= begin || size > lines.size()) return;
    const std::string_view line = lines.substr(begin, size - begin - 1);
    lines.remove_prefix(size);
    const size_t equals = std::min(line.find('='), line.size());
    const std::string_view key = line.substr(0, equals);
    const std::string value(line.substr(std::min(equals + 1, line.size())));
    if (key == kPathKey) entry.name = value;
    if (key == kTooLargeKey) entry.fault = Error{ErrorCode::kExhausted, value};
    if (key == kUnreadableKey) entry.fault = Error{ErrorCode::kUnreadable, value};
  }
}

}  // namespace

void AppendTarHead(const TarEntry& entry, std::string& out) {
  std::string pax;
  const std::string_view name = CutName(entry.name, kMostNameBytes);
  if (NeedsPaxName(name)) AppendPaxLine(kPathKey, name, pax);
  if (entry.fault) {
    const bool is_large = entry.fault->code == ErrorCode::kExhausted;
    AppendPaxLine(is_large ? kTooLargeKey : kUnreadableKey,
                  CutName(entry.fault->message, kMostNameBytes / 2), pax);
  }
  if (!pax.empty()) {
    AppendHeader(entry, kPaxHeader, pax.size(), out);
    AppendPadded(pax, out);
  }
  AppendHeader(entry, kFile, entry.content.size(), out);
}

std::string_view TarPadding(uint64_t content_bytes) {
  return TarEnd().substr(0, static_cast<size_t>(Padded(content_bytes) - content_bytes));
}

void AppendTarEntry(const TarEntry& entry, std::string& out) {
  AppendTarHead(entry, out);
  out += entry.content;
  out += TarPadding(entry.content.size());
}

TarEntry ParseTarEntry(std::string_view bytes) {
  TarEntry entry;
  entry.fault = Error{ErrorCode::kUnreadable, "it is no entry of an archive"};
  TarEntry said;
  while (bytes.size() >= kBlock) {
    const std::string_view header = bytes.substr(0, kBlock);
    if (!IsHeader(header)) return entry;
    const uint64_t size = OctalOf(header, kSize);
    bytes.remove_prefix(kBlock);
    if (size > bytes.size()) return entry;
    const std::string_view content = bytes.substr(0, static_cast<size_t>(size));
    if (header[kType.at] == kPaxHeader) {
      TakePaxLines(content, said);
      bytes.remove_prefix(static_cast<size_t>(std::min<uint64_t>(Padded(size), bytes.size())));
      continue;
    }
    if (said.name.empty()) said.name = Field(header, kName);
    said.content = content;
    said.modified = static_cast<int64_t>(OctalOf(header, kModified));
    return said;
  }
  return entry;
}

std::string_view TarEnd() {
  static constexpr std::array<char, 2 * kBlock> kZeros{};
  return {kZeros.data(), kZeros.size()};
}

bool BeginsAsTar(std::string_view head) {
  return head.size() >= kBlock && head.front() != '\0' && IsHeader(head.substr(0, kBlock));
}

bool TarScanner::Advance(std::string_view piece, size_t& at) {
  if (left_ > 0) {
    const auto count = static_cast<size_t>(std::min<uint64_t>(left_, piece.size() - at));
    at += count;
    left_ -= count;
  } else {
    const size_t count = std::min(kBlock - header_.size(), piece.size() - at);
    header_.append(piece, at, count);
    at += count;
    if (header_.size() < kBlock) return false;
    left_ = Padded(OctalOf(header_, kSize));
    goes_on_ = header_[kType.at] == kPaxHeader;
    is_inside_ = true;
    header_.clear();
  }
  if (left_ > 0 || !is_inside_) return false;
  is_inside_ = false;
  return !goes_on_;
}

size_t TarScanner::FindLastEnd(std::string_view piece) {
  size_t last = kNone;
  for (size_t at = 0; at < piece.size();) {
    if (Advance(piece, at)) last = at;
  }
  return last;
}

size_t TarScanner::FindFirstEnd(std::string_view piece) {
  for (size_t at = 0; at < piece.size();) {
    if (Advance(piece, at)) return at;
  }
  return kNone;
}

std::string_view TarCutter::Next() {
  TarScanner scanner;
  const size_t end = std::min(scanner.FindFirstEnd(rest_), rest_.size());
  const std::string_view entry = rest_.substr(0, end);
  rest_.remove_prefix(end);
  return entry;
}

}  // namespace zhiwen
