// Any bytes are a fingerprint or an error; one that was read is written and read back the same. The
// bytes are tried as they are and as the body of a well-sealed file, which gets past the checksum.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/coding.h"
#include "require.h"
#include "zhiwen/fingerprint.h"

namespace {

using zhiwen::Require;

void Try(std::string_view encoded) {
  const auto named = zhiwen::DecodeFingerprint(encoded);
  if (!named) {
    Require(named.error().code == zhiwen::ErrorCode::kUnreadable ||
            named.error().code == zhiwen::ErrorCode::kConflict);
    return;
  }
  const auto again =
      zhiwen::DecodeFingerprint(zhiwen::EncodeFingerprint(named->canonical_name, named->value));
  Require(again.has_value());
  Require(*again == *named);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Try(bytes);
  for (const char version : {'\x01', '\x02'}) {
    std::string sealed = "ZWFP";
    sealed += version;
    sealed += bytes;
    zhiwen::AppendFixed32(sealed, zhiwen::Crc32c(sealed));
    Try(sealed);
  }
  return 0;
}
