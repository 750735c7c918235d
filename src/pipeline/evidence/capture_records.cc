#include "pipeline/evidence/capture_records.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/utf8/ascii.h"
#include "document/warc/header_fields.h"
#include "document/warc/http_message.h"
#include "document/warc/warc_record.h"
#include "pipeline/evidence/capture_facts.h"
#include "pipeline/reader/document_input.h"
#include "pipeline/reader/record_blocks.h"

namespace zhiwen {
namespace {

constexpr size_t kMostHops = 20;
constexpr std::string_view kLookupScheme = "dns:";

struct Redirect {
  uint64_t record = 0;
  std::string from;
};

// Returns the address that a Location means on a page.
std::string ResolveLocation(std::string_view page, std::string_view location) {
  const size_t scheme_end = page.find("://");
  if (location.find("://") != std::string_view::npos || scheme_end == std::string_view::npos) {
    return std::string(location);
  }
  const size_t path = std::min(page.find('/', scheme_end + 3), page.size());
  if (location.starts_with("//")) return fmt::format("{}:{}", page.substr(0, scheme_end), location);
  if (location.starts_with('/')) return fmt::format("{}{}", page.substr(0, path), location);
  const std::string_view without_query =
      page.substr(0, std::min(page.find_first_of("?#"), page.size()));
  const size_t folder = without_query.rfind('/');
  if (location.starts_with('?')) return fmt::format("{}{}", without_query, location);
  if (folder == std::string_view::npos || folder < path) {
    return fmt::format("{}/{}", page.substr(0, path), location);
  }
  return fmt::format("{}{}", without_query.substr(0, folder + 1), location);
}

std::string WithoutFragment(std::string_view url) {
  return std::string(url.substr(0, std::min(url.find('#'), url.size())));
}

std::string HostOf(std::string_view url) {
  const size_t scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) return "";
  url.remove_prefix(scheme_end + 3);
  url = url.substr(0, std::min(url.find_first_of("/?#"), url.size()));
  url = url.substr(url.find('@') + 1);  // npos + 1 is 0
  return LowerAsciiOf(url.substr(0, std::min(url.find(':'), url.size())));
}

class CaptureFinder {
 public:
  CaptureFinder(FileSystem& files, const DocumentFile& file, uint64_t wanted,
                const Cancellation& cancellation)
      : files_(files), file_(file), wanted_(wanted), cancellation_(cancellation) {}

  Result<CaptureRecords> Find();

 private:
  using Visitor = std::function<void(uint64_t record, std::string_view group)>;
  Status ForEach(const Visitor& visit);
  void Note(uint64_t number, std::string_view group);
  std::vector<Redirect> ChainTo(std::string url) const;
  Status TakeRedirects(const std::vector<Redirect>& chain);

  FileSystem& files_;
  const DocumentFile& file_;
  const uint64_t wanted_;
  const Cancellation& cancellation_;
  std::string url_;                                         // of the capture
  std::map<std::string, std::vector<Redirect>> redirects_;  // by where they lead, ascending
  std::map<std::string, std::string> lookups_;              // by host
  CaptureRecords out_;
};

Status CaptureFinder::ForEach(const Visitor& visit) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<FileBlocks> blocks,
                          OpenFileBlocks(files_, ToInputFile(file_), 0, {}));
  RecordBlock block;
  uint64_t record = 0;
  while (true) {
    ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, blocks->Next(block));
    if (!more) return {};
    SplitRecords(block, [&](const BlockRecord& one) { visit(++record, one.bytes); });
  }
}

// Keeps the capture; notes where redirects lead, and what name lookups say.
void CaptureFinder::Note(uint64_t number, std::string_view group) {
  if (number == wanted_) out_.capture = group;
  for (const WarcRecord& record : FindWarcRecords(group)) {
    const std::string url = UnfoldValue(record.header.target_uri);
    if (number == wanted_ && HasContent(record.header.type)) url_ = url;
    if (!HasContent(record.header.type)) continue;
    if (StartsInAnyCase(url, kLookupScheme)) {
      lookups_[LowerAsciiOf(url.substr(kLookupScheme.size()))] = group;
    }
    if (record.header.type != WarcRecordType::kResponse || number >= wanted_) continue;
    const std::optional<HttpHead> head = ParseHttpHead(record.payload);
    if (!head || head->status.value_or(0) / 100 != 3) continue;
    const std::string location = HeaderValue(record.payload, "Location");
    if (location.empty()) continue;
    redirects_[WithoutFragment(ResolveLocation(url, location))].push_back({number, url});
  }
}

// Returns the redirects that lead to an address, the first one first.
std::vector<Redirect> CaptureFinder::ChainTo(std::string url) const {
  std::vector<Redirect> chain;
  uint64_t before = wanted_;
  while (chain.size() < kMostHops) {
    const auto found = redirects_.find(WithoutFragment(url));
    if (found == redirects_.end()) break;
    const auto& all = found->second;
    const auto behind = std::ranges::lower_bound(all, before, {}, &Redirect::record);
    if (behind == all.begin()) break;
    chain.push_back(*std::prev(behind));
    before = chain.back().record;
    url = chain.back().from;
  }
  std::ranges::reverse(chain);
  return chain;
}

Status CaptureFinder::TakeRedirects(const std::vector<Redirect>& chain) {
  if (chain.empty()) return {};
  return ForEach([&](uint64_t record, std::string_view group) {
    if (std::ranges::find(chain, record, &Redirect::record) != chain.end()) {
      out_.redirects += group;
    }
  });
}

Result<CaptureRecords> CaptureFinder::Find() {
  ZHIWEN_RETURN_IF_ERROR(
      ForEach([this](uint64_t record, std::string_view group) { Note(record, group); }));
  if (out_.capture.empty()) {
    return Fail(ErrorCode::kNotFound, fmt::format("\"{}\" has no record {}", file_.path, wanted_));
  }
  const std::vector<Redirect> chain = ChainTo(url_);
  ZHIWEN_RETURN_IF_ERROR(TakeRedirects(chain));
  std::vector<std::string> hosts;
  hosts.reserve(chain.size() + 1);
  for (const Redirect& redirect : chain) hosts.push_back(HostOf(redirect.from));
  hosts.push_back(HostOf(url_));
  for (const std::string& host : hosts) {
    const auto lookup = lookups_.find(host);
    if (lookup == lookups_.end()) continue;
    out_.lookups += lookup->second;
    lookups_.erase(lookup);  // of a host that stands twice, once
  }
  return std::move(out_);
}

}  // namespace

Result<CaptureRecords> FindCaptureRecords(FileSystem& files, const DocumentFile& file,
                                          uint64_t record, const Cancellation& cancellation) {
  return CaptureFinder(files, file, record, cancellation).Find();
}

}  // namespace zhiwen
