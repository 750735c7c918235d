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
                   [&context] { return context.language.Open(); }} {
  if (!StandardInputArrives()) return;
  environment_.arriving = {
      .ready = StandardInputReady,
      .await = [this](std::chrono::milliseconds patience) { return Await(patience); }};
}

// Whoever sends a line and waits for its answer gets it before this waits for the next line.
Result<bool> BatchRun::Await(std::chrono::milliseconds patience) {
  if (patience == std::chrono::milliseconds::max()) ZHIWEN_RETURN_IF_ERROR(console_.Flush());
  return AwaitStandardInput(environment_.cancellation, patience);
}

Status BatchRun::Print(std::string_view text) {
  if (console_.out_is_terminal()) progress_.Clear();
  return console_.Print(text);
}

}  // namespace zhiwen
