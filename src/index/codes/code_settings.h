#ifndef ZHIWEN_INDEX_CODES_CODE_SETTINGS_H_
#define ZHIWEN_INDEX_CODES_CODE_SETTINGS_H_

// Reads and writes the settings of an index of codes in the manifest: docs/formats/code_index.md.

#include <string>
#include <string_view>

#include "zhiwen/code_index.h"
#include "zhiwen/result.h"

namespace zhiwen {

std::string WriteCodeSettings(const CodeIndexOptions& options);
// Parses the settings. Fails: kUnreadable, naming the folder.
Result<CodeIndexOptions> ReadCodeSettings(std::string_view settings, const std::string& folder);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_CODE_SETTINGS_H_
