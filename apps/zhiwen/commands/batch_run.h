#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_BATCH_RUN_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_BATCH_RUN_H_

// Sets up a command that processes files batch by batch: file system, threads, progress, warnings
// and standard input. What was printed is flushed before standard input is waited for.

#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>

#include "command_line/command.h"
#include "terminal/progress_bar.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/executor.h"
#include "zhiwen/result.h"

namespace zhiwen {

class BatchRun {
 public:
  // Starts `threads` threads. `context` must outlive the object.
  BatchRun(CommandContext& context, size_t threads);
  BatchRun(const BatchRun&) = delete;
  BatchRun& operator=(const BatchRun&) = delete;

  const BatchEnvironment& environment() const { return environment_; }

  // Prints `text`. Clears the progress line first when both are on the terminal.
  Status Print(std::string_view text);

  // Clears the progress line, so that other output can be shown.
  void Clear() { progress_.Clear(); }

 private:
  Result<bool> Await(std::chrono::milliseconds patience);

  Console& console_;
  std::unique_ptr<Executor> executor_;
  ProgressBar progress_;
  ConsoleLog log_;
  BatchEnvironment environment_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_BATCH_RUN_H_
