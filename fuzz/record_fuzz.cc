// Any bytes are a document or a fault with a message; and whatever is accepted reads the same
// again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/utf8/utf8.h"
#include "document/record.h"
#include "require.h"

namespace {

using zhiwen::Document;
using zhiwen::RecordFault;
using zhiwen::RecordParser;
using zhiwen::Require;

bool IsUtf8(std::string_view bytes) {
  return zhiwen::VisitCodePoints(
      bytes, [](const zhiwen::DecodedCodePoint& decoded, size_t) { return decoded.is_valid(); });
}

void CheckFault(const RecordFault& fault) {
  Require(!fault.message.empty() && !zhiwen::RecordFaultName(fault.reason).empty());
}

RecordParser MakeParser() {
  return RecordParser::Create(
             {.text = {"text", "a.b"}, .id = "id", .policy = {"date"}, .joins_lists = true})
      .value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static RecordParser parser = MakeParser();
  static RecordParser other = MakeParser();
  // A heap copy of exact size, so that a read beyond the padding is seen.
  std::string padded(reinterpret_cast<const char*>(data), size);
  padded.resize(size + zhiwen::JsonReader::kPadding, '"');
  const std::string_view line = std::string_view(padded).substr(0, size);
  const auto first = parser.Parse(line);
  const auto second = other.Parse(line);
  Require(first.index() == second.index());
  if (const auto* fault = std::get_if<RecordFault>(&first)) {
    CheckFault(*fault);
    return 0;
  }
  const auto& document = std::get<Document>(first);
  Require(IsUtf8(document.text) && document.policy.size() == 1);
  Require(document.text == std::get<Document>(second).text);
  Require(document.id == std::get<Document>(second).id);
  return 0;
}
