#include "fingerprint/channel_scheme.h"

#include <fmt/format.h>

#include "base/utf8/utf8.h"
#include "text/channel_view.h"

namespace zhiwen {

Result<Fingerprint> ChannelScheme::Compute(std::string_view utf8) const {
  ZHIWEN_RETURN_IF_ERROR(CheckUtf8(utf8));
  return ComputeValid(utf8);
}

Status ChannelScheme::CheckUtf8(std::string_view text) {
  const size_t valid = FindInvalidUtf8(text);
  if (valid == text.size()) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot fingerprint a text: invalid UTF-8 at byte {}", valid));
}

std::vector<uint32_t> ChannelScheme::SymbolsOf(std::string_view utf8) const {
  std::vector<uint32_t> symbols;
  channel_.view().ComputeInto(utf8, symbols);
  return symbols;
}

void AppendBigEndian(FingerprintBytes& bytes, uint64_t value, int size) {
  for (int i = size - 1; i >= 0; --i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

}  // namespace zhiwen
