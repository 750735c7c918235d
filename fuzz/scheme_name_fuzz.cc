// Any bytes are a scheme or an error with a message; a scheme's canonical name is a fixed point.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "require.h"
#include "support/language.h"
#include "support/paths.h"
#include "zhiwen/scheme.h"

std::string zhiwen::LanguageFilePath() { return ZHIWEN_LANGUAGE_FILE; }

namespace {

using zhiwen::Require;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto scheme = zhiwen::Scheme::Create({reinterpret_cast<const char*>(data), size},
                                             {.language = zhiwen::TestLanguage()});
  if (!scheme) {
    // kConflict: a channel or words of other language data; kNotFound: document frequencies
    using enum zhiwen::ErrorCode;
    const zhiwen::ErrorCode code = scheme.error().code;
    Require(code == kInvalidArgument || code == kConflict || code == kNotFound);
    Require(!scheme.error().message.empty());
    return 0;
  }
  const auto again =
      zhiwen::Scheme::Create((*scheme)->canonical_name(), {.language = zhiwen::TestLanguage()});
  Require(again.has_value());
  Require((*again)->canonical_name() == (*scheme)->canonical_name());
  const auto value = (*scheme)->Compute("知文是一个文本指纹引擎");
  if ((*scheme)->is_of_pictures()) return Require(!value.has_value()), 0;
  Require(value.has_value());
  Require(*(*again)->Compute("知文是一个文本指纹引擎") == *value);
  return 0;
}
