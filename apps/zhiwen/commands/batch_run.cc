#include "commands/batch_run.h"

#include "terminal/standard_input.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"

namespace zhiwen {

BatchRun::BatchRun(CommandContext& context, size_t threads)
    : console_(context.console),
      executor_(MakeThreadPool(threads)),
      progress_(context.console, SystemClock()),
      log_(context.console, progress_),
      environment_{PosixFileSystem(),
                   *executor_,
                   SystemClock(),
                   progress_,
                   log_,
                   context.cancellation,
                   [&context] { return OpenStandardInput(context.cancellation); },
                   [&context] { return context.language.Open(); }} {}

Status BatchRun::Print(std::string_view text) {
  if (console_.out_is_terminal()) progress_.Clear();
  return console_.Print(text);
}

}  // namespace zhiwen
