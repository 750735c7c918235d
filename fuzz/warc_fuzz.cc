// Any bytes are a WARC file: its groups hold all of them, are the same in any pieces, and captures
// have what their groups have, within their bound.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "document/warc/warc_capture.h"
#include "document/warc/warc_scanner.h"
#include "require.h"

namespace {

using namespace zhiwen;

constexpr CaptureLimits kLimits = {.max_payload_bytes = 1 << 16};

// Returns where groups end, as pieces of `piece_bytes` show it.
std::vector<size_t> FindEnds(const std::string& bytes, size_t piece_bytes) {
  std::vector<size_t> ends;
  size_t begin = 0;  // of the group
  WarcScanner scanner;
  for (size_t at = 0; at < bytes.size();) {
    const std::string piece = bytes.substr(at, piece_bytes);
    const size_t end = scanner.FindFirstEnd(piece);
    if (end == WarcScanner::kNone) {
      at += piece.size();
      continue;
    }
    const std::string_view before = scanner.before_piece();
    Require(at - before.size() <= begin + end && begin + end <= at + piece.size());
    Require(before.empty() || bytes.compare(begin + end, before.size(), before) == 0);
    begin += end;
    ends.push_back(begin);
    at = begin;
    scanner.Restart();
  }
  return ends;
}

void CheckCapture(std::string_view group) {
  const auto parsed = ParseCapture(group, kLimits);
  const auto* capture = std::get_if<WarcCapture>(&parsed);
  if (capture == nullptr) {
    Require(!std::get<CaptureFault>(parsed).message.empty());
    return;
  }
  Require(capture->payload().size() <= kLimits.max_payload_bytes);
  Require(capture->no_document.has_value() == capture->payload().empty());
  if (!capture->payload_offset) return;
  Require(
      group.substr(static_cast<size_t>(*capture->payload_offset)).starts_with(capture->payload()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::vector<size_t> ends;
  size_t at = 0;
  WarcCutter cutter(bytes);
  for (std::string_view group = cutter.Next(); !group.empty(); group = cutter.Next()) {
    CheckCapture(std::string(group));  // a copy, so that a read behind it is seen
    at += group.size();
    ends.push_back(at);
  }
  Require(at == bytes.size());
  if (!ends.empty()) ends.pop_back();  // the end of the input
  Require(FindEnds(bytes, data[0] + size_t{1}) == ends);
  return 0;
}
