// Any bytes read as zstd are a content or a named error, the same however they are cut, and what is
// read from a file is what is read in memory.
#include "base/compress/zstd_frames.h"
#include "byte_source_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const zhiwen::FuzzedReading reading = zhiwen::CheckByteSource(bytes, zhiwen::Compression::kZstd);
  if (reading.content.size() >= zhiwen::kFuzzedContent || size == 0) return 0;
  const auto content = zhiwen::DecompressZstd(bytes.substr(1), zhiwen::kFuzzedContent);
  if (reading.error.empty()) zhiwen::Require(content.value() == reading.content);
  return 0;
}
