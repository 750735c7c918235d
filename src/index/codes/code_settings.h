#ifndef ZHIWEN_INDEX_CODES_CODE_SETTINGS_H_
#define ZHIWEN_INDEX_CODES_CODE_SETTINGS_H_

// What the manifest of an index of codes says of them: docs/formats/code_index.md.

#include <string>
#include <string_view>

#include "zhiwen/code_index.h"
#include "zhiwen/result.h"

namespace zhiwen {

std::string WriteCodeSettings(const CodeIndexOptions& options);
// Fails: kUnreadable, naming the folder.
Result<CodeIndexOptions> ReadCodeSettings(std::string_view settings, const std::string& folder);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_CODE_SETTINGS_H_
