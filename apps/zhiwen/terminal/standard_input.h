#ifndef ZHIWEN_APPS_ZHIWEN_TERMINAL_STANDARD_INPUT_H_
#define ZHIWEN_APPS_ZHIWEN_TERMINAL_STANDARD_INPUT_H_

// Reads standard input, which the command line names "-".

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "zhiwen/document_batches.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Opens standard input as a file that is read once from front to back: ReadAt takes ascending
// offsets only, and waits until it has all bytes asked for, the end, or a request to stop.
// `cancellation` must outlive the file. Fails: kUnreadable, kInterrupted, kTerminated.
std::unique_ptr<ReadableFile> OpenStandardInput(const Cancellation& cancellation);

// Returns whether standard input is a pipe or a terminal, whose bytes arrive over time, instead of
// a file.
bool StandardInputArrives();

// Returns how many bytes can be read now without waiting, at most 64 KiB.
size_t StandardInputReady();

// Waits until bytes or the end can be read. Returns false when nothing arrived within `patience`.
// Fails: kInterrupted, kTerminated.
Result<bool> AwaitStandardInput(const Cancellation& cancellation,
                                std::chrono::milliseconds patience);

// Reads all of standard input, or of the file at `path`. Fails also: kExhausted above `limit`.
Result<std::string> ReadInput(const std::string& path, uint64_t limit,
                              const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_TERMINAL_STANDARD_INPUT_H_
