#include "document/warc/warc_scanner.h"

#include <algorithm>
#include <utility>

namespace zhiwen {
namespace {

constexpr size_t kMostRecords = 256;

// A record about another one. What a revisit or a conversion refers to is another capture.
bool IsBeside(WarcRecordType type) {
  return type == WarcRecordType::kRequest || type == WarcRecordType::kMetadata;
}

// The ids of the records that a record says it belongs to.
std::vector<std::string_view> NamedBy(const WarcHeader& header) {
  std::vector<std::string_view> named = header.concurrent_to;
  if (IsBeside(header.type) && !header.refers_to.empty()) named.push_back(header.refers_to);
  return named;
}

bool Has(const std::vector<std::string>& ids, std::string_view id) {
  return std::ranges::find(ids, id) != ids.end();
}

}  // namespace

void CaptureMembers::Begin(const WarcHeader& header) {
  *this = {};
  is_alone_ = !HasContent(header.type) && !IsBeside(header.type);
  Add(header);
}

void CaptureMembers::Add(const WarcHeader& header) {
  ++count_;
  has_content_ |= HasContent(header.type);
  has_request_ |= header.type == WarcRecordType::kRequest;
  if (target_uri_.empty()) target_uri_ = header.target_uri;
  if (!header.record_id.empty()) ids_.emplace_back(header.record_id);
  for (const std::string_view id : NamedBy(header)) named_.emplace_back(id);
}

bool CaptureMembers::IsLinked(const WarcHeader& header) const {
  if (Has(named_, header.record_id)) return true;
  return std::ranges::any_of(NamedBy(header),
                             [&](std::string_view id) { return Has(ids_, id) || Has(named_, id); });
}

bool CaptureMembers::IsAtSameAddress(const WarcHeader& header) const {
  if (header.target_uri.empty() || header.target_uri != target_uri_) return false;
  if (header.type == WarcRecordType::kRequest && has_request_) return false;
  return NamedBy(header).empty() &&
         std::ranges::all_of(named_, [&](const std::string& id) { return Has(ids_, id); });
}

bool CaptureMembers::Take(const WarcHeader& header) {
  if (is_alone_ || count_ == kMostRecords) return false;
  if (HasContent(header.type) ? has_content_ : !IsBeside(header.type)) return false;
  if (!IsLinked(header) && !IsAtSameAddress(header)) return false;
  Add(header);
  return true;
}

void WarcScanner::Restart() {
  records_.Restart();
  has_group_ = false;
  scanned_ = 0;
  before_piece_.clear();
}

template <WarcScanner::Wanted wanted>
size_t WarcScanner::Find(std::string_view piece) {
  size_t found = kNone;
  before_piece_.clear();
  for (size_t at = 0; records_.FindHeader(piece, at);) {
    if (has_group_ && members_.Take(records_.header())) continue;
    members_.Begin(records_.header());
    if (!std::exchange(has_group_, true)) continue;
    found = static_cast<size_t>(records_.record_begin());
    before_piece_ = records_.header_bytes().substr(0, scanned_ - std::min(scanned_, found));
    if (wanted == Wanted::kFirst) return found;
  }
  scanned_ += piece.size();
  return found;
}

size_t WarcScanner::FindLastEnd(std::string_view piece) { return Find<Wanted::kLast>(piece); }

size_t WarcScanner::FindFirstEnd(std::string_view piece) { return Find<Wanted::kFirst>(piece); }

std::string_view WarcCutter::Next() {
  scanner_.Restart();
  const std::string_view group = bytes_.substr(0, scanner_.FindFirstEnd(bytes_));
  bytes_.remove_prefix(group.size());
  return group;
}

}  // namespace zhiwen
