#ifndef ZHIWEN_APPS_ZHIWEN_STANDARD_INPUT_H_
#define ZHIWEN_APPS_ZHIWEN_STANDARD_INPUT_H_

// Standard input, which people name "-".

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr std::string_view kStandardInput = "-";

// Standard input as a file that is read once from front to back: ReadAt takes ascending offsets
// only and waits until it has all bytes asked for, or the end. Fails: kUnreadable.
std::unique_ptr<ReadableFile> OpenStandardInput();

// Reads all of standard input, or of the file at `path`. Fails also: kExhausted above `limit`.
Result<std::string> ReadInput(const std::string& path, uint64_t limit);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_STANDARD_INPUT_H_
