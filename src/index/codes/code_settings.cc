#include "index/codes/code_settings.h"

#include <fmt/format.h>

#include "base/coding.h"

namespace zhiwen {

std::string WriteCodeSettings(const CodeIndexOptions& options) {
  std::string settings;
  AppendFixed32(settings, options.code_bits);
  return settings;
}

Result<CodeIndexOptions> ReadCodeSettings(std::string_view settings, const std::string& folder) {
  Decoder decoder(settings);
  const auto code_bits = decoder.Fixed32();
  if (code_bits && decoder.rest().empty() && (*code_bits == 64 || *code_bits == 32)) {
    return CodeIndexOptions{.code_bits = *code_bits};
  }
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot open the index \"{}\": its manifest has settings that cannot be",
                          folder));
}

}  // namespace zhiwen
