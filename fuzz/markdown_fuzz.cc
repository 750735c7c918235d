// Any bytes are a Markdown file: its blocks are lines of the text, in order, whose sources lie in
// the bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8/utf8.h"
#include "document/types/markdown.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace zhiwen;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto document = ExtractMarkdown(bytes, {});
  if (!document) {
    Require(!document.error().message.empty());
    return 0;
  }
  Require(IsValidUtf8(document->text));
  uint64_t end = 0;
  for (const ExtractedBlock& block : document->blocks) {
    Require(block.text.begin.value == end && block.text.end.value > end);
    Require(document->text.substr(end, block.text.end.value - end).find('\n') == std::string::npos);
    end = block.text.end.value + 1;
    Require(block.source.begin.value <= block.source.end.value);
    Require(block.source.end.value <= bytes.size());
  }
  Require(document->text.size() == (end == 0 ? 0 : end - 1));
  return 0;
}
