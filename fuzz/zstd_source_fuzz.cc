// Any bytes read as zstd are a content or a named error, the same however they are cut; and the
// content is what the library alone makes of the bytes.
#include "byte_source_check.h"
#include "support/decompress_zstd.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const zhiwen::FuzzedReading reading = zhiwen::CheckByteSource(bytes, zhiwen::Compression::kZstd);
  if (reading.content.size() >= zhiwen::kFuzzedContent || size == 0) return 0;
  if (!reading.error.empty()) return 0;
  zhiwen::Require(zhiwen::DecompressZstd(bytes.substr(1)) == reading.content);
  return 0;
}
