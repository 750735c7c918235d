#include "document/warc/warc_record.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/utf8/ascii.h"
#include "document/csv_scanner.h"
#include "document/warc/header_fields.h"

namespace zhiwen {
namespace {

constexpr std::string_view kMagic = "WARC/#.";  // #: 0 or 1
constexpr size_t kMaxRelated = 16;
constexpr uint64_t kLongestPayload = uint64_t{1} << 60;

bool FitsMagic(char c, size_t at) {
  return kMagic[at] == '#' ? c == '0' || c == '1' : c == kMagic[at];
}

WarcRecordType TypeOf(std::string_view name) {
  using enum WarcRecordType;
  constexpr std::pair<std::string_view, WarcRecordType> kNames[] = {
      {"warcinfo", kWarcinfo},     {"response", kResponse},        {"resource", kResource},
      {"request", kRequest},       {"metadata", kMetadata},        {"revisit", kRevisit},
      {"conversion", kConversion}, {"continuation", kContinuation}};
  for (const auto& [known, type] : kNames) {
    if (EqualsInAnyCase(name, known)) return type;
  }
  return kOther;
}

std::optional<uint64_t> ParseLength(std::string_view value) {
  uint64_t length = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
  const bool is_number = error == std::errc() && end == value.data() + value.size();
  if (!is_number || length > kLongestPayload) return std::nullopt;
  return length;
}

// Old writers put angle brackets around addresses as well as around ids.
std::string_view TakeOffBrackets(std::string_view value) {
  if (value.size() < 2 || value.front() != '<' || value.back() != '>') return value;
  return value.substr(1, value.size() - 2);
}

WarcDamage DamageOf(const WarcRecord& record, std::string_view bytes) {
  if (!record.header.content_length) return WarcDamage::kHeader;
  if (record.payload.size() < *record.header.content_length) return WarcDamage::kCut;
  const size_t payload_end = record.payload_begin + record.payload.size();
  const std::string_view behind = bytes.substr(payload_end, record.end - payload_end);
  const bool is_sound = behind.find_first_not_of("\r\n") == std::string_view::npos;
  return is_sound ? WarcDamage::kNone : WarcDamage::kLength;
}

}  // namespace

bool BeginsAsWarc(std::string_view head) {
  if (head.size() <= kMagic.size()) return false;
  for (size_t at = 0; at < kMagic.size(); ++at) {
    if (!FitsMagic(head[at], at)) return false;
  }
  return head[kMagic.size()] >= '0' && head[kMagic.size()] <= '9';
}

WarcHeader ParseWarcHeader(std::string_view bytes) {
  WarcHeader header;
  const std::pair<std::string_view, std::string_view*> texts[] = {
      {"WARC-Record-ID", &header.record_id},
      {"WARC-Target-URI", &header.target_uri},
      {"WARC-Date", &header.date},
      {"Content-Type", &header.content_type},
      {"WARC-Identified-Payload-Type", &header.identified_payload_type},
      {"WARC-Truncated", &header.truncated},
      {"WARC-Segment-Number", &header.segment_number},
      {"WARC-Refers-To", &header.refers_to}};
  bool has_type = false, has_length = false;
  HeaderFields fields(bytes.substr(std::min(FindByte(bytes, 0, '\n') + 1, bytes.size())));
  while (const std::optional<HeaderField> field = fields.Next()) {
    const auto [name, value] = *field;
    if (EqualsInAnyCase(name, "WARC-Type") && !has_type) {
      header.type = TypeOf(value);
      has_type = true;
    } else if (EqualsInAnyCase(name, "Content-Length") && !has_length) {
      header.content_length = ParseLength(value);
      has_length = true;
    } else if (EqualsInAnyCase(name, "WARC-Concurrent-To")) {
      if (!value.empty() && header.concurrent_to.size() < kMaxRelated) {
        header.concurrent_to.push_back(TakeOffBrackets(value));
      }
    }
    for (const auto& [known, place] : texts) {
      if (place->empty() && EqualsInAnyCase(name, known)) *place = TakeOffBrackets(value);
    }
  }
  return header;
}

void WarcRecordScanner::Restart() {
  state_ = State::kBetween;
  after_line_end_ = any_record_ = is_given_ = false;
  header_bytes_.clear();
  record_begin_ = payload_left_ = scanned_ = 0;
}

bool WarcRecordScanner::FindHeader(std::string_view piece, size_t& at) {
  if (is_given_) header_bytes_.clear();
  is_given_ = false;
  while (at < piece.size()) {
    if (state_ == State::kPayload) {
      const auto count = static_cast<size_t>(std::min<uint64_t>(payload_left_, piece.size() - at));
      payload_left_ -= count;
      scanned_ += count;
      at += count;
      if (payload_left_ == 0) state_ = State::kBetween;
    } else if (state_ == State::kHeader) {
      if (TakeHeader(piece, at)) return true;
    } else {
      TakeBetween(piece, at);
    }
  }
  return false;
}

// Takes bytes up to the magic of the next record.
void WarcRecordScanner::TakeBetween(std::string_view piece, size_t& at) {
  while (at < piece.size() && state_ != State::kHeader) {
    if (state_ == State::kSearch && !after_line_end_ && header_bytes_.empty()) {
      const size_t line_end = FindByte(piece, at, '\n');
      scanned_ += line_end - at;
      at = line_end;
      if (at == piece.size()) return;
    }
    ++scanned_;
    TakeByteBetween(piece[at++]);
  }
}

void WarcRecordScanner::TakeByteBetween(char c) {
  const size_t matched = header_bytes_.size();
  if ((matched > 0 || begins_line()) && FitsMagic(c, matched)) {
    header_bytes_.push_back(c);
    if (header_bytes_.size() < kMagic.size()) return;
    record_begin_ = scanned_ - kMagic.size();
    state_ = State::kHeader;
    return;
  }
  header_bytes_.clear();
  after_line_end_ = c == '\n';
  const bool is_line_end = matched == 0 && (c == '\n' || c == '\r');
  if (!is_line_end) state_ = State::kSearch;
}

// Takes lines up to the blank one. Returns whether it was there, or the header is too long.
bool WarcRecordScanner::TakeHeader(std::string_view piece, size_t& at) {
  const size_t line_end = std::min(FindByte(piece, at, '\n') + 1, piece.size());
  const size_t count = std::min(line_end - at, kMaxWarcHeaderBytes - header_bytes_.size());
  header_bytes_.append(piece.substr(at, count));
  scanned_ += count;
  at += count;
  const bool is_ended = header_bytes_.ends_with("\n\n") || header_bytes_.ends_with("\n\r\n");
  if (!is_ended && header_bytes_.size() < kMaxWarcHeaderBytes) return false;
  header_ = ParseWarcHeader(header_bytes_);
  if (!is_ended) header_.content_length.reset();
  any_record_ = is_given_ = true;
  if (header_.content_length) {
    payload_left_ = *header_.content_length;
    state_ = payload_left_ == 0 ? State::kBetween : State::kPayload;
  } else {
    state_ = State::kSearch;
    after_line_end_ = header_bytes_.back() == '\n';
  }
  return true;
}

std::vector<WarcRecord> FindWarcRecords(std::string_view bytes) {
  std::vector<WarcRecord> records;
  WarcRecordScanner scanner;
  for (size_t at = 0; scanner.FindHeader(bytes, at);) {
    const auto begin = static_cast<size_t>(scanner.record_begin());
    if (!records.empty()) records.back().end = begin;
    const std::string_view head = bytes.substr(begin, scanner.header_bytes().size());
    records.push_back({.begin = begin, .payload_begin = at, .end = bytes.size()});
    records.back().header = ParseWarcHeader(head);
    if (!scanner.header().content_length) records.back().header.content_length.reset();
  }
  if (const size_t unfinished = scanner.unfinished_bytes(); unfinished > 0) {
    const size_t begin = bytes.size() - unfinished;
    if (!records.empty()) records.back().end = begin;
    records.push_back({.begin = begin, .payload_begin = bytes.size(), .end = bytes.size()});
  }
  for (WarcRecord& record : records) {
    const size_t there = record.end - record.payload_begin;
    const uint64_t stated = record.header.content_length.value_or(there);
    record.payload =
        bytes.substr(record.payload_begin, static_cast<size_t>(std::min<uint64_t>(stated, there)));
    record.damage = DamageOf(record, bytes);
  }
  return records;
}

}  // namespace zhiwen
