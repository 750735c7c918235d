// Decoder reads any bytes without leaving them, and what it reads encodes back to the same value;
// checksums do not depend on how the bytes are split.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/coding.h"
#include "require.h"

namespace {

using zhiwen::Require;

// Reads one value of the kind chosen by `kind`; returns whether there was one.
bool ReadOne(zhiwen::Decoder& decoder, unsigned kind) {
  const std::string_view before = decoder.rest();
  std::string again;
  bool read = false;
  if (kind % 4 == 0) {
    if (const auto value = decoder.Fixed32()) read = true, zhiwen::AppendFixed32(again, *value);
  } else if (kind % 4 == 1) {
    if (const auto value = decoder.Fixed64()) read = true, zhiwen::AppendFixed64(again, *value);
  } else if (kind % 4 == 2) {
    if (const auto value = decoder.Varint()) read = true, zhiwen::AppendVarint(again, *value);
  } else {
    if (const auto value = decoder.String()) read = true, zhiwen::AppendString(again, *value);
  }
  const size_t used = before.size() - decoder.rest().size();
  if (!read) {
    Require(used == 0);
    return false;
  }
  // A varint may have been written longer than needed; fixed values are exact.
  Require(again.size() <= used);
  if (kind % 4 < 2) Require(again == before.substr(0, used));
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.empty()) return 0;
  const auto first = static_cast<unsigned char>(bytes.front());
  zhiwen::Decoder decoder(bytes.substr(1));
  for (unsigned kind = first; ReadOne(decoder, kind); kind = kind * 5 + 1) {
  }
  const size_t cut = first % size;
  Require(zhiwen::Crc32c(bytes) ==
          zhiwen::Crc32c(bytes.substr(cut), zhiwen::Crc32c(bytes.substr(0, cut))));
  return 0;
}
