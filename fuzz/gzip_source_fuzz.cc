// Any bytes read as gzip are a content or a named error, the same however they are cut.
#include "byte_source_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  zhiwen::CheckByteSource(bytes, zhiwen::Compression::kGzip);
  return 0;
}
