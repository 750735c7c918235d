#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_BATCH_RUN_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_BATCH_RUN_H_

// The surroundings of a command that goes through files batch by batch: the files, threads,
// progress, warnings and standard input of the process.

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

  // Prints, after taking the progress line off where both are on the terminal.
  Status Print(std::string_view text);

  // Takes the progress line off, so that something else can be shown.
  void Clear() { progress_.Clear(); }

 private:
  Console& console_;
  std::unique_ptr<Executor> executor_;
  ProgressBar progress_;
  ConsoleLog log_;
  BatchEnvironment environment_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_BATCH_RUN_H_
