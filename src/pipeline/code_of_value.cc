#include "pipeline/code_of_value.h"

#include <variant>

#include <fmt/format.h>

namespace zhiwen {

Result<std::optional<StoredCode>> CodeOfValue(const Scheme& scheme, const Fingerprint& value) {
  if (!HasValue(value)) return std::optional<StoredCode>();
  const auto* const bytes = std::get_if<FingerprintBytes>(&value);
  if (bytes == nullptr || (bytes->size() != 8 && bytes->size() != 4)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is no code of 4 or 8 bytes; choose a scheme such as simhash64",
                            scheme.canonical_name()),
                {Advice::kChooseScheme});
  }
  StoredCode code = {.bytes = static_cast<uint32_t>(bytes->size())};
  for (const uint8_t byte : *bytes) code.bits = code.bits << 8 | byte;
  return std::optional(code);
}

}  // namespace zhiwen
